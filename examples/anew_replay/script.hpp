// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_SCRIPT_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_SCRIPT_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "anew/anew.hpp"

#include "parts.hpp"
#include "read.hpp"
#include "report.hpp"

namespace replay {

/// The decision after a response, in the words of the files.
struct event {
  std::string outcome;
  double delay_ms = 0;  ///< the wait before the next attempt, or before the error is returned
  std::optional<std::uint32_t> quota;
};

struct step {
  std::string call;
  std::optional<anew::failure> failed;  ///< nothing: the response is a success
  event expected;
};

[[nodiscard]] std::vector<step> steps_of(json const& one);

/// The difference between a step and what happened there.
[[nodiscard]] std::optional<difference> compare(step const& wanted, event const& got, std::size_t index);

/// The word that files have for the end of a call.
[[nodiscard]] std::string word_of(anew::stop_reason reason);

/// True where each call ends before the next one begins: only then can `retry()` play the script in one thread.
[[nodiscard]] bool is_one_call_after_the_other(std::vector<step> const& steps);

/// Plays the script by the three functions of a strategy. Calls may take turns, each has its own token.
template <class Strategy, class Quota>
std::vector<event> play_by_functions(Strategy const& strategy, Quota const& quota, std::vector<step> const& steps) {
  std::vector<event> events;
  std::map<std::string, typename Strategy::token_type> tokens;
  for (auto const& now : steps) {
    if (!tokens.contains(now.call)) tokens.emplace(now.call, strategy.acquire_initial_token());
    auto const here = tokens.find(now.call);
    if (!now.failed) {
      strategy.record_success(std::move(here->second));
      tokens.erase(here);
      events.push_back({word_of(anew::stop_reason::succeeded), 0, quota.balance()});
      continue;
    }
    auto next = strategy.refresh_retry_token(std::move(here->second), *now.failed);
    if (next) {
      here->second = *std::move(next);
      events.push_back({"retry", to_ms(here->second.delay()), quota.balance()});
    } else {
      tokens.erase(here);
      events.push_back({word_of(next.reason()), to_ms(next.wait_before_end()), quota.balance()});
    }
  }
  return events;
}

/// The result of a scripted operation.
struct response {
  std::optional<anew::failure> failed;
};

struct response_classifier {
  using role = anew::roles::classifier;
  [[nodiscard]] static anew::directive classify_result(response const& r) {
    return r.failed ? anew::directive::retry(*r.failed) : anew::directive::succeed();
  }
};

/// Plays the script by `anew::retry_outcome`, one call after the other.
template <class Strategy, class Quota>
std::vector<event> play_by_retry(Strategy const& strategy, Quota const& quota, std::vector<step> const& steps) {
  std::vector<event> events;
  auto next = steps.begin();
  while (next != steps.end()) {
    std::string const call = next->call;
    std::optional<event> slept;
    bool is_cut_off = false;
    auto const outcome = anew::retry_outcome(
        strategy, anew::idempotent([&] {
          if (slept) events.push_back(*std::exchange(slept, std::nullopt));
          if (next == steps.end() || next->call != call) {  // the script does not say how this call goes on
            is_cut_off = true;
            return response{};
          }
          return response{(next++)->failed};
        }),
        [&](anew::duration delay) { slept = event{"retry", to_ms(delay), quota.balance()}; });
    if (is_cut_off) break;
    events.push_back({word_of(outcome.reason()), slept ? slept->delay_ms : 0, quota.balance()});
  }
  return events;
}

}  // namespace replay

#endif
