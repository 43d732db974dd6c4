// SPDX-License-Identifier: BSL-1.0
// A client that pays out of one account in a file of SQLite. In the call that it is told, if it makes it, it kills itself
// at a write into the file, or when the commit has returned. run_bank.py starts it again.
//
// usage: bank FILE FIRST END DIES_AT WRITE    makes the calls from FIRST to before END
#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>

#include "anew/sqlite.hpp"

#include "clerk.hpp"

static int writes_left = 0;  // until this process dies; below that it does not

// It stands before that of the C library.
extern "C" ssize_t pwrite64(int file, void const* bytes, std::size_t size, off64_t at) {
  if (--writes_left == 0) std::raise(SIGKILL);
  return ::syscall(SYS_pwrite64, file, bytes, size, at);
}

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  auto const number = [argv](int at) { return std::atoi(argv[at]); };
  sqlite3* c = nullptr;
  if (sqlite3_open(argv[1], &c) != SQLITE_OK) return 1;
  auto const run = [c](std::string const& sql) { return anew::sqlite::execute(c, sql.c_str()); };
  support::patient const strategy{};
  (void)anew::retry(strategy, [&] { return run("PRAGMA synchronous = off"); });  // a killed process loses no write
  for (int n = number(2); n != number(3); ++n) {
    bool const is_keyed = n % 2 == 0, dies = n == number(4);
    auto const id = std::to_string(n), table = std::string{is_keyed ? "keyed" : "once"};
    auto const body = [&] {
      if (dies) writes_left = number(5);
      auto const made = run("INSERT OR IGNORE INTO " + table + " VALUES(" + id + ")");
      if (!made.has_value() || sqlite3_changes(c) == 0) return made;
      auto const paid = run("UPDATE account SET money = money - 1 WHERE id = 0");
      return paid.has_value() ? run("UPDATE account SET money = money + 1 WHERE id = 1 + " + id + " % 3") : paid;
    };
    auto payment = anew::sqlite::in_transaction(c, body, n % 4 < 2 ? "BEGIN" : "BEGIN IMMEDIATE");
    auto const end = is_keyed ? anew::retry(strategy, anew::idempotent(payment)) : anew::retry(strategy, payment);
    if (dies) std::raise(SIGKILL);
    bool const may_have_run = end.is_retry_safe() == anew::retry_safety::maybe;
    support::tell(table + " " + id, end.has_value(), may_have_run, sqlite3_errstr(end.code()));
  }
  return sqlite3_close(c);
}
