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
class token_bucket {
 public:
  using role = roles::quota;
  using permit_type = detail::own_permit;
  static constexpr bool keeps_nothing = true;  // in a snapshot: the file keeps it

  token_bucket(std::string_view place, detail::any_count capacity, retry_costs costs = retry_costs{},
               refund given_back = refund{}, payment how = payment::in_full)
      : opened_{std::make_shared<opened>(place, capacity, costs, given_back, how, detail::all_kept_files())} {}
  token_bucket(token_bucket const&) = default;  // and so no move: a handle always has its quota
  token_bucket& operator=(token_bucket const&) = default;
  ~token_bucket() = default;

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
  /// The path of the file.
  [[nodiscard]] std::string const& path() const noexcept { return opened_->mapping.path(); }

  /// Returns its promises at so many attempts of a call, of all processes together. Include anew/bounds.hpp.
  template <class Promise = detail::quota_promise>
  [[nodiscard]] auto promises(std::uint64_t attempts) const noexcept {
    return opened_->numbers.template promises<Promise>(attempts);
  }

  [[nodiscard]] std::string describe() const {
    return detail::written("process", opened_->mapping.place(), opened_->numbers);
  }

 private:
  [[nodiscard]] detail::bucket_view bucket() const noexcept { return {opened_->numbers.all_terms(), opened_->balance}; }

  struct opened {
    opened(std::string_view place, detail::any_count capacity, retry_costs costs, refund given_back, payment how,
           detail::kept_files& files)
        : numbers{capacity, costs, given_back, how},
          mapping{place, numbers.describe(), numbers.all_terms().full, files},
          balance{*static_cast<detail::atomic_cell<std::uint32_t>*>(mapping.body())} {}

    anew::token_bucket<run_time_count> numbers;  // its own balance is not used
    detail::quota_mapping mapping;
    detail::atomic_cell<std::uint32_t>& balance;
  };

  std::shared_ptr<opened> opened_;
};

}  // namespace anew::inline ANEW_ABI::process

#endif
