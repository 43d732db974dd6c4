// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_RANGES_SCHEDULE_HPP
#define ANEW_BRIDGES_RANGES_SCHEDULE_HPP

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <range/v3/range/access.hpp>
#include <range/v3/range/concepts.hpp>
#include <range/v3/range/operations.hpp>
#include <range/v3/utility/semiregular_box.hpp>
#include <range/v3/view/all.hpp>
#include <range/v3/view/facade.hpp>
#include <range/v3/view/iota.hpp>
#include <range/v3/view/partial_sum.hpp>
#include <range/v3/view/transform.hpp>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/strategy/strategy.hpp"

/// Delays as lazy ranges: to look at, to print, to cut with `take` and `take_while`, to join with `concat`; and back, as
/// a backoff. The only header that includes range-v3.
namespace anew::inline ANEW_ABI {

namespace detail {

inline constexpr std::int64_t last_retry = std::numeric_limits<std::uint32_t>::max();

/// Another strategy's random source, which stays where it is.
template <class R>
struct borrowed_random {
  using role = roles::random_source;
  R const* source;
  std::uint64_t operator()() const { return (*source)(); }
};

/// The delays of one call after another: each `begin()` begins a call.
template <class Strategy>
class delays_of_a_call
    : public ranges::view_facade<delays_of_a_call<Strategy>,
                                 std::same_as<typename Strategy::max_attempts_type, unbounded> ? ranges::infinite
                                                                                               : ranges::unknown> {
 public:
  delays_of_a_call() = default;
  explicit delays_of_a_call(Strategy strategy) : strategy_{std::move(strategy)} {}

 private:
  friend ranges::range_access;
  using token_type = typename Strategy::token_type;

  /// A token is used once, and by one traversal, which its copies share.
  struct cursor {
    using single_pass = std::true_type;
    Strategy const* strategy = nullptr;
    std::shared_ptr<std::optional<token_type>> token{};
    [[nodiscard]] duration read() const { return (*token)->delay(); }
    void next() {
      auto after = strategy->refresh_retry_token(*std::exchange(*token, std::nullopt), failure{});
      if (after) token->emplace(*std::move(after));
    }
    // Out of line: g++ 12 at -O3 takes a cursor that `ranges::to` keeps in a variant for one without a value.
    ANEW_NOINLINE [[nodiscard]] bool equal(ranges::default_sentinel_t /*end*/) const { return !token->has_value(); }
  };

  cursor begin_cursor() {
    Strategy const& strategy = strategy_;
    cursor first{&strategy, std::make_shared<std::optional<token_type>>(strategy.acquire_initial_token())};
    first.next();
    return first;
  }

  ranges::semiregular_box_t<Strategy> strategy_;
};

}  // namespace detail

/// The delays of a backoff before retry 1, 2, 3 and so on, without an end: `schedule(exponential_backoff<50ms, 20s>{})`.
///
/// A random-access view that computes each delay when it is read. Retries beyond 2^32-1 wait as retry 2^32-1 does.
[[nodiscard]] constexpr auto schedule(Backoff auto backoff) {
  return ranges::views::iota(std::int64_t{1}) |
         ranges::views::transform([backoff = std::move(backoff)](std::int64_t retry) {
           return backoff.delay(static_cast<std::uint32_t>(detail::smaller(retry, detail::last_retry)));
         });
}

/// The delays of one call of a strategy that fails each time: with jitter, drawn from the strategy's own random source,
/// until its limit of attempts. Only these policies are asked: no quota, no deadline, no hint.
///
/// An input view. Each traversal is a call of its own, with numbers of its own. The random source of a strategy that is
/// not a temporary stays where it is, and must live as long.
template <class Strategy>
  requires detail::ComposedStrategy<std::remove_cvref_t<Strategy>>
[[nodiscard]] auto schedule(Strategy&& strategy) {  // NOLINT(*-missing-std-forward): only its parts are taken
  auto const with_random = [&](auto... random) {
    auto alone = anew::compose(strategy.backoff(), strategy.jitter(), strategy.max_attempts(), std::move(random)...);
    return detail::delays_of_a_call<decltype(alone)>{std::move(alone)};
  };
  using random_type = typename std::remove_cvref_t<Strategy>::random_source_type;
  if constexpr (detail::is_absent<random_type>) {
    return with_random();
  } else if constexpr (std::is_lvalue_reference_v<Strategy>) {
    return with_random(detail::borrowed_random<random_type>{&strategy.random_source()});
  } else {
    return with_random(strategy.random_source());
  }
}

/// How long has been waited in all, before each attempt: the running sum of a range of durations, which saturates.
/// `totals(delays)` or `delays | totals`.
inline constexpr auto totals = ranges::views::partial_sum(
    [](duration so_far, duration delay) noexcept { return detail::saturating_add(so_far, delay); });

/// Waits the delays of a view; where it ends, the last one repeats.
///
/// `view_backoff{schedule(a) | take(3)}`; of a view without an end, `view_backoff{view, cap}`. The view is held, and read
/// when a delay is wanted, from several threads at once where the strategy is.
///
/// Models: Backoff (pure where the view is)
/// Formula: min(cap, the n-th element, or the last one); the cap is the longest, where it is not given
/// Requires: a view of durations that can be traversed again while const; an end, or a cap; what has an end is walked
/// once when the backoff is made, holds a delay and none that is negative, else it throws `std::invalid_argument`
/// Cost: reading one element; n steps where the view is not random-access
/// Choose it to put delays together that no policy says: `concat`, `take_while`, a transformation of your own. Not for an
/// input view, such as a file: sequence_backoff copies.
/// Source: none
template <class View>
  requires ranges::forward_range<View const>
class view_backoff {
  static constexpr bool is_endless = ranges::is_infinite<View>::value;

