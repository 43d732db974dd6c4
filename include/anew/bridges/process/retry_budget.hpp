// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_RETRY_BUDGET_HPP
#define ANEW_BRIDGES_PROCESS_RETRY_BUDGET_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/bridges/process/internal/kept_file.hpp"
#include "anew/bridges/process/internal/mapping.hpp"
#include "anew/policies/quota/internal/counted_tenths.hpp"
#include "anew/policies/quota/retry_budget.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The numbers and the rule of the plain budget, whose own counts are not used.
struct numbers_of_budget : anew::retry_budget<run_time_count, run_time_count, run_time> {
  using retry_budget::acquire_of;
  using retry_budget::balance_of;
  using retry_budget::give_back;
  using retry_budget::retry_budget::retry_budget;
  using retry_budget::tenth_at;
};

struct contents_of_budget {  // zeros at the beginning
  expiring_counts counts;
  atomic_cell<tenth_number> refusing_since;  // by the clock that is behind
};
static_assert(sizeof(contents_of_budget) == 24 * sizeof(std::uint64_t));

struct opened_budget {
  opened_budget(std::string_view place, any_count percent, any_count per_second, any_duration window, kept_files& files)
      : numbers{percent, per_second, window},
        mapping{place, numbers.describe(), 0, files},
        shared{*static_cast<contents_of_budget*>(mapping.body())} {}

  /// False until a window has passed by this clock: while processes with two clocks live, each forgets what the other
  /// counted at most once in a window.
  ANEW_COLD bool forget_after(tenth_number now) noexcept {
    ahead.store_release(shared.counts.head() - now);
    auto since = shared.refusing_since.load();
    if (since == 0 || since > now) {
      shared.refusing_since.compare_exchange_weak(since, now);
      return false;
    }
    if (now - since < tenths_ring::window || !shared.refusing_since.compare_exchange_weak(since, 0)) return false;
    shared.counts.forget_after(now);
    return true;
  }

  numbers_of_budget numbers;
  quota_mapping mapping;
  contents_of_budget& shared;
  atomic_cell<tenth_number> ahead{0};  // of this process, for `last_error()`
};

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI::process {

/// A `retry_budget` that all processes of a host share: a share of their calls of the last window as retries.
///
/// `process::retry_budget{"checkout", 20, 10, 10s}` opens the budget of that name, 20 % and at least 10 a second over 10 s,
/// and makes it where it does not exist; a place with a slash is the path of its file. Copies of the handle share what was
/// opened, and so do forked children; a child gives back nothing that its parent paid. The counts of a killed process expire
/// with the window, of which nine to ten tenths are looked at. The strategies of all processes must have the same clock, as
/// `steady_clock` is: give containers with a time of their own a file of their own. Where a process has counted by a clock
/// that is ahead by more than a window, or before the last boot, the others make no retries for one window. Then the budget
/// forgets what that clock has counted, and `last_error()` says it.
///
/// Models: Quota (time-aware, exact under contention between processes, lock-free, 16 bytes and a file of five pages)
/// Formula: retries <= per_second*window + percent/100 * calls, both of the last window and of all processes
/// Requires: 0 <= percent <= 1000, 0 <= per_second <= 100000, 1 s <= window <= 60 s; Linux, and a local file system; the
/// file belongs to the user of the process alone, and holds this budget with these numbers: else `process::file_error`
/// Cost: that of retry_budget, and a pointer to follow; calls of all processes contend for one word
/// Metastable above: 1/(1 + percent/100) of its capacity, as retry_budget; the floor is one for the
/// host, not one for each process
/// Choose it where a floor for each process would add up: many workers with few calls each. Not between hosts.
/// Source: Finagle's RetryBudget and Linkerd; shm_overview(7).
class retry_budget : public detail::file_quota<detail::opened_budget> {
 public:
  using role = roles::quota;
  using permit_type = detail::own_permit;

  retry_budget(std::string_view place, detail::any_count percent, detail::any_count per_second,
               detail::any_duration window)
      : file_quota{
            std::make_shared<detail::opened_budget>(place, percent, per_second, window, detail::all_kept_files())} {}

  void on_call(time_point now) const noexcept {
    if (opened_->numbers.percent() != 0) opened_->shared.counts.count_call(tenth_at(now));
  }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/, time_point now) const noexcept {
    auto& counts = opened_->shared.counts;
    if (is_ahead_of(now) && !opened_->forget_after(tenth_at(now))) [[unlikely]]
      return std::nullopt;
    return detail::owned(opened_->numbers.acquire_of(counts, counts.calls(), now));
  }

  /// The call succeeded: the price of its retry expires with the window.
  static constexpr void on_success(permit_type /*held*/) noexcept {}

  /// The retry was not made: returns its price, unless that has expired.
  void release(permit_type held) const noexcept {
    if (detail::is_own(held)) detail::numbers_of_budget::give_back(opened_->shared.counts, detail::held_by(held));
  }

  /// How many retries may be made at that time. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance(time_point now) const noexcept {
    auto& counts = opened_->shared.counts;
    return is_ahead_of(now) ? 0 : opened_->numbers.balance_of(counts, counts.calls(), now);
  }
  /// How many retries may be made without any calls.
  [[nodiscard]] std::uint32_t capacity() const noexcept { return opened_->numbers.capacity(); }
  /// Says that the file was removed, so that new processes share another quota, or that a process counted by another clock;
  /// empty while all is well. Looks at the file system: ask once a minute, or once a worker.
  [[nodiscard]] std::string last_error() const {
    auto trouble = opened_->mapping.trouble();
    auto const ahead = opened_->ahead.load();
    if (!trouble.empty() || ahead == 0) return trouble;
    return "a process counted by a clock that was " + std::to_string(ahead / 10) +
           " windows ahead, unless this process was stopped; retries were refused for one window, then the counts of "
           "that "
           "clock were forgotten";
  }

 private:
  [[nodiscard]] detail::tenth_number tenth_at(time_point now) const noexcept { return opened_->numbers.tenth_at(now); }
  /// Whether a retry was counted more than a window later. No thread is so late, unless it was stopped.
  [[nodiscard]] bool is_ahead_of(time_point now) const noexcept {
    return opened_->shared.counts.head() > tenth_at(now) + detail::tenths_ring::window;
  }
};

}  // namespace anew::inline ANEW_ABI::process

#endif
