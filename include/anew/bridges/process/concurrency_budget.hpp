// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_CONCURRENCY_BUDGET_HPP
#define ANEW_BRIDGES_PROCESS_CONCURRENCY_BUDGET_HPP

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
#include "anew/bridges/process/internal/kept_file.hpp"
#include "anew/bridges/process/internal/mapping.hpp"
#include "anew/bridges/process/internal/slots.hpp"
#include "anew/policies/quota/concurrency_budget.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

struct opened_concurrency {
  opened_concurrency(std::string_view place, any_count percent, any_count least, kept_files& files)
      : numbers{percent, least}, mapping{place, numbers.describe(), 0, files}, slots{mapping} {}

  [[nodiscard]] std::uint64_t limit(std::uint64_t calls) const noexcept {
    return numbers.limit(static_cast<std::uint32_t>(calls));
  }

  /// The numbers and the rule of the plain budget, which counts nothing here.
  struct : anew::concurrency_budget<run_time_count, run_time_count> {
    using concurrency_budget::concurrency_budget::concurrency_budget;
    using concurrency_budget::limit;
  } numbers;
  quota_mapping mapping;
  process_slots slots;
};

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI::process {

/// A `concurrency_budget` that all processes of a host share: at most a share of their calls under way are retries.
///
/// `process::concurrency_budget{"checkout", 20, 3}` opens the quota of that name, 20 % and at least 3, and makes it where
/// it does not exist; a place with a slash is the path of its file. Copies of the handle share what was opened: open it
/// once, copy it into strategies. Each opening takes one of 256 slots, which all threads share; a forked child takes a slot
/// with its first call, also after it has changed its user or its root directory. A daemon opens the quota after it has
/// closed its descriptors: else its slot is lost until its next retry.
///
/// The permits of a process that was killed are back at the first refusal 10 ms after its end, and its calls are no longer
/// counted a second after it at the latest, with the next retry.
///
/// Models: Quota (exact under contention between processes, lock-free, 16 bytes and a file of five pages)
/// Formula: retries under way <= max(least, floor(percent/100 * calls under way)), both of all processes
/// Requires: 0 <= percent <= 100, 0 <= least <= 2^32-1; Linux, and a local file system; the file belongs to the user of
/// the process alone, and holds this quota with these numbers: else `process::file_error`
/// Cost: an atomic addition and an exchange for each call; a retry sums the slots in use twice and reads the clock, and
/// at most once in 10 ms asks the system for its file; one that is refused looks for dead processes, at most once in 10 ms for all
/// processes
/// Metastable above: as `concurrency_budget`, with the calls of the host instead of those of a process
/// Choose it where many processes of a host use one service, as workers that a server forks do, and their slow calls
/// together are what hurts. Not between hosts.
/// Source: Envoy's retry budget; fcntl(2), open file description locks.
class concurrency_budget : public detail::file_quota<detail::opened_concurrency> {
 public:
  using role = roles::quota;
  using permit_type = std::uint32_t;

  concurrency_budget(std::string_view place, detail::any_count percent, detail::any_count least)
      : file_quota{std::make_shared<detail::opened_concurrency>(place, percent, least, detail::all_kept_files())} {}

  void on_call(detail::Time auto&& /*now*/) const noexcept { opened_->slots.begin_call(); }
  void on_call_end() const noexcept { opened_->slots.end_call(); }

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& /*f*/) const noexcept {
    auto const claimed =
        opened_->slots.claim([this](std::uint64_t calls) { return opened_->limit(calls); }, detail::monotonic_time{});
    if (claimed == 0) return std::nullopt;
    return claimed;
  }
  void on_success(permit_type held) const noexcept { release(held); }
  void on_failure(permit_type held) const noexcept { release(held); }
  void release(permit_type held) const noexcept { opened_->slots.give_back(held); }

  // Of all processes, for display: they may have changed before they are read.
  [[nodiscard]] std::uint64_t calls() const noexcept { return opened_->slots.sum().calls; }
  [[nodiscard]] std::uint64_t retries() const noexcept { return opened_->slots.sum().retries; }
  /// How many retries may be under way.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return opened_->limit(calls()); }
  /// How many more may begin.
  [[nodiscard]] std::uint64_t balance() const noexcept {
    auto const now = opened_->slots.sum();
    auto const most = opened_->limit(now.calls);
    return now.retries < most ? most - now.retries : 0;
  }
  /// Says why this process counts no calls and makes no retries, such as "open: Permission denied", or that the file was
  /// removed, so that new processes share another quota; empty while all is well. Looks at the file system: ask once a
  /// minute. A forked worker asks at its start, and takes its slot with that.
  [[nodiscard]] std::string last_error() const {
    auto why = opened_->slots.why_without(detail::monotonic_time{});
    return why.empty() ? opened_->mapping.trouble() : why;
  }
};

}  // namespace anew::inline ANEW_ABI::process

#endif
