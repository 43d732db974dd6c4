// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_ERROR_CODE_HPP
#define ANEW_POLICIES_CLASSIFIER_ERROR_CODE_HPP

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
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
std::optional<failure> known_failure(auto const& code) noexcept {
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

template <auto... Codes>
inline constexpr bool codes_are_of_error_enums = sizeof...(Codes) > 0 && (ErrorEnum<decltype(Codes)> && ...);

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

  [[nodiscard]] static directive classify(detail::CarriesErrorCode auto const& error) {
    auto const known = detail::known_failure(detail::code_of(error));
    return known ? directive::retry(*known) : directive::fail();
  }
  [[nodiscard]] static std::string describe() { return "error_code"; }
};

/// Retries these codes and conditions, and no others: they count as transient, or as a timeout if they mean timed_out.
///
/// `retry_on_codes<std::errc::timed_out, std::errc::connection_reset>`. A condition (`std::errc`) fits the codes of every
/// category that stand for it, a code only itself. It reads what error_code_classifier reads. The operation may run
/// again after them, because you named them: for one with side effects wrap it in idempotent_only.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: at least one code, each of an enumeration that is registered with `std::is_error_code_enum` or
/// `std::is_error_condition_enum`
/// Cost: one comparison by category for each code, after a failure
/// Choose it where you know which codes are transient. For a ready table: error_code_classifier.
/// Source: [syserr.errcat.virtuals] says which codes fit a condition
template <auto... Codes>
struct retry_on_codes {
  using role = roles::classifier;
  using catches = catch_list<std::system_error>;
  static constexpr bool has_an_opinion = true;
  using reads_only = catch_list<std::error_code, std::error_condition, std::system_error>;

  [[nodiscard]] static directive classify(detail::CarriesErrorCode auto const& error) {
    auto const code = detail::code_of(error);
    auto const compared = detail::comparable(code);
    if (!((code == detail::code_of(Codes) || compared == detail::code_of(Codes)) || ...)) return directive::fail();
    return directive::retry(compared == std::make_error_condition(std::errc::timed_out) ? error_kind::timeout
                                                                                        : error_kind::transient);
  }

  /// "retry_on_codes(generic:110,generic:104)": category and number, which differs from system to system.
  [[nodiscard]] static std::string describe() {
    std::string text{"retry_on_codes"};
    char const* between = "(";
    auto const add = [&](auto const& code) {
      text.append(between).append(code.category().name()).append(":").append(std::to_string(code.value()));
      between = ",";
    };
    (add(detail::code_of(Codes)), ...);
    return text.append(")");
  }

  static constexpr bool is_sound = detail::codes_are_of_error_enums<Codes...>;
  static consteval void explain() {
    static_assert(detail::codes_are_of_error_enums<Codes...>,
                  "anew::retry_on_codes<Codes...> requires at least one error code, each from an error enumeration; a "
                  "plain number has no error category. Did you mean std::errc::...?");
  }
};

/// Reads what `error_code_classifier` reads, and the codes of Asio's own that mean a broken connection or a name server that
/// is busy: `eof`, `stream_truncated` and OpenSSL's "unexpected eof", which may have been of use; and
/// `host_not_found_try_again`, which is safe to repeat. It knows Asio's categories by their names, so stand-alone Asio's and
/// Boost's alike, and needs no header of either. `async_retry` hands it Boost's codes as those of `<system_error>`;
/// `boost_system::classifier<asio_classifier>` reads them anywhere.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: nothing
/// Cost: that of error_code_classifier, and a comparison of the category's name
/// Choose it for a protocol of your own over Asio's sockets, where an answer that ends early is no answer. Not where the peer
/// says by the end of its stream that it is done: error_code_classifier. For HTTP: beast::classifier.
/// Source: the enumerations in `asio/error.hpp` and `asio/ssl/error.hpp`; OpenSSL's SSL_R_UNEXPECTED_EOF_WHILE_READING
struct asio_classifier {
  using role = roles::classifier;
  using catches = error_code_classifier::catches;
  static constexpr bool has_an_opinion = true;
  using reads_only = error_code_classifier::reads_only;

  [[nodiscard]] static directive classify(detail::CarriesErrorCode auto const& error) {
    auto const code = detail::code_of(error);
    std::string_view const category = code.category().name();
    auto const is = [&](std::string_view name, int value) { return code.value() == value && category == name; };
    // OpenSSL's errors have their library in the upper bits.
    bool const ends_in_tls = category == "asio.ssl" && (code.value() & 0x7fffff) == 294;
    if (is("asio.misc", 2) || is("asio.ssl.stream", 1) || ends_in_tls)
      return directive::retry({error_kind::transient, retry_safety::maybe, std::nullopt});
    if (is("asio.netdb", 2) || is("system", 11002))  // WSATRY_AGAIN
      return directive::retry(error_kind::transient);
    return error_code_classifier::classify(error);
  }
  [[nodiscard]] static std::string describe() { return "asio"; }
};

}  // namespace anew::inline ANEW_ABI

#endif
