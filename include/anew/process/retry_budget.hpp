// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROCESS_RETRY_BUDGET_HPP
#define ANEW_PROCESS_RETRY_BUDGET_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "anew/concept/roles.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/process/internal/kept_file.hpp"
#include "anew/process/internal/mapping.hpp"
#include "anew/quota/internal/budget_access.hpp"
#include "anew/quota/internal/counted_tenths.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/value/duration.hpp"
#include "anew/value/failure.hpp"
#include "anew/value/internal/given.hpp"
#include "anew/value/internal/text.hpp"

namespace anew::inline ANEW_ABI::process {

/// A `retry_budget` that all processes of a host share: a share of their calls of the last window as retries.
///
/// `process::retry_budget{"checkout", 20, 10, 10s}` opens the budget of that name, 20 % and at least 10 a second over 10 s,
/// and makes it where it does not exist; a place with a slash is the path of its file. Copies of the handle share what was
/// opened, and so do forked children. The counts of a killed process expire with the window. The strategies of all
/// processes must have the same clock, as `steady_clock` is: give containers with a time of their own a file of their own.
///
/// Models: Quota (time-aware, exact under contention between processes, lock-free, 16 bytes and a file of two pages)
/// Formula: retries <= per_second*window + percent/100 * calls, both of the last window and of all processes
/// Requires: 0 <= percent <= 1000, 0 <= per_second <= 100000, 1 s <= window <= 60 s; Linux, and a local file system; the
/// file belongs to the user of the process alone, and holds this budget with these numbers: else `process::file_error`
/// Cost: that of retry_budget, and a pointer to follow; calls of all processes contend for one word
/// Metastable above: 1/(1 + percent/100) of its capacity, as retry_budget; the floor is one for the
/// host, not one for each process
/// Choose it where a floor for each process would add up: many workers with few calls each. Not between hosts.
/// Source: Finagle's RetryBudget and Linkerd; shm_overview(7).
class retry_budget {
 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;
  static constexpr bool keeps_nothing = true;  // in a snapshot: the file keeps it

  retry_budget(std::string_view place, detail::any_count percent, detail::any_count per_second,
               detail::any_duration window)
      : opened_{std::make_shared<opened>(place, percent, per_second, window, detail::all_kept_files())} {}
  retry_budget(retry_budget const&) = default;  // and so no move: a handle always has its quota
  retry_budget& operator=(retry_budget const&) = default;
  ~retry_budget() = default;

  void on_call(time_point now) const noexcept {
    if (access::counts_calls(opened_->numbers)) opened_->counts.count_call(access::tenth_at(opened_->numbers, now));
  }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/, time_point now) const noexcept {
    return access::acquire(opened_->numbers, opened_->counts, opened_->counts.calls(), now);
  }

  /// The call succeeded: the price of its retry expires with the window.
  static constexpr void on_success(permit_type /*held*/) noexcept {}

  /// The retry was not made: returns its price, unless that has expired.
  void release(permit_type held) const noexcept { access::give_back(opened_->numbers, opened_->counts, held); }

  /// How many retries may be made at that time. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance(time_point now) const noexcept {
    return access::balance(opened_->numbers, opened_->counts, opened_->counts.calls(), now);
  }
  /// How many retries may be made without any calls.
  [[nodiscard]] std::uint32_t capacity() const noexcept { return opened_->numbers.capacity(); }
  /// The path of the file.
  [[nodiscard]] std::string const& path() const noexcept { return opened_->mapping.path(); }

  [[nodiscard]] std::string describe() const {
    return detail::written("process", opened_->mapping.place(), opened_->numbers);
  }

 private:
  using access = detail::budget_access;

  struct opened {
    opened(std::string_view place, detail::any_count percent, detail::any_count per_second, detail::any_duration window,
           detail::kept_files& files)
        : numbers{percent, per_second, window},
          mapping{place, numbers.describe(), 0, files},
          counts{*static_cast<detail::expiring_counts*>(mapping.body())} {
      mapping.close_file();
    }

    anew::retry_budget<run_time_count, run_time_count, run_time> numbers;  // its own counts are not used
    detail::quota_mapping mapping;
    detail::expiring_counts& counts;
  };
  static_assert(sizeof(detail::expiring_counts) == 23 * sizeof(std::uint64_t));  // zeros at the beginning

  std::shared_ptr<opened> opened_;
};

}  // namespace anew::inline ANEW_ABI::process

#endif
