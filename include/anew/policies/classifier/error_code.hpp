// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_ERROR_CODE_HPP
#define ANEW_POLICIES_CLASSIFIER_ERROR_CODE_HPP

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/portable_code.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// A type that carries a code of `<system_error>`: a code, a condition, an enumeration of either, or the exception.
template <class E>
concept CarriesErrorCode = std::same_as<E, std::error_code> || std::same_as<E, std::error_condition> || ErrorEnum<E> ||
                           std::derived_from<E, std::system_error>;

/// Another library's error code, which the standard's can be made of: Boost.System's.
template <class E>
concept ForeignCode = ErrorCodeLike<E> && !CarriesErrorCode<E> && std::constructible_from<std::error_code, E const&>;
/// An exception with such a code.
template <class E>
concept CarriesForeignCode = requires(E const& e) { requires ForeignCode<std::remove_cvref_t<decltype(e.code())>>; };

template <CarriesErrorCode E>
auto code_of(E const& error) noexcept {
  if constexpr (std::derived_from<E, std::system_error>) {
    return error.code();
  } else if constexpr (std::is_error_code_enum<E>::value) {
    return std::error_code{error};
  } else if constexpr (ErrorEnum<E>) {
    return std::error_condition{error};
  } else {
    return error;
  }
}

/// A code that can be compared with conditions.
template <class Code>
Code comparable(Code const& code) noexcept {
  if constexpr (std::same_as<Code, std::error_code>) return portable_code(code);
  return code;
}

/// The failure that a code stands for, found by comparing the code with portable conditions: the comparison asks the
/// code's own category, so it finds the codes of every category that maps to the generic one. Nothing for a final code.
template <class Code>
std::optional<failure> known_failure(Code const& code) noexcept {
  auto const compared = detail::comparable(code);
  auto const is = [&compared](std::initializer_list<std::errc> conditions) {
    for (auto const each : conditions)
      if (compared == std::make_error_condition(each)) return true;
    return false;
  };
  using enum std::errc;
  // Codes of operations that may have taken effect come first, for a code that matches two rows.
  if (is({timed_out})) return failure{error_kind::timeout, retry_safety::maybe};
  if (is({connection_reset, connection_aborted, network_reset, broken_pipe, resource_unavailable_try_again,
          operation_would_block, interrupted, no_buffer_space, host_unreachable, network_unreachable}))
    return failure{error_kind::transient, retry_safety::maybe};
  if (is({connection_refused, network_down, address_not_available, device_or_resource_busy}))
    return failure{error_kind::transient, retry_safety::yes};
  return std::nullopt;
}

}  // namespace detail

/// Retries errors whose code is transient; every other code is final.
///
/// It reads `std::error_code`, `std::error_condition`, `std::errc` and other enumerations of codes or conditions as
/// values, and catches `std::system_error`. The codes of every category are compared with portable conditions.
///
/// | `std::errc`                                       | kind      | may have been executed | because                     |
/// |---------------------------------------------------|-----------|-----|------------------------------------------------|
/// | connection_refused                                | transient | no  | no server received the request           |
/// | network_down, address_not_available               | transient | no  | it was not even tried: no interface, no port   |
/// | device_or_resource_busy                           | transient | no  | refused while another one has it               |
/// | timed_out                                         | timeout   | yes | only the answer is known to be missing         |
/// | connection_reset, connection_aborted, network_reset, broken_pipe | transient | yes | the connection broke at an unknown time |
/// | resource_unavailable_try_again, operation_would_block | transient | yes | a receive timeout of a socket says this too |
/// | interrupted                                       | transient | yes | a signal, in the midst of whatever it was      |
/// | no_buffer_space                                   | transient | yes | parts of a request may have been sent before   |
/// | host_unreachable, network_unreachable             | transient | yes | Linux reports it of a live connection instead of timed_out |
///
/// An operation that may have taken effect is retried only if it is declared `idempotent`. Final, and for good reasons:
/// `operation_canceled` (it was requested), limits of this process (descriptors, memory, space), what is already so or
/// not so (`already_connected`, `file_exists`, `permission_denied`).
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: nothing
/// Cost: up to 15 comparisons by category after a failure, two virtual calls each
/// Choose it for sockets and files. Not where you know the codes that matter: retry_on_codes.
/// Source: POSIX.1-2024 connect, send, recv; Linux ip(7), tcp(7); RFC 9110 9.2.2 on what may be repeated
struct error_code_classifier {
  using role = roles::classifier;
  using catches = catch_list<std::system_error>;
  static constexpr bool has_an_opinion = true;
  using reads_only = catch_list<std::error_code, std::error_condition, std::system_error>;

  template <detail::CarriesErrorCode E>
  [[nodiscard]] static directive classify(E const& error) {
    auto const known = detail::known_failure(detail::code_of(error));
    return known ? directive::retry(*known) : directive::fail();
  }
  [[nodiscard]] static std::string describe() { return "error_code"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
