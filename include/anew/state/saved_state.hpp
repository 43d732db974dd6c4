// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_STATE_SAVED_STATE_HPP
#define ANEW_STATE_SAVED_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/internal/shown.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/roles.hpp"
#include "anew/state/internal/state_bytes.hpp"
#include "anew/strategy/basic_strategy.hpp"
#include "anew/strategy/for_each_policy.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Which policies have a state that outlives their process.

template <class P>
concept KeepsState = requires(P const& policy, state_walk& w) { policy.walk_state(w); };

/// A policy without a state, or with one that ends with the process or is elsewhere: it is empty, or declares so.
template <class P>
inline constexpr bool has_nothing_to_keep = std::is_empty_v<P> || requires { requires P::keeps_nothing; };

template <class P>
inline constexpr bool state_of_policy_is_known = KeepsState<P> || has_nothing_to_keep<P>;

/// Calls `visit` with the policy that has the state of `policy`, unless there is nothing to keep.
template <class P, class Visit>
void with_state_of(P const& policy, Visit const& visit) {
  if constexpr (KeepsState<P>) {
    visit(policy);
  } else if constexpr (HoldsAnother<P>) {
    detail::with_state_of(policy.policy(), visit);
  } else if constexpr (IsChoice<P>) {
    policy.visit([&visit](auto const& chosen) { detail::with_state_of(chosen, visit); });
  } else {
    static_assert(state_of_policy_is_known<P>,
                  "anew::snapshot and anew::restore require policies whose state they know; this quota, gate or pacer "
                  "is your own, "
                  "or an anew::partitioned, which has a state for each key. Pass the other policies one by one, as in "
                  "snapshot(strategy.gate(), now), or declare static constexpr bool keeps_nothing = true in yours");
  }
}

/// Calls `visit` with each policy whose state outlives the process: of a strategy, or of one policy.
template <class... Ps, class Visit>
void each_kept(basic_strategy<Ps...> const& strategy, Visit const& visit) {
  anew::for_each_policy(strategy, [&visit]<class P>(std::string_view /*role*/, P const& policy) {
    if constexpr (is_shared_state<P>) detail::with_state_of(policy, visit);
  });
}
template <class P, class Visit>
  requires is_shared_state<P>
void each_kept(P const& policy, Visit const& visit) {
  detail::with_state_of(policy, visit);
}

template <class... Ps>
void as_strategy(basic_strategy<Ps...> const& strategy);
template <class T>
inline constexpr bool is_strategy_or_shared_state =
    is_shared_state<T> || requires(T const& of) { detail::as_strategy(of); };

