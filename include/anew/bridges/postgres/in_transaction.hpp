// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_POSTGRES_IN_TRANSACTION_HPP
#define ANEW_BRIDGES_POSTGRES_IN_TRANSACTION_HPP

#include <libpq-fe.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/postgres/result.hpp"
#include "anew/drivers/in_transaction.hpp"

namespace anew::inline ANEW_ABI::postgres {

/// PQexec as an operation: sends nothing over a connection that is known to be broken. Blocks, whatever the attempt's
/// limit.
[[nodiscard]] inline result execute(PGconn* connection, char const* sql) {
  if (PQstatus(connection) != CONNECTION_OK) return result::not_sent(connection);
  return result{connection, PQexec(connection, sql)};
}

namespace detail {

[[nodiscard]] inline result begin_transaction(PGconn* connection, std::string sql, duration limit) {
  if (PQstatus(connection) != CONNECTION_OK) PQreset(connection);
  if (PQstatus(connection) != CONNECTION_OK) return result::not_sent(connection);
  if (PQtransactionStatus(connection) != PQTRANS_IDLE) {
    return result::failed("25001", "the connection is in a transaction already");
  }
  if (limit != duration::max()) {
    auto const milliseconds = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
    auto const most = decltype(milliseconds){2'147'483'647};  // the largest limit that PostgreSQL takes
    sql += "\n; SET LOCAL statement_timeout = " + std::to_string(milliseconds < most ? milliseconds : most);
  }
  auto begun = postgres::execute(connection, sql.c_str());
  if (!begun.has_value()) static_cast<void>(postgres::execute(connection, "ROLLBACK"));
  return begun;
}

/// The COMMIT of a transaction in which a statement failed rolls back, and reports no error.
[[nodiscard]] inline result commit_transaction(PGconn* connection) {
  auto committed = postgres::execute(connection, "COMMIT");
  if (committed.has_value() && std::string_view{PQcmdStatus(committed.get())} == "ROLLBACK") {
    return result::failed("25P02", "COMMIT rolled back: a statement failed, and the body did not return its failure");
  }
  return committed;
}

}  // namespace detail

/// `anew::in_transaction` with PostgreSQL's own BEGIN, COMMIT and ROLLBACK.
///
///     anew::retry(strategy, anew::postgres::in_transaction(connection, [&] { return transfer(connection); }));
///
/// Each attempt connects again where the connection broke (PQreset, which forgets prepared statements and settings of the
/// session), and gives the server its limit as the `statement_timeout`. A commit that rolled back fails, by 25P02.
///
/// A network that is silent ends no attempt: set `connect_timeout` and `tcp_user_timeout` in the connection's parameters.
///
/// Requires: a connection that is in no transaction and that no other thread uses meanwhile; a body that returns a
/// `postgres::result`, a type that one converts to, or void
template <class Body>
[[nodiscard]] auto in_transaction(PGconn* connection, Body&& body,
                                  std::string begin = "BEGIN ISOLATION LEVEL SERIALIZABLE") {
  return anew::in_transaction([connection, sql = std::move(begin)](
                                  attempt& self) { return detail::begin_transaction(connection, sql, self.limit()); },
                              std::forward<Body>(body), [connection] { return detail::commit_transaction(connection); },
                              [connection] { return postgres::execute(connection, "ROLLBACK"); });
}

}  // namespace anew::inline ANEW_ABI::postgres

#endif
