// SPDX-License-Identifier: BSL-1.0
// Two connections to one file: a transaction that reads and then writes is repeated from its beginning when the other
// connection wrote meanwhile.
// [all]
#include <sqlite3.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "anew/anew.hpp"
#include "anew/sqlite.hpp"

using namespace std::chrono_literals;

using patient = anew::strategy<anew::exponential_backoff<1ms, 100ms>, anew::full_jitter, anew::token_bucket<500>,
                               anew::max_attempts<5>>;

int balance(sqlite3* connection) {
  int found = 0;
  auto const read = [](void* to, int, char** values, char**) { return *static_cast<int*>(to) = std::atoi(*values), 0; };
  sqlite3_exec(connection, "SELECT balance FROM account", read, &found, nullptr);
  return found;
}

int main() {
  std::remove("example_49.db");
  sqlite3* mine = nullptr;
  sqlite3* other = nullptr;
  sqlite3_open("example_49.db", &mine);
  sqlite3_open("example_49.db", &other);
  (void)anew::sqlite::execute(
      mine, "PRAGMA journal_mode = WAL; CREATE TABLE account(balance); INSERT INTO account VALUES(10)");
  patient const strategy{};
  int attempts = 0;

  auto const deposit = [&](anew::attempt& attempt) -> anew::sqlite::result {
    int const read = balance(mine);
    if (attempt.number() == 1) (void)anew::sqlite::execute(other, "UPDATE account SET balance = 20");  // meanwhile
    ++attempts;
    return anew::sqlite::execute(mine, ("UPDATE account SET balance = " + std::to_string(read + 5)).c_str());
  };
  anew::sqlite::result const done = anew::retry(strategy, anew::sqlite::in_transaction(mine, deposit, "BEGIN"));
  std::printf("%s after %d attempts, balance %d\n", done.has_value() ? "committed" : "failed", attempts, balance(mine));

  // [statement]
  auto const prune = [&]() -> anew::sqlite::result {
    return sqlite3_exec(mine, "DELETE FROM account WHERE balance < 0", nullptr, nullptr, nullptr);
  };
  anew::sqlite::result const pruned = anew::retry(strategy, prune);
  // [/statement]
  std::printf("%s\n", sqlite3_errstr(pruned.code()));
  sqlite3_close(mine);
  sqlite3_close(other);
  std::remove("example_49.db");
}
// [/all]
