// SPDX-License-Identifier: BSL-1.0
// Calls of every ending as spans: to the standard output, or to a collector at an address, which may be away for a while.
// check_spans.py reads them.
//
// usage: spans [URL]
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <curl/curl.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"
#include "anew/hedge.hpp"
#include "anew/otlp.hpp"
#include "anew/policies.hpp"
#include "anew/testing/manual_clock.hpp"

namespace {

using namespace std::chrono_literals;

// [keep]
class kept_lines {  // a sink does not wait: it keeps at most so many lines for the thread that sends them
 public:
  void operator()(std::string_view line) const {
    std::scoped_lock const lock{all_->mutex};
    if (all_->lines.size() < 100'000) all_->lines.emplace_back(line);
  }
  // [/keep]
  [[nodiscard]] std::vector<std::string> const& lines() const { return all_->lines; }

 private:
  struct shared {
    std::mutex mutex{};
    std::vector<std::string> lines{};
  };
  std::shared_ptr<shared> all_ = std::make_shared<shared>();
};

using clock = anew::testing::manual_clock;
std::error_code code(std::errc condition) { return std::make_error_code(condition); }

/// Fails as often as it says, each time after 3 ms.
auto failing(clock const& time, unsigned times, std::errc by = std::errc::connection_refused) {
  return [&time, times, by, made = 0U]() mutable {
    time.advance(3ms);
    return made++ < times ? code(by) : std::error_code{};
  };
}

void make_calls(kept_lines const& keep) {
  clock const time;
  anew::testing::advancing_sleeper sleep{time};
  std::string const trace(32, 'a'), span(16, 'b');
  auto const all_of = [&](auto limit) {
    return anew::compose(anew::error_code_classifier{}, anew::constant_backoff{2ms}, anew::no_jitter{}, limit,
                         anew::otlp_spans{keep, "orders"}, time);
  };
  auto const strategy = all_of(anew::max_attempts<3>{});
  static_cast<void>(anew::retry(strategy, anew::named(failing(time, 0), "at once"), sleep));
  static_cast<void>(anew::retry(strategy, anew::named(failing(time, 2), "third"), sleep));
  static_cast<void>(anew::retry(strategy, anew::named(failing(time, 9), "gives up \"it\""), sleep));
  static_cast<void>(anew::retry(strategy, anew::named(failing(time, 9, std::errc::permission_denied), "final"), sleep));
  static_cast<void>(anew::retry(all_of(anew::unbounded{}), anew::named(failing(time, 500), "long"), sleep));
  // [parent]
  anew::otlp_spans const spans{keep, "orders", [&] {
                                 return anew::otlp_parent{trace, span};  // of your tracer's current span
                               }};
  // [/parent]
  auto const within = anew::compose(anew::error_code_classifier{}, anew::max_attempts<3>{}, spans, time);
  static_cast<void>(anew::retry(within, anew::named(failing(time, 0), "within"), sleep));

  auto const refusing = anew::compose(anew::error_code_classifier{}, anew::circuit_breaker<5, 30s>{},
                                      anew::otlp_spans{keep, "orders"}, time);
  refusing.gate().isolate();
  static_cast<void>(anew::retry_outcome(refusing, anew::named(failing(time, 0), "never"), sleep));

  anew::hedge_after<5ms> const hedging;
  anew::hedge_machine call{strategy, hedging, anew::idempotent_call};
  static_cast<void>(call.begin());
  time.advance(5ms);
  static_cast<void>(call.on_time());
  time.advance(1ms);
  static_cast<void>(call.on_outcome(2, std::error_code{}));
  std::vector<std::jthread> threads;
  for (int n = 0; n != 8; ++n) {
    threads.emplace_back([&] {
      clock const own;
      auto const mine = anew::compose(anew::error_code_classifier{}, anew::constant_backoff{2ms}, anew::no_jitter{},
                                      anew::max_attempts<3>{}, anew::otlp_spans{keep, "orders"}, own);
      for (int i = 0; i != 20; ++i) {
        static_cast<void>(
            anew::retry(mine, anew::named(failing(own, 1), "parallel"), anew::testing::advancing_sleeper{own}));
      }
    });
  }
}

// Returns how many were not taken.
unsigned send(std::vector<std::string> const& lines, char const* url) {
  unsigned lost = 0;
  // [send]
  using to_collector =
      anew::strategy<anew::curl::classifier<>, anew::exponential_backoff<5ms, 200ms>, anew::full_jitter,
                     anew::unbounded, anew::deadline<30s>, anew::attempt_timeout<5s>>;
  to_collector const strategy{};
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> const easy{curl_easy_init(), &curl_easy_cleanup};
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> const fields{
      curl_slist_append(nullptr, "Content-Type: application/json"), &curl_slist_free_all};
  curl_easy_setopt(easy.get(), CURLOPT_URL, url);  // http://localhost:4318/v1/traces
  curl_easy_setopt(easy.get(), CURLOPT_HTTPHEADER, fields.get());
  for (auto const& line : lines) {
    curl_easy_setopt(easy.get(), CURLOPT_POSTFIELDS, line.c_str());
    auto const post = [&](anew::attempt& attempt) {
      return anew::curl::perform(easy.get(), attempt, anew::curl::own_body, anew::idempotent_call);
    };
    if (!anew::retry(strategy, anew::idempotent(post)).has_value()) ++lost;
  }
  // [/send]
  return lost;
}

}  // namespace

int main(int argc, char** argv) {
  kept_lines const keep;
  make_calls(keep);
  if (argc == 2) return send(keep.lines(), argv[1]) == 0 ? 0 : 1;
  for (auto const& line : keep.lines()) std::printf("%s\n", line.c_str());
}
