// SPDX-License-Identifier: BSL-1.0
// Clients that transfer money over a PostgreSQL that is killed and restarted. run_bank.py has the server and the books.
//
// usage: bank CONNECTION CLIENTS CALLS
#include <libpq-fe.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "anew/postgres.hpp"

#include "clerk.hpp"

namespace {

struct finishes {
  void operator()(PGconn* c) const { PQfinish(c); }
};
using connection = std::unique_ptr<PGconn, finishes>;

// Half of the calls say that they are idempotent, because their number is a key; the others must not run twice.
void client(char const* where, unsigned self, unsigned calls) {
  support::patient const strategy{};
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
    auto const end = has_key ? anew::retry_outcome(strategy, anew::idempotent(transaction))
                             : anew::retry_outcome(strategy, transaction);
    auto const& last = end.result();
    support::tell((has_key ? "keyed " : "once ") + id, last.has_value(),
                  end.reason() == anew::stop_reason::not_idempotent, last.state() + " " + last.message());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  auto const clients = static_cast<unsigned>(std::atoi(argv[2])), calls = static_cast<unsigned>(std::atoi(argv[3]));
  std::vector<std::jthread> threads;
  for (unsigned self = 0; self != clients; ++self) threads.emplace_back(client, argv[1], self, calls);
}
