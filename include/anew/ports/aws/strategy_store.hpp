// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_STRATEGY_STORE_HPP
#define ANEW_PORTS_AWS_STRATEGY_STORE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/ports/aws/resolve.hpp"
#include "anew/ports/aws/settings.hpp"

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
class reloadable : pinned::immovable<reloadable<T>> {
 public:
  explicit reloadable(std::shared_ptr<T const> first) noexcept : values_{std::move(first), nullptr} {}

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

/// The result of a reload whose settings can be used.
enum class reload_status : std::uint8_t {
  unchanged,  ///< the same values: the strategy stays, with all that it has learnt
  changed,    ///< a new strategy is in force
};

namespace detail {

/// The result of `make` as a shared pointer: a strategy, or the target of a smart pointer.
template <class T>
struct made_by : std::type_identity<T> {
  static std::shared_ptr<T const> keep(T&& made) { return std::make_shared<T const>(std::move(made)); }
};
template <class Pointer>
  requires requires { typename Pointer::element_type; }
struct made_by<Pointer> : std::remove_const<typename Pointer::element_type> {
  static std::shared_ptr<typename Pointer::element_type const> keep(Pointer&& made) { return std::move(made); }
};

}  // namespace detail

/// The current strategy, and a way to replace it while calls are in flight.
///
///     anew::aws_settings::strategy_store store{[] { return anew::aws_settings::try_resolve(); },
///                                        [](anew::aws_settings::settings const& s) { return anew::aws_settings::make_strategy(s); }};
///     auto const strategy = store.snapshot();  // for one call, which keeps it
///     store.reload();                          // on a signal, on a timer, on a change of the file
///
/// `Load` is `load() -> result<settings>`; `Make` is `make(settings const&) ->` a strategy, or a smart pointer to one.
/// A reload that finds the same values changes nothing: quota, breaker and limiter stay as they are. Other values make
/// a new strategy, whose quota is full; to keep a quota across the change, put the same `shared<>` into each strategy
/// in `make`. With invalid settings nothing changes. A strategy never mixes old and new settings.
///
/// Requires: `load` and `make` may be called from every thread that reloads, one at a time
/// Cost: as `reloadable`; a reload reads files, and keeps no reader waiting for that
/// Choose it where settings change while the program runs. Where they do not: make_strategy(resolve()).
template <class Load, class Make>
class strategy_store {
  using made = detail::made_by<std::remove_cvref_t<std::invoke_result_t<Make&, settings const&>>>;

 public:
  using strategy_type = typename made::type;

  /// Loads for the first time; throws the `config_error` of invalid settings.
  strategy_store(Load load, Make make) : strategy_store{resolved(load), std::move(load), std::move(make)} {}

  /// Starts with these settings.
  strategy_store(settings first, Load load, Make make)
      : load_{std::move(load)}, make_{std::move(make)}, now_{in_force::make(std::move(first), make_)} {}

  /// For one call, or a batch of calls: a reload does not change it.
  [[nodiscard]] std::shared_ptr<strategy_type const> snapshot() const { return now_.snapshot()->strategy; }

  /// The settings from which `snapshot()` is made.
  [[nodiscard]] settings current() const { return now_.snapshot()->from; }

  /// Reloads. An exception of `load` or `make` propagates, and nothing changes.
  result<reload_status> reload() {
    anew::detail::fork_safe_lock const one_at_a_time{loading_, anew::detail::nothing_to_recover};
    result<settings> loaded = load_();
    if (!loaded) return loaded.error();
    auto const before = now_.snapshot();
    if (loaded->same_values(before->from)) {
      // The same, though perhaps from elsewhere.
      now_.replace(std::make_shared<in_force const>(in_force{*std::move(loaded), before->strategy}));
      return reload_status::unchanged;
    }
    now_.replace(in_force::make(*std::move(loaded), make_));
    return reload_status::changed;
  }

 private:
  struct in_force {
    settings from;
    std::shared_ptr<strategy_type const> strategy;

    static std::shared_ptr<in_force const> make(settings from, Make& make) {
      auto strategy = made::keep(make(std::as_const(from)));
      return std::make_shared<in_force const>(in_force{std::move(from), std::move(strategy)});
    }
  };

  static settings resolved(Load& load) { return result<settings>{load()}.value(); }

  anew::detail::fork_safe_mutex loading_;
  Load load_;
  Make make_;
  reloadable<in_force> now_;
};

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
