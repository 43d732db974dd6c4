// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VALUE_RANDOM_HPP
#define ANEW_VALUE_RANDOM_HPP

#include <sys/random.h>

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/atomic.hpp"
#include "anew/platform/internal/fork.hpp"
#include "anew/platform/internal/process_wide.hpp"
#include "anew/value/duration.hpp"

/// The randomness of jitter: a small fast generator, one per thread, none of them alike. No `<random>`, which would
/// cost every user half of what `<chrono>` costs, and whose seeding costs more than a retry.
namespace anew::inline ANEW_ABI {

/// A source of random numbers: `r()` returns a `std::uint64_t`, uniform over the whole range.
/// `std::mt19937_64` is one, and so is a lambda that replays a script; `std::mt19937`, which yields 32 bits, is none.
template <class R>
concept RandomSource = std::is_object_v<std::remove_reference_t<R>> && requires(R& r) {
  { r() } -> std::same_as<std::uint64_t>;
} && (!requires { R::max(); } || requires { requires R::max() == ~std::uint64_t{0}; });

namespace detail {

/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators" (2014). A bijection of 64 bits.
constexpr std::uint64_t splitmix(std::uint64_t x) noexcept {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace detail

/// xoroshiro128++ 1.0 (Blackman and Vigna, 2019): 16 bytes, period 2^128 - 1, about 1 ns a number.
/// Choose it for jitter and tests with a seed. Not for anything that an adversary must not guess.
class generator {
 public:
  using result_type = std::uint64_t;

  /// The same two words give the same sequence; pairs that differ give unrelated ones. Any value will do.
  constexpr explicit generator(std::uint64_t seed, std::uint64_t stream = 0) noexcept
      : first_{detail::splitmix(seed ^ detail::splitmix(stream))}, second_{detail::splitmix(~seed + stream)} {
    if ((first_ | second_) == 0) first_ = 1;  // the one state that the generator never leaves
  }

  constexpr std::uint64_t operator()() noexcept {
    std::uint64_t const a = first_;
    std::uint64_t b = second_;
    std::uint64_t const result = rotate(a + b, 17) + a;
    b ^= a;
    first_ = rotate(a, 49) ^ b ^ (b << 21U);
    second_ = rotate(b, 28);
    return result;
  }

  static constexpr std::uint64_t min() noexcept { return 0; }
  static constexpr std::uint64_t max() noexcept { return ~std::uint64_t{0}; }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, unsigned by) noexcept { return (x << by) | (x >> (64U - by)); }
  std::uint64_t first_;
  std::uint64_t second_;
};

/// A delay in [0, bound], uniform (Lemire's multiplication; the bias is below 2^-64 times the bound in ns).
/// Requires bound >= 0. Draws exactly one number, and none when the bound is zero.
template <RandomSource R>
[[nodiscard]] constexpr duration random_up_to(duration bound, R& random) {
  if (bound <= duration::zero()) return duration::zero();
  auto const width = static_cast<detail::uint128>(bound.count()) + 1;
  return duration{static_cast<std::int64_t>((width * random()) >> 64U)};
}

namespace detail {

/// How often the operating system has been asked for randomness in this process, for tests.
inline atomic_view<std::uint64_t> entropy_requests() noexcept {
  return atomic_view<std::uint64_t>{anew_process::entropy_requests_1};
}

inline std::uint64_t ask_system_for_randomness() noexcept {
  entropy_requests().fetch_add(1);
  std::uint64_t value = 0;
  if (::getentropy(&value, sizeof value) == 0) return value;
  // Without getrandom(2) (a sandbox that forbids it) the time and the address-space layout still differ.
  auto const now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return splitmix(now) ^ splitmix(reinterpret_cast<std::uintptr_t>(&value));
}

/// The seed of this process, which the system is asked for once, and once more in a forked child. Nobody waits: a static
/// with a guard would be locked for ever in a child whose parent was just initialising it. Of two threads that ask at
/// the same time, one is told what the other was.
inline std::uint64_t process_seed() noexcept {
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

ANEW_COLD inline void reseed(thread_state& state) noexcept {
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
  std::uint64_t operator()() const noexcept {
    static constinit thread_local detail::thread_state state{generator{0}, 0};
    if (state.generation != detail::fork_generation().load()) [[unlikely]]
      detail::reseed(state);
    return state.random();
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
