// SPDX-License-Identifier: BSL-1.0
// anew-get: fetches URLs with a retry strategy that is composed from the command line, and shows what the strategy does.

#include <unistd.h>

#include <exception>
#include <iostream>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "demo.hpp"
#include "downloads.hpp"
#include "exit_code.hpp"
#include "interruptible.hpp"
#include "json_lines.hpp"
#include "load.hpp"
#include "made_strategy.hpp"
#include "option_values.hpp"
#include "options.hpp"
#include "password.hpp"
#include "shared_quota.hpp"
#include "signals.hpp"
#include "streams.hpp"
#include "support/explain_strategy.hpp"
#include "text.hpp"

namespace anew_get {

namespace {

/// A password is asked for before anything else is written to the terminal.
void ask_for_password(transport& over) {
  if (over.user.empty() || over.netrc) return;
  over.password = asked_password("Password of " + printable(over.user) + ": ");
  if (!over.password) refuse("--user", over.user, "there is no terminal that says the password; use --netrc");
}

int run(settings s) {
  if (s.describe) {
    std::cout << make_strategy(s.strategy, s.quota).strategy->describe() << '\n';
    return exit_code::fetched;
  }
  if (s.explain) {
    std::cout << explain(s.strategy, {s.per_attempt, s.shared_quota_text});
    return exit_code::fetched;
  }
  ask_for_password(s.asked.over);
  raise_descriptor_limit();
  signal_watch const signals;
  interruptible const writing{signals.wake()};
  interruptible_stream const out{std::cout, STDOUT_FILENO, writing};
  interruptible_stream const errors{std::cerr, STDERR_FILENO, writing};
  if (s.demo) {
    bool const good = run_demo(*s.demo, s.json, std::cout, paint_for(STDOUT_FILENO), signals.token());
    if (signals.caught() != 0) return exit_code::signalled + signals.caught();
    return good ? exit_code::fetched : exit_code::final_error;
  }
  if (s.load_for) {
    bool const good = run_load(s, std::cout, paint_for(STDOUT_FILENO), signals.token());
    if (signals.caught() != 0) return exit_code::signalled + signals.caught();
    return good ? exit_code::fetched : exit_code::final_error;
  }
  int const code = fetch_all(s, writing, signals);
  if (s.json && code != exit_code::bad_usage) json_lines::exit(std::cout, code);
  return code;
}

}  // namespace

}  // namespace anew_get

int main(int argc, char** argv) {
  anew_get::open_standard_streams();
  int code = anew_get::exit_code::final_error;
  try {
    auto const parsed = anew_get::parse_options({argv + 1, argv + argc}, std::cout, std::cerr);
    auto const* const done = std::get_if<int>(&parsed);
    code = done != nullptr ? *done : anew_get::run(std::get<anew_get::settings>(parsed));
  } catch (anew_get::usage_error const& e) {
    std::cerr << "anew-get: " << anew_get::printable(e.what()) << '\n';
    code = anew_get::exit_code::bad_usage;
  } catch (std::exception const& e) {
    std::cerr << "anew-get: " << anew_get::printable(e.what()) << '\n';
  }
  return anew_get::checked(code, "anew-get");
}
