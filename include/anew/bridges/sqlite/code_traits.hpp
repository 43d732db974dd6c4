// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SQLITE_CODE_TRAITS_HPP
#define ANEW_BRIDGES_SQLITE_CODE_TRAITS_HPP

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/sqlite/result.hpp"

namespace anew::inline ANEW_ABI::sqlite {

/// Reads the code of your own exception, or of another type, by one of its member functions:
///
///     template <> struct anew::retry_traits<SQLite::Exception>
///         : anew::sqlite::code_traits<&SQLite::Exception::getExtendedErrorCode> {};
///
/// Requires: a member function that returns a code of SQLite; for an exception `retry_info_on<E>` as the classifier
/// Cost: none      Choose it for a wrapper that throws. For the C API: result.
template <auto CodeOf>
struct code_traits {
  template <class E>
  [[nodiscard]] static constexpr retry_safety is_retry_safe(E const& error) {
    return result{static_cast<int>((error.*CodeOf)())}.is_retry_safe();
  }
  template <class E>
  [[nodiscard]] static constexpr bool is_throttle(E const& error) {
    return result{static_cast<int>((error.*CodeOf)())}.is_throttle();
  }
};

}  // namespace anew::inline ANEW_ABI::sqlite

#endif
