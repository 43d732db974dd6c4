// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SQLITE_IN_TRANSACTION_HPP
#define ANEW_BRIDGES_SQLITE_IN_TRANSACTION_HPP

#include <sqlite3.h>

#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/sqlite/result.hpp"
#include "anew/drivers/in_transaction.hpp"

namespace anew::inline ANEW_ABI::sqlite {

/// Executes SQL without a result, and returns the extended code.
[[nodiscard]] inline result execute(sqlite3* connection, char const* sql) {
  int const code = sqlite3_exec(connection, sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? code : sqlite3_extended_errcode(connection);
}

/// `anew::in_transaction` with SQLite's own BEGIN, COMMIT and ROLLBACK.
///
///     anew::retry(strategy, anew::sqlite::in_transaction(connection, [&] { return insert(connection); }));
///
/// `begin` is a text that outlives the operation. `BEGIN IMMEDIATE` takes the lock for writing at once, so that only the
/// begin and the commit meet BUSY; `BEGIN` reads first, for a transaction that seldom writes.
///
/// A COMMIT that fails and yet leaves no transaction open may have taken effect: a hook of the write-ahead log can fail it
/// afterwards. `idempotent(in_transaction(...))` alone repeats it.
///
/// Requires: a connection that is in no transaction and that no other thread uses meanwhile; a body that returns a
/// `sqlite::result`, a type that one converts to, or void. Set no `sqlite3_busy_timeout`, or a short one: SQLite retries
/// within each attempt as long as that
template <class Body>
[[nodiscard]] auto in_transaction(sqlite3* connection, Body&& body, char const* begin = "BEGIN IMMEDIATE") {
  auto const runs = [connection](char const* sql) {
    return [connection, sql] { return sqlite::execute(connection, sql); };
  };
  auto const commit = [connection] {
    auto const ended = sqlite::execute(connection, "COMMIT");
    bool const is_over = sqlite3_get_autocommit(connection) != 0;
    return !ended.has_value() && is_over ? result::of_unknown_effect(ended.code()) : ended;
  };
  return anew::in_transaction(runs(begin), std::forward<Body>(body), commit, runs("ROLLBACK"));
}

}  // namespace anew::inline ANEW_ABI::sqlite

#endif
