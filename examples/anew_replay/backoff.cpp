// SPDX-License-Identifier: BSL-1.0
// Delays of one formula.
#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "anew/anew.hpp"

#include "backoff_words.hpp"
#include "modes.hpp"
#include "parts.hpp"
#include "responses.hpp"

namespace replay {

namespace {

constexpr std::array<char const*, 6> keys{"base_ms", "factor", "cap_ms", "jitter", "first_index", "expected"};

/// The delays that a call of one failure after the other is told to wait; index 0 is before the first attempt.
template <class Strategy>
std::optional<difference> compare_delays(Strategy const& strategy, anew::failure const& what, std::uint32_t first,
                                         json const& expected) {
  auto token = strategy.acquire_initial_token();
  std::uint32_t failures = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (; failures < first + i; ++failures) {
      auto next = strategy.refresh_retry_token(std::move(token), what);
      if (!next) return difference{"a retry after any failure", to_string(next.reason())};
      token = *std::move(next);
    }
    double const wanted = to_number(expected[i], "expected");
    double const got = to_ms(token.delay());
    if (!is_same_delay(got, wanted)) {
      auto const where = std::string{" ms at index "}.append(std::to_string(first + i));
      return difference{shown(wanted).append(where), shown(got).append(" ms")};
    }
  }
  return std::nullopt;
}

std::optional<difference> replay_set(json const& set) {
  refuse_others(set, {"base_ms", "factor", "cap_ms", "jitter", "first_index", "expected", "formula", "kind"}, "a set");
  auto const& expected = need(set, "expected");
  if (!expected.is_array() || expected.empty()) throw malformed{"'expected' is no list of delays"};
  auto const by = to_factor(number(set, "factor"), "factor");
  auto const strategy = anew::compose(
      any_backoff{from_ms(number(set, "base_ms"), "base_ms"), from_ms(number(set, "cap_ms"), "cap_ms"), by},
      anew::full_jitter{}, anew::unbounded{}, fixed_random{number(set, "jitter")});
  return compare_delays(strategy, find(set, "kind") == nullptr ? anew::failure{} : failure_of(set).value(),
                        count(set, "first_index"), expected);
}

/// The first of the six keys that a set does not have.
char const* missing_key(json const& set) {
  for (char const* const key : keys) {
    if (find(set, key) == nullptr) return key;
  }
  return nullptr;
}

}  // namespace

void replay_backoff(json const& file, report& to) {
  auto const* const sets = find_array(file, "sets");
  if (sets == nullptr) throw malformed{"'sets' is missing"};
  std::string formula;  // "same" is that of the set before
  for (std::size_t i = 0; i < sets->size(); ++i) {
    auto const& set = (*sets)[i];
    auto const id = id_of(set, "sets", i);
    if (set.is_object() && set.contains("formula") && set["formula"].is_string() && set["formula"] != "same") {
      formula = text(set, "formula");
    }
    char const* const key = set.is_object() ? missing_key(set) : nullptr;
    if (key == nullptr) {
      to.run(id, set, [&set] { return replay_set(set); });
    } else if (set.contains("formula") && is_known_formula(formula)) {
      to.run(id, set, [&] { return replay_formula(set, formula); });
    } else {
      to.skip(id, set,
              std::string{"described in words: it has no '"}.append(key).append("', and its formula is not known"));
    }
  }
}

}  // namespace replay
