// SPDX-License-Identifier: BSL-1.0
// What SQLSTATEs mean, and libpq without a server. tests/postgres has a server.
#include <libpq-fe.h>

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/postgres.hpp"

namespace postgres_test {

struct wrapped_error : std::runtime_error {
  explicit wrapped_error(std::string s) : std::runtime_error{"database"}, text{std::move(s)} {}
  [[nodiscard]] std::string const& sqlstate() const noexcept { return text; }
  std::string text;
};

}  // namespace postgres_test

// [glue]
template <>
struct anew::retry_traits<postgres_test::wrapped_error>
    : anew::postgres::sqlstate_traits<&postgres_test::wrapped_error::sqlstate> {};
// [/glue]

namespace postgres_test {
namespace {

using anew::error_kind;
using anew::retry_safety;

// The codes of classes 08, 25, 40, 53, 55 and 57 of PostgreSQL 15, and some of others.
struct row {
  retry_safety safety;
  error_kind kind;
  char const* states;
};
row const rows[]{
    {retry_safety::yes, error_kind::transient, "40001 40P01"},
    {retry_safety::yes, error_kind::throttling, "53000 53100 53200 53300 53400 55P03 57P03"},
    {retry_safety::yes, error_kind::timeout, "57014"},
    {retry_safety::maybe, error_kind::transient, "08000 08001 08003 08004 08006 08007 08P01 40003 57P01 57P02 57P05"},
    {retry_safety::no, error_kind::transient,
     "00000 22012 23505 23P01 25000 25001 25006 25P01 25P02 25P03 28P01 40000 40002 42601 42703 55000 55006 55P02 "
     "55P04 "
     "57000 57P04 58000 58030 58P01 XX000 XX001"},
};

TEST(PostgresSqlstate, MeansWhatTheManualSays) {
  for (auto const& r : rows) {
    std::istringstream states{r.states};
    for (std::string text; states >> text;) {
      auto const read = anew::read_failure(anew::postgres::sqlstate{text});
      EXPECT_EQ(read.safety, r.safety) << text;
      EXPECT_EQ(read.kind, r.kind) << text;
      EXPECT_EQ(anew::read_failure(wrapped_error{text}), read) << text;
      EXPECT_EQ(anew::read_failure(anew::postgres::result::failed(text, "")), read) << text;
    }
  }
}

TEST(Postgres, WithoutAServerNothingIsSent) {
  struct finishes {
    void operator()(PGconn* c) const { PQfinish(c); }
  };
  std::unique_ptr<PGconn, finishes> const nobody{PQconnectdb("host=/nowhere dbname=x")};
  anew::strategy<anew::no_backoff, anew::max_attempts<4>> const strategy{};
  unsigned bodies = 0;
  auto const outcome = anew::retry_outcome(strategy, anew::postgres::in_transaction(nobody.get(), [&] {
                                             return ++bodies, anew::postgres::execute(nobody.get(), "");
                                           }));
  EXPECT_EQ(outcome.reason(), anew::stop_reason::attempts);
  EXPECT_EQ(bodies, 0U);
  EXPECT_EQ(outcome.result().state(), "");
  EXPECT_NE(outcome.result().message().find("/nowhere"), std::string::npos) << outcome.result().message();
  EXPECT_EQ(anew::retry_outcome(strategy, [&] { return anew::postgres::execute(nobody.get(), "x"); }).attempts(), 4U);
  EXPECT_EQ((anew::postgres::result{nobody.get(), nullptr}.is_retry_safe()), retry_safety::maybe);
  for (auto const status : {PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR,
                            PGRES_FATAL_ERROR, PGRES_PIPELINE_ABORTED}) {
    anew::postgres::result const made{nobody.get(), PQmakeEmptyPGresult(nullptr, status)};
    EXPECT_EQ(made.has_value(), status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) << PQresStatus(status);
  }
}

}  // namespace
}  // namespace postgres_test
