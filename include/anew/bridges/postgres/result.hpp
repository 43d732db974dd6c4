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

/// Reads the SQLSTATE of your own exception, or of another type, by one of its member functions:
///
///     template <> struct anew::retry_traits<pqxx::sql_error>
///         : anew::postgres::sqlstate_traits<&pqxx::sql_error::sqlstate> {};
///
/// Requires: a member function that returns a text; for an exception `retry_info_on<E>` as the classifier
/// Cost: none      Choose it for a wrapper that throws. For libpq: result.
template <auto StateOf>
struct sqlstate_traits {
  [[nodiscard]] static constexpr retry_safety is_retry_safe(auto const& error) {
    return sqlstate{(error.*StateOf)()}.is_retry_safe();
  }
  [[nodiscard]] static constexpr bool is_throttle(auto const& error) {
    return sqlstate{(error.*StateOf)()}.is_throttle();
  }
  [[nodiscard]] static constexpr bool is_timeout(auto const& error) {
    return sqlstate{(error.*StateOf)()}.is_timeout();
  }
};

}  // namespace anew::inline ANEW_ABI::postgres

#endif
