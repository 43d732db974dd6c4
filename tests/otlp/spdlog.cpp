// SPDX-License-Identifier: BSL-1.0
// Lines of calls in spdlog, at the level of their severity.
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/policies/observer/timeline.hpp"

int main() {
  std::ostringstream out;
  auto const log = std::make_shared<spdlog::logger>("calls", std::make_shared<spdlog::sinks::ostream_sink_st>(out));
  log->set_level(spdlog::level::debug);
  log->set_pattern("%l");
  // [spdlog]
  auto const to_spdlog = [&](anew::severity how_loud, std::string_view line) {
    auto const level = how_loud == anew::severity::error  ? spdlog::level::err
                       : how_loud == anew::severity::info ? spdlog::level::info
                                                          : spdlog::level::debug;
    log->log(level, line);
  };
  auto const strategy = anew::compose(anew::retry_all{}, anew::no_backoff{}, anew::timeline{to_spdlog, "orders"});
  // [/spdlog]
  unsigned made = 0;
  static_cast<void>(anew::retry(strategy, [&] { return true; }));
  static_cast<void>(anew::retry(strategy, [&] { return ++made == 2; }));
  static_cast<void>(anew::retry(strategy, [&] { return false; }));
  std::string const levels = "debug\ndebug\ninfo\ninfo\ninfo\ninfo\ninfo\nerror\nerror\n";
  if (out.str() == levels) return 0;
  std::printf("%s", out.str().c_str());
  return 1;
}
