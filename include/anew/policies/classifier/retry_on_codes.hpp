// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_RETRY_ON_CODES_HPP
#define ANEW_POLICIES_CLASSIFIER_RETRY_ON_CODES_HPP

#include <string>
#include <system_error>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/result_traits.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <auto... Codes>
inline constexpr bool codes_are_of_error_enums = sizeof...(Codes) > 0 && (ErrorEnum<decltype(Codes)> && ...);

}  // namespace detail

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

  template <detail::CarriesErrorCode E>
  [[nodiscard]] static directive classify(E const& error) {
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
  template <class Self>
  static consteval void explain() {
    static_assert(detail::codes_are_of_error_enums<Codes...>,
                  "anew::retry_on_codes<Codes...> requires at least one error code, each from an error enumeration; a "
                  "plain number has no error category. Did you mean std::errc::...?");
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
