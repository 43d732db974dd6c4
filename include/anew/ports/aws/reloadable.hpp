// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_RELOADABLE_HPP
#define ANEW_PORTS_AWS_RELOADABLE_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

/// A value that is replaced as a whole while others use it: each user keeps the snapshot it took, as long as it needs.
///
///     auto const strategy = store.snapshot();   // one per call
///     anew::retry(*strategy, operation);
///
/// Requires: a pointer that is not null. All functions from any thread.
/// Cost: a mutex held for the copy of a pointer, per snapshot. `std::atomic<std::shared_ptr>` would be a lock as well, and
/// libc++ 19 has none; take a snapshot per call, or per batch of calls, not per attempt.
/// Choose it for a value that changes while the program runs. For the settings of one call use adjusted().
template <class T>
class reloadable {
 public:
  explicit reloadable(std::shared_ptr<T const> first) noexcept : values_{std::move(first), nullptr} {}
  reloadable(reloadable const&) = delete;
  reloadable& operator=(reloadable const&) = delete;
  ~reloadable() = default;

  [[nodiscard]] std::shared_ptr<T const> snapshot() const {
    anew::detail::fork_safe_lock const lock{mutex_, forgets_the_other()};
    return values_[in_force_];
  }

  /// Makes further snapshots return `next`. The old value is destroyed with its last snapshot, outside the lock.
  void replace(std::shared_ptr<T const> next) {
    anew::detail::fork_safe_lock const lock{mutex_, forgets_the_other()};
    values_[1 - in_force_] = std::move(next);
    anew::detail::atomic_view<std::size_t>{in_force_}.store_release(1 - in_force_);  // behind the value
    next = std::exchange(values_[1 - in_force_], nullptr);
  }

 private:
  /// For a forked child whose parent was replacing the value in another thread: one of the two is complete.
  [[nodiscard]] auto forgets_the_other() const noexcept {
    return [this] { std::construct_at(std::addressof(values_[1 - in_force_])); };
  }

  mutable anew::detail::fork_safe_mutex mutex_;
  mutable std::array<std::shared_ptr<T const>, 2> values_;
  std::size_t in_force_ = 0;
};

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
