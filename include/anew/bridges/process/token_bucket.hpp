// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_TOKEN_BUCKET_HPP
#define ANEW_BRIDGES_PROCESS_TOKEN_BUCKET_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "anew/base/failure.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/run_time.hpp"
#include "anew/bridges/process/internal/kept_file.hpp"
#include "anew/bridges/process/internal/mapping.hpp"
#include "anew/policies/quota/retry_costs.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/roles/quota.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

struct opened_bucket {
  opened_bucket(std::string_view place, any_count capacity, retry_costs costs, refund given_back, payment how,
                kept_files& files)
      : numbers{capacity, costs, given_back, how},
        mapping{place, numbers.describe(), numbers.all_terms().full, files},
        balance{*static_cast<atomic_cell<std::uint32_t>*>(mapping.body())} {}

  anew::token_bucket<run_time_count> numbers;  // its own balance is not used
  quota_mapping mapping;
  atomic_cell<std::uint32_t>& balance;
};

}  // namespace anew::inline ANEW_ABI::detail

namespace anew::inline ANEW_ABI::process {

/// A `token_bucket` that all processes of a host share.
///
/// `process::token_bucket{"checkout", 500}` opens the bucket of that name, and makes it, full, where it does not exist; a
/// place with a slash is the path of its file. Costs, refund and payment may follow, as with `anew::token_bucket`. Copies
/// of the handle share what was opened, and so do forked children; a child gives back nothing that its parent paid. A
/// process that is killed counts as one whose calls failed: what its retries paid is spent, and the successes of the
/// others refill it.
///
/// Models: Quota (exact under contention between processes, lock-free, 16 bytes and a file of five pages)
/// Formula: that of token_bucket, over the calls of all processes
/// Requires: what token_bucket requires; Linux, and a local file system; the file belongs to the user of the process
/// alone, and holds this bucket with these numbers: else `process::file_error`
/// Cost: that of token_bucket, and a pointer to follow; processes that succeed below the capacity contend for one word
/// Metastable above: no load, as token_bucket; the burst is one for the host, not one for each process
/// Choose it where many processes of a host use one service, each of them too small for a bucket of its own: workers
/// that a server forks, jobs of a scheduler. Not between hosts.
/// Source: token_bucket; shm_overview(7).
class token_bucket : public detail::file_quota<detail::opened_bucket> {
 public:
  using role = roles::quota;
  using permit_type = detail::own_permit;

  token_bucket(std::string_view place, detail::any_count capacity, retry_costs costs = retry_costs{},
               refund given_back = refund{}, payment how = payment::in_full)
      : file_quota{std::make_shared<detail::opened_bucket>(place, capacity, costs, given_back, how,
                                                           detail::all_kept_files())} {}

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const noexcept {
    return detail::owned(bucket().try_acquire(f));
  }
  void on_success(permit_type held) const noexcept {
    if (detail::is_own(held)) bucket().on_success(detail::held_by(held));
  }
  void release(permit_type held) const noexcept {
    if (detail::is_own(held)) bucket().release(detail::held_by(held));
  }

  /// The whole tokens that may be spent at this moment. For display: it may have changed before it is read.
  [[nodiscard]] std::uint32_t balance() const noexcept {
    return opened_->balance.load() / opened_->numbers.all_terms().given_back.den;
  }
  [[nodiscard]] std::uint32_t capacity() const noexcept { return opened_->numbers.capacity(); }
  /// Says that the file was removed, so that new processes share another quota; empty while all is well. Looks at the file
  /// system: ask once a minute, or once a worker.
  [[nodiscard]] std::string last_error() const { return opened_->mapping.trouble(); }

 private:
  [[nodiscard]] detail::bucket_view bucket() const noexcept { return {opened_->numbers.all_terms(), opened_->balance}; }
};

}  // namespace anew::inline ANEW_ABI::process

#endif
