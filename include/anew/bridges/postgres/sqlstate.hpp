// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_POSTGRES_SQLSTATE_HPP
#define ANEW_BRIDGES_POSTGRES_SQLSTATE_HPP

#include <string_view>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::postgres {

/// The five characters of an error of PostgreSQL, read as an error that says whether it may be retried.
///
/// | SQLSTATE                                                | another attempt                                    |
/// |---------------------------------------------------------|----------------------------------------------------|
/// | 40001 serialization failure, 40P01 deadlock             | safe, transient: the transaction was rolled back   |
/// | 55P03 lock not available, 57P03 cannot connect now      | safe, throttling                                   |
/// | 53 insufficient resources: connections, memory, disk    | safe, throttling                                   |
/// | 57014 canceled: a statement's time-out                  | safe, timeout                                      |
/// | 08 connection, 57P01, 57P02, 57P05, 40003 unknown       | transient; it may have taken effect                |
/// | any other                                               | final                                              |
///
/// 57014 is also what `pg_cancel_backend` and PQcancel cause: stop the call too. 23505, a unique violation, is final; where two
/// transactions choose the same key, the manual advises to retry it.
///
/// Requires: a text that outlives the object      Cost: some compares of five characters
/// Source: PostgreSQL 15, "PostgreSQL Error Codes", "Serialization Failure Handling"
struct sqlstate {
  std::string_view text;

  [[nodiscard]] constexpr retry_safety is_retry_safe() const noexcept {
    if (text == "40001" || text == "40P01" || is_throttle() || is_timeout()) return retry_safety::yes;
    bool const is_unknown =
        text.starts_with("08") || text == "57P01" || text == "57P02" || text == "57P05" || text == "40003";
    return is_unknown ? retry_safety::maybe : retry_safety::no;
  }
  [[nodiscard]] constexpr bool is_throttle() const noexcept {
    return text == "55P03" || text == "57P03" || text.starts_with("53");
  }
  [[nodiscard]] constexpr bool is_timeout() const noexcept { return text == "57014"; }
};

}  // namespace anew::inline ANEW_ABI::postgres

#endif
