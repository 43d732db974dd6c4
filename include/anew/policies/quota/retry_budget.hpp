// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_RETRY_BUDGET_HPP
#define ANEW_POLICIES_QUOTA_RETRY_BUDGET_HPP

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

template <class Budget, unsigned Stripes>
class striped_budget;

}  // namespace detail

/// A share of the calls as retries: each call of the last `Window` allows `Percent` of a retry, and `PerSecond` retries a
/// second are allowed whatever the calls.
///
/// `retry_budget<>` is 20 %, at least 10 a second, over 10 s; `retry_budget<10, 1, 30s>`; `retry_budget{10, 1, 30s}`
/// takes values known at run time. A retry is charged when it is planned, before its backoff, and so are retries that
/// succeed; one that is not made gives back what it paid. The allowance of calls and the price of retries expire
/// together, by tenths of the window: a decision looks back at nine to ten of them. At the start `PerSecond * Window`
/// retries are allowed, and again after any pause as long as the window. A retry of a thread whose clock is behind counts by
/// the newest time; its call counts in its own tenth, and not at all when that is older than the window.
/// You may move it while nothing uses it; it is never copied.
///
/// Models: Quota (time-aware, exact under contention, lock-free, 184 bytes)
/// Formula: retries <= PerSecond*Window + Percent/100 * calls, both of the last Window
/// Requires: 0 <= Percent <= 1000, 0 <= PerSecond <= 100000, 1 s <= Window <= 60 s; a tenth of the window counts at most
/// 33,554,431 calls, and as many retries
/// Cost: a look at the clock and one compare-exchange for each call; a retry reads the 22 counts of both windows and makes
/// one compare-exchange, and two more when it is the first of a tenth; a success does nothing
/// Metastable above: 1/(1 + Percent/100) of its capacity, 83 % at 20 %, for as long as it is down, since
/// calls allow retries whether they succeed or not. The floor is per process: clients of fewer calls than
/// `PerSecond` a second retry everything, as without a quota.
/// Choose it where traffic varies and a burst of failures should be worth a burst of retries. Not where many small
/// clients share a service: token_bucket, or a `PerSecond` of 0.
/// Source: Finagle's RetryBudget and Linkerd (20 %, 10/s, 10 s).
template <std::int64_t Percent /*= 20*/, std::int64_t PerSecond /*= 10*/, static_duration Window /*= 10s*/>
class retry_budget {
  static constexpr bool is_static = Percent != run_time_count;

 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;
  template <unsigned Stripes>
  using striped_form = detail::striped_budget<retry_budget, Stripes>;

  constexpr retry_budget() noexcept = default;

  constexpr retry_budget(detail::any_count percent, detail::any_count per_second, detail::any_duration window)
    requires(!is_static)
      : percent_{detail::checked(percent.get(), fault_of(percent, per_second, window))},
        per_second_{per_second.get()},
        window_{window} {}
  static constexpr detail::value_fault fault_of(detail::any_count percent, detail::any_count per_second,
                                                duration window) {
    return detail::value_fault{"retry_budget"}
        .within(percent, 0, 1000, "percent")
        .within(per_second, 0, 100'000, "retries a second")
        .unless(window >= std::chrono::seconds{1} && window <= std::chrono::seconds{60},
                "window must be between 1s and 60s", window);
  }

  void on_call(time_point now) const noexcept {
    if (percent_.get() != 0) counts_.count_call(tenth_at(now));
  }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/, time_point now) const noexcept {
    return acquire_of(counts_, counts_.calls(), now);
  }

  /// The call succeeded: the price of its retry expires with the window.
  static constexpr void on_success(permit_type /*held*/) noexcept {}

  /// The retry was not made: returns its price, unless that has expired.
  void release(permit_type held) const noexcept { give_back(counts_, held); }

