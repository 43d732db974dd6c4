// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

#include "anew/aws/preset.hpp"
#include "anew/classifier/retry_info.hpp"
#include "anew/compose/describe.hpp"
#include "anew/compose/notation/read_strategy.hpp"
#include "anew/preset/envoy.hpp"
#include "anew/preset/grpc.hpp"
#include "anew/preset/http.hpp"

#include "by_text.hpp"

namespace anew_plan {

namespace {

using vocabulary = anew::join_words<anew::core_words, anew::pacer_words>;
using strategy_type = anew::strategy_of_words<vocabulary, anew::retry_info_classifier, virtual_clock, virtual_random>;

strategy_type read(std::string const& text) {
  auto reading =
      anew::read_strategy<vocabulary>(text, anew::retry_info_classifier{}, virtual_clock{}, virtual_random{});
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

/// The words of the text but for those of the role's, then `instead`.
template <class Role>
std::string replaced(std::string_view text, Role role, std::string_view instead) {
  std::string result;
  for (auto const word : words_of(text)) {
    if (!names_one_of(role, word)) result.append(word).append(" ");
  }
  return result.append(instead);
}

template <class Preset>
std::string planned() {
  std::string text;
  auto const described = anew::describe(Preset{});
  for (auto const word : words_of(described)) {
    if (names_one_of(vocabulary{}, word)) text.append(text.empty() ? "" : " ").append(word);
  }
  return text;
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
};

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

observed simulate(std::string const& text, scenario const& s, bool with_levels) {
  virtual_clock::ticks = 0;  // gates and budgets begin now
  std::vector<strategy_type> strategies;
  strategies.reserve(s.clients);
  for (std::uint32_t i = 0; i != s.clients; ++i) strategies.push_back(read(text));
  with_levels = with_levels && level_of(strategies.front()) >= 0;
  return fleet<strategy_type>{strategies, s}.run(with_levels ? &level_of : nullptr);
}

observed simulate(std::string const& text, world const& w, event_log& log) {
  virtual_clock::ticks = 0;
  std::vector<strategy_type> strategies;
  auto const add = [&strategies](std::string const& one, std::uint32_t times) {
    for (std::uint32_t i = 0; i != times; ++i) strategies.push_back(read(one));
  };
  add(text, w.strategies);
  for (auto const& one : w.layers) add(one.strategy, one.processes);
  return fleet<strategy_type>{strategies, w, &log}.run();
}

std::string with_quota(std::string_view text, std::string_view quota) {
  return replaced(text, anew::quota_words{}, quota);
}
std::string with_limit(std::string_view text, std::string_view limit) {
  return replaced(text, anew::limit_words{}, limit);
}

}  // namespace anew_plan
