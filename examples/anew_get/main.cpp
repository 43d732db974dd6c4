// SPDX-License-Identifier: BSL-1.0
// anew-get: fetches URLs with a retry strategy that is composed from the command line, and shows what the strategy does.

#include <unistd.h>

#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <stop_token>
#include <string>
#include <system_error>
#include <variant>
#include <vector>

#include "demo.hpp"
#include "exit_code.hpp"
#include "interruptible.hpp"
#include "json_lines.hpp"
#include "load.hpp"
#include "options.hpp"
#include "output.hpp"
#include "session.hpp"
#include "shared_quota.hpp"
#include "signals.hpp"
#include "streams.hpp"
#include "text.hpp"
#include "timeline.hpp"

namespace anew_get {

namespace {

std::string shown_name(std::string const& file) { return printable(without_user(file)); }

std::unique_ptr<listener> listener_for(settings const& s, std::stop_source const& unheard) {
  if (s.json) return std::make_unique<json_lines>(s, std::cout, unheard);
  if (s.quiet) return std::make_unique<failures_only>(s, std::cerr);
  return std::make_unique<timeline>(s, std::cerr, paint_for(STDERR_FILENO));
}

int fetch_all(settings const& s, output& bodies, signal_watch const& signals) {
  std::stop_source over;
  std::stop_callback const interrupted{signals.token(), [&] { over.request_stop(); }};
  auto const who = listener_for(s, over);
  session run{s, *who, over.get_token()};
  int code = exit_code::fetched;
  std::size_t good = 0;
  for (auto const& url : s.urls) {
    if (signals.caught() != 0 || !std::cout) break;
    auto const [result, report] = run.fetch(url);
    if (result.has_value()) {
      bodies.write(result.value().body);
      ++good;
    } else if (code == exit_code::fetched) {
      code = exit_code_of(report);
    }
  }
  bool const is_whole = good == s.urls.size();
  if (is_whole) bodies.finish();
  if (s.urls.size() > 1 && !s.quiet && !s.json) {
    std::cerr << '\n' << good << " of " << s.urls.size() << " URLs fetched";
    if (!is_whole && !s.output.empty() && s.output != "-")
      std::cerr << ": '" << shown_name(s.output) << "' stays as it was";
    std::cerr << '\n';
  }
  return signals.caught() == 0 ? code : exit_code::signalled + signals.caught();
}

int run(settings const& s) {
  if (s.describe) {
    std::cout << make_strategy(s.strategy, s.quota).strategy->describe() << '\n';
    return exit_code::fetched;
  }
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
  std::unique_ptr<output> bodies;
  try {
    bodies = std::make_unique<output>(
        s.output, s.json ? output::when_unnamed::nowhere : output::when_unnamed::standard_output, writing);
  } catch (std::system_error const& e) {
    std::cerr << "anew-get: --output '" << shown_name(s.output) << "': " << e.code().message() << '\n';
    return exit_code::bad_usage;
  }
  int code = exit_code::final_error;
  try {
    code = fetch_all(s, *bodies, signals);
  } catch (std::system_error const& e) {
    if (signals.caught() != 0) return exit_code::signalled + signals.caught();
    std::cerr << "anew-get: cannot write "
              << (s.output.empty() ? "to standard output" : "'" + shown_name(s.output) + "'") << ": "
              << e.code().message() << '\n';
  }
  if (s.json) json_lines::exit(std::cout, code);
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
  } catch (std::exception const& e) {
    std::cerr << "anew-get: " << anew_get::printable(e.what()) << '\n';
  }
  return anew_get::checked(code, "anew-get");
}
