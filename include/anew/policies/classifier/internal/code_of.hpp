// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_INTERNAL_CODE_OF_HPP
#define ANEW_POLICIES_CLASSIFIER_INTERNAL_CODE_OF_HPP

#include <concepts>
#include <system_error>
#include <type_traits>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/portable_code.hpp"
#include "anew/base/result_traits.hpp"

namespace anew::inline ANEW_ABI::detail {

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

}  // namespace anew::inline ANEW_ABI::detail

#endif
