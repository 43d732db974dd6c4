// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "anew/bounds/bounds_of.hpp"
#include "anew/ports/aws/make_strategy.hpp"
#include "anew/ports/aws/resolve.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/envoy.hpp"
#include "anew/presets/grpc.hpp"
#include "anew/presets/http.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/text/word.hpp"

#include "by_text.hpp"
#include "clients.hpp"
#include "support/promises.hpp"

namespace anew_plan {

namespace {

strategy_type read(std::string const& text) {
  auto reading = read_client(text);
  if (!reading) throw std::invalid_argument{anew::in_lines(reading.error(), text)};
  return *std::move(reading);
}

/// How full the quota is, from 0 to 1; below 0 where it does not say.
double level_of(strategy_type const& strategy) {
  return strategy.quota().visit([]<class Quota>(Quota const& quota) {
    if constexpr (requires { quota.balance() / quota.capacity(); }) {
      return static_cast<double>(quota.balance()) / static_cast<double>(quota.capacity());
    } else {
      return -1.0;
    }
  });
}

/// The words of a text: what stands between blanks outside of parentheses.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    char const c = i < text.size() ? text[i] : ' ';
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ' ' || depth > 0) continue;
    if (i != begin) words.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return words;
}

template <class... Words>
bool names_one_of(anew::vocabulary<Words...> /*words*/, std::string_view word) {
  auto const name = word.substr(0, word.find('('));
  return ((Words::name == name) || ...);
}

/// The words of the text but for those of the role's, then `instead`. A text names a policy: where none is left, it names
/// the quota that a strategy has without one.
template <class Role>
std::string replaced(std::string_view text, Role role, std::string_view instead) {
  std::string result;
  for (auto const word : words_of(text)) {
    if (!names_one_of(role, word)) result.append(word).append(" ");
  }
  result.append(instead);
  if (result.empty()) return "unlimited_quota";
  if (instead.empty()) result.pop_back();
  return result;
}

template <class Strategy>
std::string planned_text(Strategy const& strategy) {
  std::string text;
  auto const described = anew::describe(strategy);
  for (auto const word : words_of(described)) {
    if (names_one_of(vocabulary{}, word)) text.append(text.empty() ? "" : " ").append(word);
  }
  return text;
}
template <class Preset>
std::string planned() {
  return planned_text(Preset{});
}
std::string configured() {
  return anew::aws_settings::visit_strategy(anew::aws_settings::resolve(),
                                            [](auto const& strategy) { return planned_text(strategy); });
}

struct entry {
  std::string_view name;
  std::string (*text)();
};
constexpr std::array presets{
    entry{"aws-standard", &planned<anew::aws::standard>},
    entry{"aws-standard-2020", &planned<anew::aws::standard_2020>},
    entry{"aws-adaptive", &planned<anew::aws::adaptive>},
    entry{"aws-legacy", &planned<anew::aws::legacy>},
    entry{"aws-dynamodb", &planned<anew::aws::dynamodb>},
    entry{"grpc", &planned<anew::grpc::retry_policy<>>},
    entry{"envoy", &planned<anew::envoy::retry_policy>},
    entry{"http", &planned<anew::http::standard>},
    entry{"from-config", &configured},
};

using machine_type = anew::retry_machine<strategy_type, anew::declared::idempotent>;

/// Makes the call to its end; each attempt takes the time-out.
lone_call call_of(strategy_type const& strategy, anew::duration timeout) {
  lone_call result;
  machine_type machine{strategy, anew::idempotent_call};
  auto step = machine.begin();
  while (step != anew::next_step::finished && result.attempts != most_attempts_alone) {
    if (step == anew::next_step::attempt) {
      ++result.attempts;
      virtual_clock::ticks += timeout.count();
      step = machine.on_verdict(anew::directive::retry(anew::error_kind::timeout));
    } else {
      auto const wait = machine.wait();
      if (result.attempts == 1) result.first_wait += wait;
      result.waited += wait;
      virtual_clock::ticks += wait.count();
      step = machine.on_wait_over();
    }
  }
  if (step == anew::next_step::finished) result.reason = machine.reason();
  return result;
}

strategy_type read_at_the_beginning(std::string const& text) {
  virtual_clock::ticks = 0;  // gates and budgets begin now
  virtual_random::numbers = anew::generator{1, 3};
  return read(text);
}

