// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_PACER_RATE_LIMIT_HPP
#define ANEW_POLICIES_PACER_RATE_LIMIT_HPP

#include <cstdint>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/policies/pacer/internal/waiting_line.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A fixed rate: a token bucket of `Burst` tokens that gets `N` tokens in each `Per`, evenly, and of which each attempt takes
/// one, first attempts and retries alike.
///
/// `rate_limit<100, 1s>` admits 100 at once and then one in each 10 ms, so that any second has at most 199 attempts. Where
/// a server counts and refuses above its limit, write `rate_limit<100, 1s, 1>`, which spaces all of them: no second has
/// more than 100. `rate_limit{100, 1s}` takes values known at run time, and `rate_limit{100, 1s, 1, 5s}` all four.
///
/// An attempt that finds no token waits in line, and attempts begin in the order in which they asked, as far as they wake
/// up in time: an awake attempt takes an available token. Those behind one that leaves move up. One that would
/// wait longer than `Longest` is refused at once and ends its call, with `stop_reason::rate_limited`; `0s` refuses whatever
/// would wait. You may move it while nothing uses it; it is never copied.
///
/// Models: Pacer (safe from many threads)
/// Formula: attempts that begin in any Per <= Burst + N - 1; the k-th in line waits for the k-th next token
/// Requires: 1 <= N <= 2^32-1, 0 < Per, N <= Per/1ns, 1 <= Burst <= 2^32-1, 0 <= Longest
/// Cost: one clock read and one short lock before each attempt, within which no thread sleeps; nothing after it
/// Choose it where a contract or a server's quota names a rate. Not where the rate is unknown or changes:
/// client_rate_limiter, which learns it. Not where slow answers are the problem: max_concurrency.
/// Source: ITU-T I.371, the generic cell rate algorithm, which is a token bucket kept as one time.
template <std::int64_t N, static_duration Per, std::int64_t Burst = N, static_duration Longest = Per>
class rate_limit {
  static constexpr bool is_static =
      N != run_time_count && Per != run_time && Burst != run_time_count && Longest != run_time;

 public:
  using role = roles::pacer;
  using ticket_type = detail::queue_place;

  constexpr rate_limit() noexcept = default;

  constexpr rate_limit(detail::any_count n, detail::any_duration per)
    requires(!is_static)
      : rate_limit{n, per, n, per} {}
  constexpr rate_limit(detail::any_count n, detail::any_duration per, detail::any_count burst)
    requires(!is_static)
      : rate_limit{n, per, burst, per} {}
  constexpr rate_limit(detail::any_count n, detail::any_duration per, detail::any_count burst,
                       detail::any_duration longest)
    requires(!is_static)
      : n_{detail::checked(n.get(), fault_of(n, per, burst, longest))},
        per_{per},
        burst_{burst.get()},
        longest_{longest} {}
  static constexpr detail::value_fault fault_of(detail::any_count n, duration per, detail::any_count burst,
                                                duration longest) {
    return detail::value_fault{"rate_limit"}
        .within(n, 1, 4'294'967'295, "n")
        .above_zero(per, "per")
        .unless(n.get() <= per.count(), "n must be at most one for each nanosecond of per", n)
        .within(burst, 1, 4'294'967'295, "burst")
        .not_negative(longest, "longest");
  }

  [[nodiscard]] pace ask(ticket_type& ticket, time_point now) const noexcept {
    detail::fork_safe_lock const lock{mutex_, begins_anew()};
    renew_line();
    line_.come_back(ticket);
    bool const is_new = ticket == ticket_type{};
    auto const base = detail::larger(now, full_at_);
    auto const next = detail::saturating_subtract(detail::saturating_add(base, -tolerance()), now);
    auto const wait = detail::saturating_add(next, times(interval(), line_.ahead_of(ticket)));
    if ((is_new ? wait : next) <= duration::zero()) {
      full_at_ = detail::saturating_add(base, interval());
      line_.leave(ticket);
      return {};
    }
    if (is_new) {
      if (wait > longest_.get()) return {wait, true};
      line_.join(ticket, now);
    }
    line_.wait_on(ticket);
    return {wait};
  }
  static constexpr void on_success(detail::Time auto&& /*now*/) noexcept {}
  static constexpr void on_failure(failure const& /*what*/, detail::Time auto&& /*now*/) noexcept {}
  void release(ticket_type ticket) const noexcept {
    if (ticket == ticket_type{}) return;
    detail::fork_safe_lock const lock{mutex_, begins_anew()};
    renew_line();
    line_.leave(ticket);
  }

  /// The longest that one attempt waits.
  [[nodiscard]] constexpr duration longest_wait() const noexcept { return longest_.get(); }

  [[nodiscard]] std::string describe() const {
    bool const is_said = burst_.get() != n_.get() || longest_.get() != per_.get();
    return detail::written("rate_limit", n_.get(), per_.get(), detail::text_if(is_said, burst_.get()),
                           detail::text_if(is_said, longest_.get()));
  }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(N, Per.value(), Burst, Longest.value())};
  static consteval void explain() {
    static_assert(detail::keeps_rule<rate_limit, 1, 2, 3>,
                  "anew::rate_limit<N, Per> requires 1 <= N <= 4294967295, Per > 0 and at most one attempt in a "
                  "nanosecond. Write anew::rate_limit<100, 1s> for 100 attempts a second");
    static_assert(detail::keeps_rule<rate_limit, 4>,
                  "anew::rate_limit<N, Per, Burst> requires 1 <= Burst <= 4294967295; with 0 no attempt could begin. "
                  "Write 1 to space all attempts evenly");
    static_assert(detail::keeps_rule<rate_limit, 5>,
                  "anew::rate_limit<N, Per, Burst, Longest> requires Longest >= 0s. Write 0s to refuse attempts that "
                  "would wait");
  }

 private:
  static constexpr duration times(duration each, std::uint64_t count) noexcept {
    return count != 0 && static_cast<std::uint64_t>(duration::max() / each) < count
               ? duration::max()
               : each * static_cast<std::int64_t>(count);
  }
  /// Between two tokens, rounded up to a nanosecond.
  [[nodiscard]] constexpr duration interval() const noexcept {
    return duration{(per_.get().count() - 1) / n_.get() + 1};
  }
  /// How long it takes to fill an empty bucket but for one token.
  [[nodiscard]] constexpr duration tolerance() const noexcept { return times(interval(), burst_.get() - 1); }

  /// For a forked child whose parent had a thread that held the lock: the bucket is full.
  [[nodiscard]] auto begins_anew() const noexcept {
    return [this] { full_at_ = time_point::min(); };
  }
  /// The attempts in the parent's line belong to threads that a forked child does not have.
  void renew_line() const noexcept { line_.renew(detail::counted_fork_generation()); }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<N, rate_limit> n_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Per, rate_limit, 1> per_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Burst, rate_limit, 2> burst_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Longest, rate_limit, 3> longest_;
  mutable detail::fork_safe_mutex mutex_;
  mutable detail::waiting_line line_;
  mutable time_point full_at_ = time_point::min();  // when the bucket is full again, if no attempt begins
};

rate_limit(detail::any_count, detail::any_duration) -> rate_limit<run_time_count, run_time>;
rate_limit(detail::any_count, detail::any_duration, detail::any_count) -> rate_limit<run_time_count, run_time>;
rate_limit(detail::any_count, detail::any_duration, detail::any_count, detail::any_duration)
    -> rate_limit<run_time_count, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
