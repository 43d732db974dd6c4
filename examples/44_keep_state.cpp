// SPDX-License-Identifier: BSL-1.0
// A program that restarts takes up where it left off: a spent budget stays spent. The service is down all the time.
#include <chrono>
#include <cstdio>
#include <string>

#include "anew/anew.hpp"
#include "anew/policies/quota/refilling_bucket.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/state/saved_state.hpp"

using namespace std::chrono_literals;

constexpr auto no_sleep = [](anew::duration) {};

using client = anew::strategy<anew::token_bucket<500>, anew::no_backoff, anew::max_attempts<3>, anew::retry_all>;

void report(char const* when, client const& strategy) {
  int requests = 0;
  for (int i = 0; i != 100; ++i) (void)anew::retry(strategy, [&requests] { return ++requests == 0; }, no_sleep);
  std::printf("%-30s 100 calls, %d retries\n", when, requests - 100);
}

std::string save(client const& strategy) {
  // [save]
  anew::saved_state const state = anew::snapshot(strategy, std::chrono::steady_clock::now());
  std::string const text = state.to_hex();  // or to_bytes()
  // [/save]
  return text;
}

int main() {
  client const before;
  report("the first program", before);
  std::string const text = save(before);

  report("restarted without its state", client{});

  // [restore]
  client const strategy;
  auto const state = anew::saved_state::from_hex(text);  // or from_bytes(bytes)
  auto const restored = anew::restore(strategy, state, std::chrono::steady_clock::now());
  if (!restored) std::printf("starts afresh: %s\n", restored.error().c_str());
  // [/restore]
  report("restarted with its state", strategy);

  // [refused]
  anew::with<client, anew::token_bucket<1000>> const larger;
  if (auto const done = anew::restore(larger, state, std::chrono::steady_clock::now()); !done) {
    std::printf("starts afresh: %s\n", done.error().c_str());
  }
  auto const damaged = anew::saved_state::from_hex(text.substr(0, text.size() - 2));
  std::printf("from a file that was cut off: %s\n", damaged.error().c_str());
  // [/refused]

  anew::refilling_bucket<10, 1s> const spent;
  for (int i = 0; i != 10; ++i) (void)spent.try_acquire({}, std::chrono::steady_clock::now());
  auto const saved = anew::snapshot(spent, std::chrono::steady_clock::now());
  auto const saved_at = std::chrono::system_clock::now() - 4s;  // 4 s ago, as the program stored it with the state
  // [away]
  anew::refilling_bucket<10, 1s> const bucket;
  auto const now = std::chrono::steady_clock::now();
  auto const away = std::chrono::system_clock::now() - saved_at;
  (void)anew::restore(bucket, saved, now, away);
  // [/away]
  std::printf("away for 4 s: %u tokens came back\n", bucket.balance(now));
}
