// SPDX-License-Identifier: BSL-1.0
// SQLite itself, over files and two connections. What holds a lock releases it while the retry waits: the sleeper does it.
#include <sqlite3.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/retry_info_on.hpp"
#include "anew/sqlite.hpp"

#include "pinned.hpp"

namespace sqlite_test {

/// An exception as wrappers of SQLite have one.
struct wrapped_error : std::runtime_error {
  explicit wrapped_error(int c) : std::runtime_error{"database"}, code{c} {}
  [[nodiscard]] int extended_code() const noexcept { return code; }
  int code;
};

}  // namespace sqlite_test

// [glue]
template <>
struct anew::retry_traits<sqlite_test::wrapped_error>
    : anew::sqlite::code_traits<&sqlite_test::wrapped_error::extended_code> {};
// [/glue]

namespace sqlite_test {
namespace {

using anew::retry_safety, anew::sqlite::result, anew::stop_reason;

using five = anew::strategy<anew::no_backoff, anew::max_attempts<5>>;

struct folder : support::pinned {
  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "anew-sqlite-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~folder() { std::filesystem::remove_all(path); }
  [[nodiscard]] std::string file() const { return (path / "test.db").string(); }
  std::filesystem::path path;
};
struct closes {
  void operator()(sqlite3* c) const { sqlite3_close(c); }
};
using connection = std::unique_ptr<sqlite3, closes>;
connection open(std::string const& file) {
  sqlite3* made = nullptr;
  EXPECT_EQ(sqlite3_open_v2(file.c_str(), &made, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI, nullptr),
            SQLITE_OK);
  return connection{made};
}
result run(connection const& on, std::string const& sql) { return anew::sqlite::execute(on.get(), sql.c_str()); }
int number(connection const& on, char const* sql) {
  int found = -1;
  auto const read = [](void* to, int, char** values, char**) {
    *static_cast<int*>(to) = std::atoi(values[0]);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(on.get(), sql, read, &found, nullptr), SQLITE_OK) << sqlite3_errmsg(on.get());
  return found;
}

struct two_connections {
  explicit two_connections(std::string const& file, char const* mode = "delete")
      : first{open(file)}, second{open(file)} {
    for (auto const* one : {&first, &second}) {
      EXPECT_TRUE(run(*one, std::string{"pragma journal_mode = "} + mode + "; pragma synchronous = off").has_value());
    }
    EXPECT_TRUE(run(first, "create table t(x); insert into t values(0)").has_value());
  }
  /// A sleep in which the first commits.
  [[nodiscard]] auto commits() const {
    return [this](anew::duration) { EXPECT_TRUE(run(first, "commit").has_value()); };
  }
  connection first, second;
};

/// Two connections to one file.
struct Sqlite : testing::Test {
  folder const here;
  two_connections const db{here.file()};
};

TEST(SqliteResult, MeansWhatTheManualSays) {
  for (int code = 0; code != 1 << 14; ++code) {
    int const primary = code & 0xff;
    bool const is_contended = primary == SQLITE_BUSY || primary == SQLITE_LOCKED || primary == SQLITE_PROTOCOL;
    bool const is_damaged = code == SQLITE_IOERR_CORRUPTFS || code == SQLITE_IOERR_DATA;
    auto const safety = is_contended                             ? retry_safety::yes
                        : primary == SQLITE_IOERR && !is_damaged ? retry_safety::maybe
                                                                 : retry_safety::no;
    result const of{code};
    ASSERT_EQ(of.has_value(), code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) << code;
    ASSERT_EQ(of.error().is_retry_safe(), safety) << code;
    ASSERT_EQ(of.is_throttle(), is_contended) << code;
    ASSERT_EQ(anew::read_failure(wrapped_error{code}), anew::read_failure(of)) << code;
  }
}

TEST_F(Sqlite, AStatementWaitsForTheWriter) {
  ASSERT_TRUE(run(db.first, "begin immediate; insert into t values(1)").has_value());
  unsigned attempts = 0;
  auto const insert = [&]() -> result {
    return ++attempts, sqlite3_exec(db.second.get(), "insert into t values(2)", nullptr, nullptr, nullptr);
  };
  EXPECT_TRUE(anew::retry(five{}, insert, db.commits()).has_value());
  EXPECT_EQ(attempts, 2U);
  EXPECT_EQ(number(db.first, "select count(*) from t"), 3);
  EXPECT_EQ(anew::retry_outcome(five{}, [&] { return run(db.second, "insert into nowhere values(2)"); }).reason(),
            stop_reason::not_retryable);
}

TEST(SqliteModes, ATableOfASharedCacheWaits) {
  two_connections const db{"file:anew?mode=memory&cache=shared", "memory"};
  ASSERT_TRUE(run(db.first, "begin; update t set x = 1").has_value());
  auto const reads = [&] { return run(db.second, "select * from t"); };
  EXPECT_EQ(reads().code(), SQLITE_LOCKED_SHAREDCACHE);
  EXPECT_EQ(anew::retry_outcome(five{}, reads, db.commits()).attempts(), 2U);
}

TEST(SqliteModes, AStaleSnapshotRepeatsTheTransaction) {
  folder const here;
  two_connections const db{here.file(), "wal"};
  unsigned attempts = 0;
  auto const add = [&]() -> result {
    int const read = number(db.second, "select x from t");
    if (++attempts == 1) (void)run(db.first, "update t set x = x + 1");
    return run(db.second, "update t set x = " + std::to_string(read + 1));
  };
  EXPECT_TRUE(anew::retry(five{}, anew::sqlite::in_transaction(db.second.get(), add, "BEGIN")).has_value());
  EXPECT_EQ(attempts, 2U);
  EXPECT_EQ(number(db.first, "select x from t"), 2);

  // The statement alone fails as often as it is repeated.
  ASSERT_TRUE(run(db.second, "begin; select x from t").has_value());
  ASSERT_TRUE(run(db.first, "update t set x = 7").has_value());
  auto const alone = anew::retry_outcome(five{}, [&] { return run(db.second, "update t set x = 8"); });
  EXPECT_EQ(alone.attempts(), 5U);
  EXPECT_EQ(alone.result().code(), SQLITE_BUSY_SNAPSHOT);
}

TEST(SqliteModes, ACommitThatAHookOfTheLogFailsHasTakenEffect) {
  folder const here;
  two_connections const db{here.file(), "wal"};
  sqlite3_wal_hook(db.first.get(), [](void*, sqlite3*, char const*, int) { return SQLITE_BUSY; }, nullptr);
  auto const add = [&] { return run(db.first, "insert into t values(1)"); };
  auto const end = anew::retry_outcome(five{}, anew::sqlite::in_transaction(db.first.get(), add));
  EXPECT_EQ(end.reason(), stop_reason::not_idempotent);
  EXPECT_EQ(end.result().code(), SQLITE_BUSY);
  EXPECT_EQ(number(db.second, "select count(*) from t"), 2) << "once";
}

TEST_F(Sqlite, ATransactionWaitsForItsBegin) {
  ASSERT_TRUE(run(db.first, "begin immediate; update t set x = 1").has_value());
  unsigned bodies = 0;
  auto const add = [&]() -> result { return ++bodies, run(db.second, "update t set x = x + 1"); };
  EXPECT_TRUE(anew::retry(five{}, anew::sqlite::in_transaction(db.second.get(), add), db.commits()).has_value());
  EXPECT_EQ(bodies, 1U);
  EXPECT_EQ(number(db.first, "select x from t"), 2);
}

TEST_F(Sqlite, ACommitThatAReaderHoldsUpIsRepeatedFromTheBegin) {
  ASSERT_TRUE(run(db.first, "begin; select * from t").has_value());
  unsigned bodies = 0;
  auto const add = [&]() -> result { return ++bodies, run(db.second, "update t set x = x + 1"); };
  EXPECT_TRUE(anew::retry(five{}, anew::sqlite::in_transaction(db.second.get(), add), db.commits()).has_value());
  EXPECT_EQ(bodies, 2U);
  EXPECT_EQ(number(db.first, "select x from t"), 1) << "the first was rolled back";
}

/// While it lives, files of this process cannot grow.
struct full_files : support::pinned {
  full_files() {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    rlimit const none{0, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~full_files() { setrlimit(RLIMIT_FSIZE, &before); }
  rlimit before{};
};

// The journal is written by the body; in WAL mode the commit writes.
TEST(SqliteModes, AnErrorOfTheDiskIsSafeBeforeTheCommitAlone) {
  for (bool const at_commit : {false, true}) {
    for (bool const declared : {false, true}) {
      folder const here;
      two_connections const db{here.file(), at_commit ? "wal" : "delete"};
      std::unique_ptr<full_files> full;
      unsigned bodies = 0;
      auto const add = [&]() -> result {
        if (++bodies == 1) full = std::make_unique<full_files>();
        return run(db.second, "update t set x = x + 1");
      };
      auto const heals = [&](anew::duration) { full.reset(); };
      auto operation = anew::sqlite::in_transaction(db.second.get(), add);
      auto const outcome = declared ? anew::retry_outcome(five{}, anew::idempotent(operation), heals)
                                    : anew::retry_outcome(five{}, operation, heals);
      full.reset();
      bool const is_final = at_commit && !declared;
      EXPECT_EQ(outcome.reason(), is_final ? stop_reason::not_idempotent : stop_reason::succeeded)
          << at_commit << declared << outcome.result().code();
      EXPECT_EQ(bodies, is_final ? 1U : 2U);
      EXPECT_EQ(outcome.result().code(), is_final ? SQLITE_IOERR_WRITE : SQLITE_OK);
    }
  }
}

TEST_F(Sqlite, AWrapperThatThrows) {
  auto const runs = [&](char const* sql) {
    return [this, sql] {
      if (auto const done = run(db.second, sql); !done.has_value()) throw wrapped_error{done.code()};
    };
  };
  ASSERT_TRUE(run(db.first, "begin immediate").has_value());
  using reads = anew::with<five, anew::retry_info_on<wrapped_error>>;
  auto add =
      anew::in_transaction(runs("begin immediate"), runs("update t set x = x + 1"), runs("commit"), runs("rollback"));
  EXPECT_EQ(anew::retry_outcome(reads{}, add, db.commits()).attempts(), 2U);
  EXPECT_EQ(number(db.first, "select x from t"), 1);
}

}  // namespace
}  // namespace sqlite_test
