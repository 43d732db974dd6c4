// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_POSTGRES_RESULT_HPP
#define ANEW_BRIDGES_POSTGRES_RESULT_HPP

#include <libpq-fe.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/postgres/sqlstate.hpp"

namespace anew::inline ANEW_ABI::postgres {

/// The result of a command of libpq, which it owns: the default classifier reads it by its SQLSTATE.
///
///     anew::retry(strategy, [&] { return anew::postgres::result{connection, PQexec(connection, "SELECT 1")}; });
///
/// A failure without an SQLSTATE comes from libpq itself, mostly because the connection broke: the command may have taken
/// effect. A command that was not sent, because there was no connection, is safe to repeat. libpq does not say why it could
/// not connect, so a wrong password costs all attempts.
///
/// Cost: that of PQclear; a failure copies its message      Source: PostgreSQL 15, "libpq - C Library"
class result {
 public:
  /// Takes what a function of libpq returned, null included, right after it returned.
  result(PGconn* connection, PGresult* returned) : of_{returned} {
    if (has_value()) return;
    char const* const state = PQresultErrorField(returned, PG_DIAG_SQLSTATE);
    if (state != nullptr) state_ = state;
    message_ = PQerrorMessage(connection);
    if (state == nullptr) safety_ = retry_safety::maybe;
  }
  /// A command that was not sent, because there is no connection.
  [[nodiscard]] static result not_sent(PGconn* connection) {
    return result{{}, PQerrorMessage(connection), retry_safety::yes};
  }
  /// A failure that the server did not report itself.
  [[nodiscard]] static result failed(std::string state, std::string message) {
    return result{std::move(state), std::move(message), retry_safety::no};
  }

  [[nodiscard]] PGresult* get() const noexcept { return of_.get(); }
  [[nodiscard]] std::string const& state() const noexcept { return state_; }
  [[nodiscard]] std::string const& message() const noexcept { return message_; }

  [[nodiscard]] bool has_value() const noexcept {
    auto const status = PQresultStatus(of_.get());
    return of_ != nullptr && status != PGRES_BAD_RESPONSE && status != PGRES_FATAL_ERROR &&
           status != PGRES_NONFATAL_ERROR && status != PGRES_PIPELINE_ABORTED;
  }
  [[nodiscard]] result const& error() const noexcept { return *this; }

  [[nodiscard]] retry_safety is_retry_safe() const noexcept {
    return state_.empty() ? safety_ : sqlstate{state_}.is_retry_safe();
  }
  [[nodiscard]] bool is_throttle() const noexcept { return sqlstate{state_}.is_throttle(); }
  [[nodiscard]] bool is_timeout() const noexcept { return sqlstate{state_}.is_timeout(); }

 private:
  result(std::string state, std::string message, retry_safety safety)
      : state_{std::move(state)}, message_{std::move(message)}, safety_{safety} {}

  struct clears {
    void operator()(PGresult* one) const noexcept { PQclear(one); }
  };
  std::unique_ptr<PGresult, clears> of_;
  std::string state_{};
  std::string message_{};
  retry_safety safety_ = retry_safety::no;  // without a state
};

}  // namespace anew::inline ANEW_ABI::postgres

#endif