/// Explains in one sentence what is wrong with what `snapshot()` or `restore()` is called with.
template <class T>
consteval bool explain_kept_states() {
  if constexpr (!is_strategy_or_shared_state<T>) {
    static_assert(
        is_strategy_or_shared_state<T>,
        "anew::snapshot and anew::restore require a strategy, a quota, a gate or a pacer; nothing else counts "
        "for all calls. Pass the strategy, or its quota()");
    return false;
  } else if constexpr (is_shared_state<T> && has_nothing_to_keep<T>) {
    static_assert(!has_nothing_to_keep<T>,
                  "anew::snapshot and anew::restore require a policy whose state is worth keeping; this policy has "
                  "no state, or counts calls in progress as anew::concurrency_budget does. Omit it");
    return false;
  } else {
    return true;
  }
}

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI {

/// The counts of policies, as a value: `anew::snapshot()` makes it, `anew::restore()` takes it, and you keep its
/// bytes, in a file or elsewhere.
///
/// A state that was read from bytes may be wrong; then `error()` says how, it has no parts, and every policy refuses it.
/// The bytes are the same on every machine and end in a checksum, which finds damage but no forgery: keep the bytes where
/// only your program writes.
/// Cost: allocates
class saved_state {
 public:
  /// The state of one policy: the policy with its numbers as `describe()` prints it, and what it has counted.
  struct part {
    std::string policy;
    std::vector<std::int64_t> numbers;
    friend bool operator==(part const&, part const&) = default;
  };

  /// The state of nothing, which every policy refuses.
  saved_state() = default;
  explicit saved_state(std::vector<part> parts) : parts_{std::move(parts)} {}

  /// Never throws for what the bytes are: `error()` tells.
  [[nodiscard]] static saved_state from_bytes(std::span<std::byte const> bytes) {
    detail::state_reader reader{bytes};
    saved_state read;
    auto const parts = reader.begin();
    for (std::uint32_t i = 0; i != parts && reader.is_good(); ++i) {
      part one;
      reader.read_part(one.policy, one.numbers);
      read.parts_.push_back(std::move(one));
    }
    read.error_ = reader.end();
    if (!read.error_.empty()) read.parts_.clear();
    return read;
  }
  /// The same of the text of `to_hex()`; a line end behind it is ignored.
  [[nodiscard]] static saved_state from_hex(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    std::vector<std::byte> bytes;
    if (detail::read_hex(text, bytes)) return from_bytes(bytes);
    saved_state wrong;
    wrong.error_ = "the text must be hexadecimal digits, two for each byte";
    return wrong;
  }

  [[nodiscard]] std::vector<std::byte> to_bytes() const {
    detail::state_writer writer{parts_.size()};
    for (auto const& one : parts_) writer.write_part(one.policy, one.numbers);
    return writer.end();
  }
  /// The bytes as text, for a place that takes text: two digits for each byte.
  [[nodiscard]] std::string to_hex() const { return detail::hex_of(to_bytes()); }

  /// The state of each policy, in the order of a strategy's roles.
  [[nodiscard]] std::vector<part> const& parts() const noexcept { return parts_; }
  /// The error in the bytes that it was read from; an empty text if they are good.
  [[nodiscard]] std::string const& error() const noexcept { return error_; }

  friend bool operator==(saved_state const&, saved_state const&) = default;

 private:
  std::vector<part> parts_;
  std::string error_;
};

/// Copies what a strategy's quota, gate and pacer have counted, or what one of them has: a program that restarts, or a
/// simulation that branches, continues from there with `restore()`.
///
/// `now` is the time of the strategy's clock; times are kept relative to it. Calls under way end with the process,
/// so the permits of a `concurrency_budget`, the probes of a breaker that is half open and the attempts in a rate
/// limiter's queue are not kept. Each policy is copied at one moment while calls use it, but a `retry_budget`, a
/// `rate_breaker` and a `cool_down` word by word.
/// Requires: quotas, gates and pacers of anew, in `shared` and the like or in none, or with a
/// `static constexpr bool keeps_nothing = true`, which are omitted; not a `partitioned`, whose keys you visit
/// Cost: some loads, and the memory of the state; a rate limiter locks
template <class T>
[[nodiscard]] saved_state snapshot(T const& of, time_point now) {
  std::vector<saved_state::part> parts;
  if constexpr (detail::explain_kept_states<T>()) {
    detail::each_kept(of, [&parts, now](auto const& policy) {
      saved_state::part one{policy.describe(), {}};
      detail::state_walk numbers{one.numbers, now};
      policy.walk_state(numbers);
      parts.push_back(std::move(one));
    });
  }
  return saved_state{std::move(parts)};
}

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

std::string why_not_restored(auto const& into, saved_state const& state) {
  if (!state.error().empty()) return state.error();
  std::size_t found = 0;
  bool is_of_it = true;
  bool is_in_range = true;
  std::string own;
  auto const& parts = state.parts();
  detail::each_kept(into, [&](auto const& policy) {
    auto const text = policy.describe();
    detail::add_name(own, text);
    auto const at = found++;
    is_of_it = is_of_it && at < parts.size() && parts[at].policy == text;
    if (!is_of_it) return;
    detail::state_walk numbers{parts[at].numbers};
    policy.walk_state(numbers);
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
    detail::each_kept(into, [&](auto const& policy) {
      detail::state_walk numbers{(part++)->numbers, time_point{as_of}};
      policy.walk_state(numbers);
    });
  }
  return {};
}

}  // namespace anew::inline ANEW_ABI

#endif
