// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_RESTORE_HPP
#define ANEW_STATE_RESTORE_HPP

#include <cstddef>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/state/internal/kept_state.hpp"
#include "anew/state/internal/state_bytes.hpp"
#include "anew/state/saved_state.hpp"

namespace anew::inline ANEW_ABI {

/// Whether a state was restored, and if not, why.
class [[nodiscard]] restore_outcome {
 public:
  restore_outcome() = default;
  explicit restore_outcome(std::string error) noexcept : error_{std::move(error)} {}

  [[nodiscard]] explicit operator bool() const noexcept { return error_.empty(); }
  /// One sentence, empty where it was restored.
  [[nodiscard]] std::string const& error() const noexcept { return error_; }

 private:
  std::string error_;
};

namespace detail {

/// Adds the name of a policy to those before it.
inline void add_name(std::string& names, std::string const& policy) {
  names.append(names.empty() ? "" : " + ").append(shown(policy));
}

template <class T>
std::string why_not_restored(T const& into, saved_state const& state) {
  if (!state.error().empty()) return state.error();
  std::size_t found = 0;
  bool is_of_it = true;
  bool is_in_range = true;
  std::string own;
  auto const& parts = state.parts();
  detail::each_kept(into, [&]<class P>(P const& policy) {
    auto const text = detail::name_in_state(policy.describe());
    detail::add_name(own, text);
    auto const at = found++;
    is_of_it = is_of_it && at < parts.size() && parts[at].policy == text;
    if (!is_of_it) return;
    detail::state_walk numbers{parts[at].numbers};
    kept_state<P>::walk(policy, numbers);
    is_in_range = is_in_range && numbers.is_good();
  });
  if (!is_of_it || found != parts.size()) {
    std::string saved;
    for (auto const& part : parts) detail::add_name(saved, part.policy);
    for (auto* names : {&saved, &own}) {
      if (names->empty()) *names = "no policy";
    }
    return std::string{"the state is of "}.append(saved).append("; it must be of ").append(own);
  }
  return is_in_range ? std::string{} : std::string{"the state has numbers that "}.append(own).append(" cannot have");
}

}  // namespace detail

/// Replaces what a strategy's quota, gate and pacer have counted, or what one of them has, by a state that `snapshot()`
/// took of the same policies with the same numbers, in this process or another.
///
/// `now` is the time of the strategy's clock, and `away` how long nothing was counted: the program was down, and what
/// time brings back came back meanwhile. Without it the policies go on as if no time had passed.
/// Returns: true, or why not. It is restored as a whole or not at all; a state of other policies or other numbers, and
/// bytes that are cut off or damaged, are refused. Nothing is thrown for what a state holds.
/// Requires: no call uses the policies meanwhile. Permits and passes of earlier calls do not count any more
/// Cost: some stores; a rate limiter locks
template <class T>
restore_outcome restore(T const& into, saved_state const& state, time_point now, duration away = duration::zero()) {
  if constexpr (detail::explain_kept_states<T>()) {
    if (auto error = detail::why_not_restored(into, state); !error.empty()) return restore_outcome{std::move(error)};
    auto const as_of = detail::saturating_subtract(now.time_since_epoch(), detail::larger(away, duration::zero()));
    auto part = state.parts().begin();
    detail::each_kept(into, [&]<class P>(P const& policy) {
      detail::state_walk numbers{(part++)->numbers, time_point{as_of}};
      detail::kept_state<P>::walk(policy, numbers);
    });
  }
  return {};
}

}  // namespace anew::inline ANEW_ABI

#endif
