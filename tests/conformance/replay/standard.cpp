// SPDX-License-Identifier: BSL-1.0
// Standard mode: a strategy of the numbers of a case, and the responses that it meets.
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/quota/long_poll.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/policies/sharing/borrowed.hpp"

#include "modes.hpp"
#include "parts.hpp"
#include "profile.hpp"
#include "script.hpp"

namespace replay {

namespace {

/// Draws from the whole delay, and caps what was drawn: for a backoff whose own cap is far away.
struct cap_drawn {
  using role = anew::roles::jitter;
  anew::duration cap;

  template <anew::RandomSource R>
  [[nodiscard]] anew::duration apply(anew::duration ceiling, R& random) const {
    auto const drawn = anew::full_jitter::apply(ceiling, random);
    return drawn < cap ? drawn : cap;
  }
};

std::variant<anew::full_jitter, cap_drawn> jitter_of(profile const& p) {
  if (p.order == jitter_order::cap_then_jitter) return anew::full_jitter{};
  return cap_drawn{p.max_backoff};
}

auto backoff_of(profile const& p) {
  auto const cap = p.order == jitter_order::cap_then_jitter ? p.max_backoff : anew::duration::max();
  return anew::by_kind_backoff{
      anew::on_kind<anew::error_kind::throttling>(any_backoff{p.base_throttling, cap, p.factor}),
      any_backoff{p.base_transient, cap, p.factor}};
}

using heard = anew::clamped_hint<anew::run_time>;
using not_heard = anew::server_hint<anew::long_hint::stop, anew::run_time>;

std::variant<heard, not_heard> hint_of(profile const& p) {
  if (p.retry_after_overshoot) return heard{*p.retry_after_overshoot};
  return not_heard{anew::long_hint::ignore, anew::duration::zero()};
}

using bucket = anew::token_bucket<anew::run_time_count>;
using borrowed_bucket = anew::borrowed<bucket>;

std::variant<borrowed_bucket, anew::long_poll<borrowed_bucket>> quota_of(profile const& p, bucket const& shared) {
  if (p.long_poll) return anew::long_poll<borrowed_bucket>{shared};
  return borrowed_bucket{shared};
}

/// Calls `play(strategy, bucket)` with a strategy of these numbers, as new.
template <class Play>
std::vector<event> with_strategy(profile const& p, Play const& play) {
  bucket const shared{p.capacity, p.costs, p.given_back, p.how, p.initial_quota};
  return std::visit(
      [&](auto const& jitter, auto const& hint, auto const& quota) {
        return play(anew::compose(backoff_of(p), jitter, hint, quota, anew::max_attempts{p.max_attempts},
                                  response_classifier{}, fixed_random{p.jitter}),
                    shared);
      },
      jitter_of(p), hint_of(p), quota_of(p, shared));
}

std::optional<difference> compare_all(std::vector<step> const& steps, std::vector<event> const& events) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i == events.size()) return difference{"step " + std::to_string(i + 1), "the end of the call before it"};
    if (auto found = compare(steps[i], events[i], i)) return found;
  }
  return std::nullopt;
}

std::optional<difference> replay_case(json const& profiles, json const& one) {
  refuse_others(one, {"profile", "given", "steps", "reproduced_by_running"}, "a case");
  auto const p = profile_of(profiles, one);
  auto const steps = steps_of(one);
  auto found = compare_all(steps, with_strategy(p, [&](auto const& strategy, bucket const& shared) {
                             return play_by_functions(strategy, shared, steps);
                           }));
  if (found || !is_one_call_after_the_other(steps)) return found;
  found = compare_all(steps, with_strategy(p, [&](auto const& strategy, bucket const& shared) {
                        return play_by_retry(strategy, shared, steps);
                      }));
  if (found) found->got.append(" from anew::retry_outcome");
  return found;
}

}  // namespace

void replay_standard(json const& file, report& to) {
  auto const* const cases = find_array(file, "cases");
  if (cases == nullptr) throw malformed{"'cases' is missing"};
  auto const& profiles = need(file, "profiles");
  if (!profiles.is_object()) throw malformed{"'profiles' is no object"};
  for (std::size_t i = 0; i < cases->size(); ++i) {
    auto const& one = (*cases)[i];
    to.run(id_of(one, "cases", i), one, [&] { return replay_case(profiles, one); });
  }
}

}  // namespace replay
