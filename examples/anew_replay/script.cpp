// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "report.hpp"
#include "responses.hpp"
#include "script.hpp"

namespace replay {

namespace {

constexpr std::array<std::string_view, 5> outcomes{"retry", "success", "fail", "max_attempts", "quota"};

std::string in_words(event const& e) {
  std::string words{e.outcome};
  if (e.quota) words.append(", quota ").append(std::to_string(*e.quota));
  return words.append(", delay ").append(shown(e.delay_ms)).append(" ms");
}

step step_of(json const& one) {
  refuse_others(one, {"call", "status", "code", "kind", "headers", "outcome", "quota", "delay_ms"}, "a step");
  step result;
  if (auto const* const call = find(one, "call"); call != nullptr) result.call = call->dump();
  result.failed = failure_of(one);
  result.expected.outcome = text(one, "outcome");
  if (std::ranges::find(outcomes, result.expected.outcome) == outcomes.end()) {
    throw malformed{"'outcome' must be a known outcome, but is " + result.expected.outcome};
  }
  if (find(one, "delay_ms") != nullptr) result.expected.delay_ms = number(one, "delay_ms");
  if (find(one, "quota") != nullptr) result.expected.quota = count(one, "quota");
  return result;
}

}  // namespace

std::vector<step> steps_of(json const& one) {
  auto const& list = need(one, "steps");
  if (!list.is_array() || list.empty()) throw malformed{"'steps' is no list of steps"};
  std::vector<step> steps;
  for (auto const& each : list) steps.push_back(step_of(each));
  return steps;
}

std::optional<difference> compare(step const& wanted, event const& got, std::size_t index) {
  auto const& expected = wanted.expected;
  bool const is_same = expected.outcome == got.outcome && (!expected.quota || expected.quota == got.quota) &&
                       is_same_delay(got.delay_ms, expected.delay_ms);
  if (is_same) return std::nullopt;
  auto where = std::string{" at step "}.append(std::to_string(index + 1));
  if (!wanted.call.empty()) where.append(" (call ").append(wanted.call).append(")");
  return difference{in_words(expected).append(where), in_words(got)};
}

std::string word_of(anew::stop_reason reason) {
  switch (reason) {
    case anew::stop_reason::succeeded: return "success";
    case anew::stop_reason::not_retryable:
    case anew::stop_reason::unclassified: return "fail";
    case anew::stop_reason::attempts: return "max_attempts";
    default: return to_string(reason);
  }
}

bool is_one_call_after_the_other(std::vector<step> const& steps) {
  for (std::size_t i = 1; i < steps.size(); ++i) {
    if (steps[i - 1].expected.outcome == "retry" && steps[i].call != steps[i - 1].call) return false;
  }
  return true;
}

}  // namespace replay
