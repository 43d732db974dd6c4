// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_POSTGRES_SQLSTATE_TRAITS_HPP
#define ANEW_BRIDGES_POSTGRES_SQLSTATE_TRAITS_HPP

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/postgres/sqlstate.hpp"

namespace anew::inline ANEW_ABI::postgres {

/// Reads the SQLSTATE of your own exception, or of another type, by one of its member functions:
///
///     template <> struct anew::retry_traits<pqxx::sql_error>
///         : anew::postgres::sqlstate_traits<&pqxx::sql_error::sqlstate> {};
///
/// Requires: a member function that returns a text; for an exception `retry_info_on<E>` as the classifier
/// Cost: none      Choose it for a wrapper that throws. For libpq: result.
template <auto StateOf>
struct sqlstate_traits {
  template <class E>
  [[nodiscard]] static constexpr retry_safety is_retry_safe(E const& error) {
    return sqlstate{(error.*StateOf)()}.is_retry_safe();
  }
  template <class E>
  [[nodiscard]] static constexpr bool is_throttle(E const& error) {
    return sqlstate{(error.*StateOf)()}.is_throttle();
  }
  template <class E>
  [[nodiscard]] static constexpr bool is_timeout(E const& error) {
    return sqlstate{(error.*StateOf)()}.is_timeout();
  }
};

}  // namespace anew::inline ANEW_ABI::postgres

#endif
