// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <iomanip>
#include <memory>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/text/json/json_lines.hpp"

#include "load.hpp"
#include "session.hpp"
#include "streams.hpp"
#include "support/misbehaving_server.hpp"

namespace anew_get {

namespace {

using std::chrono::steady_clock;

/// The counts so far.
struct counts {
  std::uint64_t sent = 0;
  std::uint64_t answered = 0;
  std::uint64_t throttled = 0;
  std::uint64_t gave_up = 0;

  friend counts operator-(counts a, counts b) {
    return {a.sent - b.sent, a.answered - b.answered, a.throttled - b.throttled, a.gave_up - b.gave_up};
  }
  [[nodiscard]] double throttled_percent() const {
    return sent == 0 ? 0 : 100.0 * static_cast<double>(throttled) / static_cast<double>(sent);
  }
};

/// Counts what all callers hear.
class tally final : public hearer {
 public:
  void sent() { ++sent_; }
  void judged(anew::attempt_event const& event) override {
    if (event.verdict.is_success()) ++answered_;
    if (event.verdict.is_retry() && event.verdict.what().kind == anew::error_kind::throttling) ++throttled_;
  }
  void waits(anew::retry_event const& /*event*/) override {}
  void ends(anew::end_event const& event) override {
    if (event.reason != anew::stop_reason::succeeded && event.reason != anew::stop_reason::cancelled) ++gave_up_;
  }
  [[nodiscard]] counts now() const { return {sent_, answered_, throttled_, gave_up_}; }

 private:
  std::atomic<std::uint64_t> sent_ = 0;
  std::atomic<std::uint64_t> answered_ = 0;
  std::atomic<std::uint64_t> throttled_ = 0;
  std::atomic<std::uint64_t> gave_up_ = 0;
};

/// One thread's calls, one after the other, until it is told to stop.
void call_until(std::stop_token const& stop, settings const& s, made_strategy const& made, fetcher& connections,
                tally& heard) {
  anew::strategy_view const strategy{*made.strategy};
  auto what = s.asked;
  what.url = s.urls.front();
  while (!stop.stop_requested()) {
    call_headers const call{what, made};
    body content{nullptr, {}};
    auto const once = [&](anew::attempt& attempt) {
      auto result = connections.perform(call.of(attempt), attempt, limit_of(s, made, attempt), s.idempotent, content);
      if (result.has_value() || result.error().sent) heard.sent();
      return result;
    };
    if (s.idempotent) {
      static_cast<void>(anew::retry_outcome(strategy, anew::idempotent(once), stop));
    } else {
      static_cast<void>(anew::retry_outcome(strategy, once, stop));
    }
  }
}

double per_second(std::uint64_t count, steady_clock::duration time) {
  return static_cast<double>(count) / std::chrono::duration<double>{time}.count();
}

/// Prints the rows, as a table or as JSON lines.
class report {
 public:
  report(std::ostream& out, paint colours, bool as_json, int decimals)
      : out_{&out}, paint_{colours}, json_{as_json}, decimals_{decimals} {}

  void head(std::string const& strategy, std::string const& url, std::uint32_t callers) {
    if (json_) {
      *out_ << anew::line_of({{"event", "load"}, {"strategy", strategy}, {"url", url}, {"callers", callers}}) << '\n';
      return;
    }
    *out_ << paint_.bold(strategy) << "\n"
          << url << ", " << callers << (callers == 1 ? " caller" : " callers") << "\n\n";
    row({"seconds", "requests/s", "answered/s", "throttled", "gave up/s", "paced at", "quota"}, true);
  }
  void window(double from, double to, steady_clock::duration time, counts const& in, double rate,
              quota_state const& quota) {
    if (json_) {
      *out_ << anew::line_of({{"event", "window"},
                              {"from_s", from},
                              {"to_s", to},
                              {"requests_per_s", per_second(in.sent, time)},
                              {"answered_per_s", per_second(in.answered, time)},
                              {"throttled_percent", in.throttled_percent()},
                              {"gave_up_per_s", per_second(in.gave_up, time)},
                              {"paced_at", rate}})
            << '\n'
            << std::flush;
      return;
    }
    row({number(from, decimals_) + "-" + number(to, decimals_), number(per_second(in.sent, time), 1),
         number(per_second(in.answered, time), 1), number(in.throttled_percent(), 1) + " %",
         number(per_second(in.gave_up, time), 1), rate > 0 ? number(rate, 1) : "-",
         quota.is_limited ? std::to_string(quota.balance) : "-"},
        false);
  }
  void second_half(steady_clock::duration time, counts const& in) {
    if (json_) {
      *out_ << anew::line_of({{"event", "second_half"},
                              {"requests_per_s", per_second(in.sent, time)},
                              {"answered_per_s", per_second(in.answered, time)},
                              {"throttled_percent", in.throttled_percent()}})
            << '\n';
      return;
    }
    *out_ << "\nsecond half: "
          << paint_.bold(number(per_second(in.sent, time), 1) + " requests/s, " + number(in.throttled_percent(), 1) +
                         " % throttled")
          << ", " << number(per_second(in.answered, time), 1) << " answered/s\n";
  }