/// The first argument of a word that is a duration: "deadline(2s,clamp)".
std::optional<anew::duration> duration_in(std::string_view word) {
  auto const begin = word.find('(');
  if (begin == std::string_view::npos) return std::nullopt;
  for (auto rest = word.substr(begin + 1, word.size() - begin - 2);;) {
    auto const comma = rest.find(',');
    if (auto const read = anew::word::read_duration(rest.substr(0, comma))) return read;
    if (comma == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(comma + 1);
  }
}

/// "concurrency_budget(20%,3)".
std::optional<facts::budget_at_a_time> at_a_time_in(std::string_view word) {
  auto const begin = word.find('(') + 1;
  auto const percent = word.find('%', begin);
  auto const comma = word.find(',', begin);
  if (percent == std::string_view::npos || comma == std::string_view::npos) return std::nullopt;
  auto const number = [word](std::size_t from, std::size_t until) {
    int read = 0;
    std::from_chars(word.data() + from, word.data() + until, read);
    return static_cast<double>(read);
  };
  return facts::budget_at_a_time{number(begin, percent) / 100, number(comma + 1, word.size() - 1)};
}

}  // namespace

std::string text_of(std::string_view name_or_text) {
  for (auto const& preset : presets) {
    if (preset.name == name_or_text) return preset.text();
  }
  return std::string{name_or_text};
}

std::string preset_names() {
  std::string names;
  for (auto const& preset : presets) names.append(names.empty() ? "" : ", ").append(preset.name);
  return names;
}

void check_text(std::string const& text) { static_cast<void>(read(text)); }
void check_hedging(std::string const& text) {
  auto const reading = read_hedging(text);
  if (!reading) throw std::invalid_argument{anew::in_lines(reading.error(), text)};
}

observed simulate(std::string const& text, scenario const& s, bool with_levels) {
  with_levels = with_levels && level_of(read(text)) >= 0;
  return fleet_simulation::simulate(text, s, nullptr, with_levels ? &level_of : nullptr);
}

lone_call call_alone(std::string const& text, anew::duration timeout, unsigned calls_before) {
  auto const strategy = read_at_the_beginning(text);
  for (unsigned i = 0; i != calls_before; ++i) {
    machine_type machine{strategy, anew::idempotent_call};
    if (machine.begin() != anew::next_step::attempt) break;  // a pacer asks to wait
    static_cast<void>(machine.on_verdict(anew::directive::succeed()));
  }
  return call_of(strategy, timeout);
}

std::vector<anew::duration> waits_alone(std::string const& text, anew::duration timeout, std::size_t calls) {
  auto const strategy = read_at_the_beginning(text);
  std::vector<anew::duration> waits(calls);
  for (auto& one : waits) one = call_of(strategy, timeout).waited;
  std::sort(waits.begin(), waits.end());
  return waits;
}

std::string promises_of(std::string const& text) { return promises_in_words(anew::bounds(read(text))); }

facts facts_of(std::string_view text) {
  facts result;
  for (auto const word : words_of(text)) {
    if (names_one_of(anew::quota_words{}, word)) result.quota = word != "unlimited_quota";
    if (word.starts_with("concurrency_budget(")) result.at_a_time = at_a_time_in(word);
    if (names_one_of(anew::gate_words{}, word) || names_one_of(anew::pacer_words{}, word)) result.gate = true;
    if (word == "no_jitter") result.no_jitter = true;
    if (word.starts_with("deadline(")) result.deadline = duration_in(word);
    if (names_one_of(anew::hint_words{}, word)) {
      result.ignored_hints = word.find("ignore") != std::string_view::npos;
      result.longest_hint = duration_in(word);
    }
  }
  return result;
}

std::string with_backoff(std::string_view text, std::string_view backoff) {
  return replaced(text, anew::backoff_words{}, backoff);
}
std::string with_jitter(std::string_view text, std::string_view jitter) {
  return replaced(text, anew::jitter_words{}, jitter);
}
std::string with_quota(std::string_view text, std::string_view quota) {
  return replaced(text, anew::quota_words{}, quota);
}
std::string with_limit(std::string_view text, std::string_view limit) {
  return replaced(text, anew::limit_words{}, limit);
}
std::string without_deadline(std::string_view text) { return replaced(text, anew::deadline_words{}, ""); }
std::string without_gate(std::string_view text) {
  return replaced(replaced(text, anew::gate_words{}, ""), anew::pacer_words{}, "");
}

}  // namespace anew_plan