 public:
  using role = roles::backoff;

  template <ranges::viewable_range Range>
    requires(!is_endless)
  explicit view_backoff(Range&& range) : view_{ranges::views::all(std::forward<Range>(range))} {
    walk();
  }

  template <ranges::viewable_range Range>
  view_backoff(Range&& range, detail::any_duration cap)
      : view_{ranges::views::all(std::forward<Range>(range))}, cap_{cap} {
    detail::require(cap_ >= duration::zero(), "view_backoff", "cap must not be negative", cap_);
    if constexpr (!is_endless) {
      auto const given = cap_;
      walk();
      cap_ = given;
    }
  }

  [[nodiscard]] duration delay(std::uint32_t retry) const {
    auto index = retry == 0 ? 0U : retry - 1;
    if constexpr (!is_endless) index = detail::smaller(index, size_ - 1);
    auto const at = ranges::next(ranges::begin(view_), static_cast<ranges::range_difference_t<View const>>(index));
    return detail::clamped(detail::saturate(*at), duration::zero(), cap_);
  }
  [[nodiscard]] duration cap() const noexcept { return cap_; }
  [[nodiscard]] std::string describe() const { return detail::written("view", cap_); }

 private:
  void walk() {
    for (auto&& element : std::as_const(view_)) {
      auto const delay = detail::saturate(element);
      if (size_ == detail::last_retry) break;
      ++size_;
      cap_ = detail::larger(cap_, delay);
      if (delay < duration::zero()) {
        std::string requirement{"the delay before retry "};
        requirement.append(std::to_string(size_)).append(" must not be negative");
        detail::invalid_argument("view_backoff", requirement.c_str(), detail::to_text(delay));
      }
    }
    detail::require(size_ != 0, "view_backoff", "the view must hold a delay", "empty");
  }

  View view_;
  duration cap_{};
  std::uint32_t size_ = 0;
};

template <class Range>
view_backoff(Range&&) -> view_backoff<ranges::views::all_t<Range>>;
template <class Range>
view_backoff(Range&&, detail::any_duration) -> view_backoff<ranges::views::all_t<Range>>;

}  // namespace anew::inline ANEW_ABI

#endif
