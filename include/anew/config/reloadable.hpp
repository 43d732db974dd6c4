// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONFIG_RELOADABLE_HPP
#define ANEW_CONFIG_RELOADABLE_HPP

#include <memory>
#include <mutex>
#include <utility>

namespace anew::config {

/// A value that is replaced as a whole while others use it: each keeps the snapshot that it took, as long as it wants.
///
///     auto const strategy = store.snapshot();   // one per call
///     anew::retry(*strategy, operation);
///
/// Requires: a pointer that is not null. All functions from any thread.
/// Cost: a mutex held for the copy of a pointer, per snapshot. `std::atomic<std::shared_ptr>` would be a lock as well, and
/// libc++ 19 has none; take a snapshot per call, or per batch of calls, not per attempt.
/// Choose it for what changes while the program runs. Not for settings of one call: adjusted().
template <class T>
class reloadable {
 public:
  explicit reloadable(std::shared_ptr<T const> first) noexcept : value_{std::move(first)} {}
  reloadable(reloadable const&) = delete;
  reloadable& operator=(reloadable const&) = delete;
  ~reloadable() = default;

  [[nodiscard]] std::shared_ptr<T const> snapshot() const {
    std::lock_guard const lock{mutex_};
    return value_;
  }

  /// From now on snapshots are of `next`. The old value goes when its last snapshot does, outside the lock.
  void replace(std::shared_ptr<T const> next) {
    std::lock_guard const lock{mutex_};
    value_.swap(next);
  }

 private:
  std::mutex mutable mutex_;
  std::shared_ptr<T const> value_;
};

}  // namespace anew::config

#endif