  /// How many retries may be made at that time. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance(time_point now) const noexcept {
    return balance_of(counts_, counts_.calls(), now);
  }
  /// How many retries may be made without any calls.
  [[nodiscard]] constexpr std::uint32_t capacity() const noexcept {
    return static_cast<std::uint32_t>(hundredths(0, 0) / cost);
  }

  [[nodiscard]] constexpr std::uint32_t percent() const noexcept { return percent_.get(); }
  [[nodiscard]] constexpr std::uint32_t per_second() const noexcept { return per_second_.get(); }

  /// Returns its promises at so many attempts of a call, in closed form: `quota_bounds`. Include anew/bounds.hpp.
  template <class Promise = detail::quota_promise>
  [[nodiscard]] constexpr auto promises(std::uint64_t attempts) const noexcept {
    return Promise::of_budget(percent(), per_second(), capacity(), attempts);
  }

  /// True until it is first asked to pay for a retry. A registry evicts such a policy before others.
  [[nodiscard]] bool is_untouched() const noexcept { return counts_.head() == 0; }
  [[nodiscard]] std::string describe() const {
    return detail::written("retry_budget", std::to_string(percent_.get()) + "%",
                           std::to_string(per_second_.get()) + "/s", window_.get());
  }

  /// Reads or writes the state: anew/state/saved_state.hpp.
  void walk_state(auto& w) const { counts_.walk_state(w, tenth_at(w.now())); }

  static constexpr detail::kept_rules is_sound{is_static, fault_of(Percent, PerSecond, Window.value())};
  static consteval void explain() {
    static_assert(detail::keeps_rule<retry_budget, 1>,
                  "anew::retry_budget<Percent> requires 0 <= Percent <= 1000; Percent is out of range. Write 20 for "
                  "one retry per five calls");
    static_assert(detail::keeps_rule<retry_budget, 2>,
                  "anew::retry_budget<Percent, PerSecond> requires 0 <= PerSecond <= 100000; PerSecond is out of "
                  "range. Write the number of retries that are always allowed in a second");
    static_assert(detail::keeps_rule<retry_budget, 3>,
                  "anew::retry_budget<Percent, PerSecond, Window> requires 1s <= Window <= 60s; Window is out of "
                  "range. Omit it for the default");
  }

 protected:
  static constexpr std::int64_t cost = 100;  // and a call is worth its percentage

  [[nodiscard]] std::optional<permit_type> acquire_of(detail::expiring_counts& counts, auto const& all_calls,
                                                      time_point now) const noexcept {
    auto const counted_in = counts.count_retry(
        all_calls, tenth_at(now),
        [this](std::int64_t calls, std::int64_t retries) { return hundredths(calls, retries) >= cost; });
    if (counted_in == 0) return std::nullopt;
    return permit_of(counted_in);
  }
  static void give_back(detail::expiring_counts& counts, permit_type held) noexcept {
    auto const head = counts.head();
    counts.take_back_retry(head - (permit_of(head) - held) / 2);
  }
  [[nodiscard]] std::uint32_t balance_of(detail::expiring_counts& counts, auto const& all_calls,
                                         time_point now) const noexcept {
    auto const spare = counts.look(all_calls, tenth_at(now), [this](std::int64_t calls, std::int64_t retries) {
      return hundredths(calls, retries);
    });
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();  // the calls of many stripes allow more
    return static_cast<std::uint32_t>(detail::smaller(detail::larger(spare, std::int64_t{0}) / cost, most));
  }

  /// The remaining budget of the window, in hundredths of a retry.
  [[nodiscard]] constexpr std::int64_t hundredths(std::int64_t calls, std::int64_t retries) const noexcept {
    auto const floor = std::int64_t{per_second_.get()} * (window_.get().count() / 1'000'000) * cost / 1000;
    return floor + calls * percent_.get() - retries * cost;
  }
  /// With a window that is known to the compiler the divisions are multiplications.
  [[nodiscard]] detail::tenth_number tenth_at(time_point now) const noexcept {
    return detail::counted_tenth::number_at(now, window_.get().count() / detail::tenths_ring::window);
  }
  /// 31 bits of the tenth's number, and never 0, which means no permit. Two permits of one slot compare unequal for
  /// 2^31 tenths, 6.8 years at least.
  static constexpr permit_type permit_of(detail::tenth_number number) noexcept {
    return static_cast<permit_type>(number * 2 + 1);
  }

  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Percent, retry_budget> percent_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<PerSecond, retry_budget, 1> per_second_;
  ANEW_NO_UNIQUE_ADDRESS detail::parameter<Window, retry_budget, 2> window_;
  mutable detail::expiring_counts counts_;
};

retry_budget(detail::any_count, detail::any_count, detail::any_duration)
    -> retry_budget<run_time_count, run_time_count, run_time>;

}  // namespace anew::inline ANEW_ABI

#endif