 private:
  static std::string number(double value, int decimals) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << value;
    return text.str();
  }
  void row(std::array<std::string, 7> const& cells, bool is_head) {
    std::string line;
    for (auto const& cell : cells) line += right_aligned(cell, 12);
    *out_ << (is_head ? paint_.dim(line) : line) << '\n' << std::flush;
  }

  std::ostream* out_;
  paint paint_;
  bool json_;
  int decimals_;  // of the seconds
};

}  // namespace

bool run_load(settings const& asked, std::ostream& out, paint colours, std::stop_token const& stop) {
  constexpr int windows = 6;
  constexpr auto a_look_at_the_reader = std::chrono::milliseconds{100};
  std::unique_ptr<demo::misbehaving_server> server;
  auto s = asked;
  if (s.limited) {
    server = std::make_unique<demo::misbehaving_server>();
    server->limit("/", *s.limited, demo::step::status(429), 4);
    s.urls = {server->url()};
    s.asked.through_proxy = false;
  }
  tally heard;
  auto const made = make_strategy(s.strategy, heard, s.quota);
  std::vector<std::unique_ptr<fetcher>> connections;
  for (std::uint32_t i = 0; i != s.callers; ++i) connections.push_back(std::make_unique<fetcher>());

  bool const is_whole = *s.load_for % std::chrono::seconds{windows} == anew::duration::zero();
  report table{out, colours, s.json, is_whole ? 0 : 1};
  table.head(made.strategy->describe(), shown_url(s.urls.front()), s.callers);

  std::stop_source time_is_over;
  std::stop_callback const interrupted{stop, [&] { time_is_over.request_stop(); }};
  std::vector<std::jthread> callers;
  auto const begin = steady_clock::now();
  callers.reserve(connections.size());
  for (auto const& one : connections) {
    callers.emplace_back([&, token = time_is_over.get_token()] { call_until(token, s, made, *one, heard); });
  }

  std::mutex mutex;
  std::condition_variable_any sleeping;
  counts before;
  counts at_half;
  auto from = begin;
  auto half = begin;
  auto const goes_on = [&] {
    if (is_reader_gone(STDOUT_FILENO)) out.setstate(std::ios::badbit);
    return !stop.stop_requested() && out;
  };
  for (int i = 1; i <= windows && goes_on(); ++i) {
    auto const length = anew::duration{s.load_for->count() / windows * i + s.load_for->count() % windows * i / windows};
    auto const end = begin + std::min(length, anew::duration{steady_clock::time_point::max() - begin});
    std::unique_lock lock{mutex};
    for (auto now = begin; now < end && goes_on(); now = steady_clock::now()) {
      sleeping.wait_until(lock, stop, now + std::min<anew::duration>(end - now, a_look_at_the_reader),
                          [] { return false; });
    }
    auto const to = steady_clock::now();
    auto const now = heard.now();
    table.window(std::chrono::duration<double>{from - begin}.count(), std::chrono::duration<double>{to - begin}.count(),
                 to - from, now - before, made.rate(), made.quota());
    before = now;
    from = to;
    if (i == windows / 2) {
      at_half = now;
      half = to;
    }
  }
  time_is_over.request_stop();
  callers.clear();
  if (half != begin && from != half) table.second_half(from - half, before - at_half);
  return before.answered != 0;
}

}  // namespace anew_get
