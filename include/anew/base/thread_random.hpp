// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_THREAD_RANDOM_HPP
#define ANEW_BASE_THREAD_RANDOM_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/process_wide.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/base/random_source.hpp"

/// The randomness of jitter: a small fast generator, one per thread, all different. No `<random>`, which would cost
/// every user half of what `<chrono>` costs, and whose seeding costs more than a retry.
namespace anew::inline ANEW_ABI {

namespace detail {

// Templates, compiled where they are used: a platform without a system explains what it does not have.
template <class = void>
std::uint64_t ask_system_for_randomness() noexcept {
  std::uint64_t value = 0;
  if (detail::platform::entropy(value)) return value;
  // Without getrandom(2) (a sandbox that forbids it) the time and the address-space layout still differ.
  std::uint64_t now = 0;
  if constexpr (platform::has_clock) {
    now = static_cast<std::uint64_t>(detail::platform::now().time_since_epoch().count());
  }
  return splitmix(now) ^ splitmix(reinterpret_cast<std::uintptr_t>(&value));
}

/// The seed of this process, which the system is asked for once, and once more in a forked child. No thread waits: a
/// static with a guard would be locked for ever in a child whose parent was just initialising it. If two threads
/// ask at the same time, both get the seed of the first.
template <class = void>
std::uint64_t process_seed() noexcept {
  atomic_view<std::uint64_t> const seed{anew_process::seed_1};
  auto known = seed.load_acquire();
  if (known != 0) return known;
  auto fresh = ask_system_for_randomness();
  if (fresh == 0) fresh = 1;  // 0 means that the process has no seed yet
  return seed.compare_exchange(known, fresh) ? fresh : known;
}

struct thread_state {
  generator random;
  std::uint32_t generation;
};

template <class = void>
ANEW_COLD void reseed(thread_state& state) noexcept {
  state.generation = counted_fork_generation();  // before the seed: a child whose parent has one does not keep it
  auto const stream = atomic_view<std::uint64_t>{anew_process::streams_1}.fetch_add(1);
  state.random = generator{process_seed(), stream};
}

}  // namespace detail

/// The calling thread's generator, and the default source of every strategy.
///
/// No two threads share a sequence, nor do a process and its forked child: the operating system is asked for one seed
/// per process (and after a fork), and each thread takes a stream of its own.
/// Cost: a thread-local access and a compare; the first use in a process one getentropy(2), in a thread about 20 ns.
/// A child made by a raw clone(2) that bypasses the handlers of fork(2) keeps its parent's sequence.
struct thread_random {
  template <class = void>
  std::uint64_t operator()() const noexcept {
    static ANEW_THREAD_LOCAL detail::thread_state state{generator{0}, 0};
    if (state.generation != detail::fork_generation().load()) [[unlikely]]
      detail::reseed(state);
    return state.random();
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
