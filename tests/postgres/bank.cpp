// SPDX-License-Identifier: BSL-1.0
// Clients that transfer money over a PostgreSQL that is killed and restarted, and the books at the end. run_bank.py
// has the server. A line "50" is 50 calls that have ended.
//
// usage: bank CONNECTION CLIENTS CALLS
#include <libpq-fe.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/postgres.hpp"

namespace {

using namespace std::chrono_literals;

// A server that starts again takes some seconds; the deadline only ends a test that hangs.
using patient =
    anew::strategy<anew::exponential_backoff<5ms, 200ms>, anew::full_jitter, anew::unbounded, anew::deadline<120s>>;

struct finishes {
  void operator()(PGconn* c) const { PQfinish(c); }
};
using connection = std::unique_ptr<PGconn, finishes>;

std::string number(connection const& c, char const* sql) {
  auto const answer = anew::postgres::execute(c.get(), sql);
  if (!answer.has_value()) std::printf("%s: %s\n", sql, answer.message().c_str());
  return answer.has_value() ? PQgetvalue(answer.get(), 0, 0) : "?";
}

struct book {
  std::atomic<unsigned> ended = 0;
  std::atomic<unsigned> retries = 0;
  std::atomic<unsigned> unknown = 0;
  std::atomic<unsigned> lost = 0;
};

// Half of the calls say that they are idempotent, because their number is a key; the others must not run twice.
void client(char const* where, unsigned self, unsigned calls, book& books) {
  connection const c{PQconnectdb(where)};
  for (unsigned n = 0; n != calls; ++n) {
    bool const has_key = n % 2 == 0;
    auto const id = std::to_string(self * calls + n);
    auto const from = std::to_string((self + n) % 4), to = std::to_string((self + 3 * n + 1) % 4);
    auto const record = has_key ? "INSERT INTO keyed VALUES (" + id + ") ON CONFLICT DO NOTHING RETURNING id"
                                : "INSERT INTO done VALUES (" + id + ") RETURNING id";
    // [transaction]
    auto transaction = anew::postgres::in_transaction(c.get(), [&] {
      auto recorded = anew::postgres::execute(c.get(), record.c_str());
      if (!recorded.has_value() || PQntuples(recorded.get()) == 0) return recorded;
      auto const taken = "UPDATE account SET money = money - 1 WHERE id = " + from;
      auto moved = anew::postgres::execute(c.get(), taken.c_str());
      if (!moved.has_value()) return moved;
      return anew::postgres::execute(c.get(), ("UPDATE account SET money = money + 1 WHERE id = " + to).c_str());
    });
    // [/transaction]
    auto const end = has_key ? anew::retry_outcome(patient{}, anew::idempotent(transaction))
                             : anew::retry_outcome(patient{}, transaction);
    books.retries += end.attempts() - 1;
    if (!end.result().has_value()) {
      bool const may_have_run = !has_key && end.reason() == anew::stop_reason::not_idempotent;
      ++(may_have_run ? books.unknown : books.lost);
      if (!may_have_run) {
        std::printf("lost %s: %s %s: %s\n", id.c_str(), to_string(end.reason()), end.result().state().c_str(),
                    end.result().message().c_str());
      }
    }
    if (auto const ended = ++books.ended; ended % 50 == 0) {
      std::printf("%u\n", ended);
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  auto const clients = static_cast<unsigned>(std::atoi(argv[2])), calls = static_cast<unsigned>(std::atoi(argv[3]));
  connection const c{PQconnectdb(argv[1])};
  auto const made = anew::postgres::execute(
      c.get(),
      "CREATE TABLE account (id int PRIMARY KEY, money int); CREATE TABLE done (id int); "
      "CREATE TABLE keyed (id int PRIMARY KEY); INSERT INTO account SELECT n, 1000 FROM generate_series(0, 3) n");
  if (!made.has_value()) return std::printf("%s\n", made.message().c_str()), 1;
  book books;
  {
    std::vector<std::jthread> threads;
    for (unsigned self = 0; self != clients; ++self) {
      threads.emplace_back([&, self] { client(argv[1], self, calls, books); });
    }
  }
  PQreset(c.get());
  auto const count = [&](char const* sql) { return std::strtoul(number(c, sql).c_str(), nullptr, 10); };
  unsigned long const each = clients * (calls / 2), keyed = count("SELECT count(*) FROM keyed"),
                      once = count("SELECT count(*) FROM done"),
                      twice = count("SELECT count(*) - count(DISTINCT id) FROM done"),
                      money = count("SELECT sum(money) FROM account");
  std::printf("calls %u, retries %u, unknown %u, lost %u, keyed %lu, done %lu, twice %lu, money %lu\n",
              books.ended.load(), books.retries.load(), books.unknown.load(), books.lost.load(), keyed, once, twice,
              money);
  bool const is_right =
      books.lost == 0 && keyed == each && twice == 0 && once <= each && once + books.unknown >= each && money == 4000;
  return is_right ? 0 : 1;
}
