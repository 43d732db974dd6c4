// SPDX-License-Identifier: BSL-1.0
#include <dlfcn.h>
#include <pthread.h>
#include <sys/random.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "anew/anew.hpp"
#if __has_include(<prometheus/collectable.h>)
#include "anew/prometheus.hpp"
#include "anew/strategy/adjusted.hpp"
#endif

#include "loops.hpp"
#include "outside.hpp"

/// Counts what a call must not do: allocate, lock, read a clock, ask the system for randomness, draw a number that nobody
/// needs. The functions that would do it are replaced in this program by ones that count. Exits with 1 where a count is
/// not what it should be.
namespace {

struct counts {
  unsigned allocations;
  unsigned locks;
  unsigned clock_reads;
  unsigned seeds;
  unsigned draws;
  friend bool operator==(counts const&, counts const&) = default;
};
counts so_far{};

template <class Function>
Function next(Function /*for its type*/, char const* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++so_far.allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc{};
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }

extern "C" int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  ++so_far.locks;
  static auto const real = next(&::pthread_mutex_lock, "pthread_mutex_lock");
  return real(mutex);
}

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  ++so_far.clock_reads;
  static auto const real = next(&::clock_gettime, "clock_gettime");
  return real(clock, now);
}

extern "C" int getentropy(void* buffer, std::size_t length) {
  ++so_far.seeds;
  static auto const real = next(&::getentropy, "getentropy");
  return real(buffer, length);
}

namespace {

using namespace loops;

/// The thread's generator, counted.
struct counted_random {
  using role = anew::roles::random_source;
  std::uint64_t operator()() const noexcept {
    ++so_far.draws;
    return anew::thread_random{}();
  }
};

using base = anew::with<plain, counted_random>;
using with_exceptions = anew::with<base, anew::retry_all>;
using with_bucket = anew::with<base, anew::token_bucket<500>>;
using with_deadline = anew::with<base, anew::deadline<1s>, anew::max_attempts<3>>;

with_bucket const bucket;

outside::answer always_fails() noexcept { return {0, outside::busy}; }
outside::answer fails_for_good() noexcept { return {0, 400}; }

unsigned failures = 0;

template <class Strategy, class Op>
void expect(char const* what, counts wanted, Strategy const& strategy, Op op) {
  for (int i = 0; i < 2; ++i) static_cast<void>(anew::retry(strategy, op, no_sleep));  // what happens once has happened
  auto const before = so_far;
  static_cast<void>(anew::retry(strategy, op, no_sleep));
  static_cast<void>(anew::retry(strategy, op, no_sleep));
  counts const found{so_far.allocations - before.allocations, so_far.locks - before.locks,
                     so_far.clock_reads - before.clock_reads, so_far.seeds - before.seeds, so_far.draws - before.draws};
  bool const right = found == wanted;
  failures += right ? 0 : 1;
  std::printf("%-42s %12u %6u %6u %6u %6u%s\n", what, found.allocations, found.locks, found.clock_reads, found.seeds,
              found.draws, right ? "" : "  WRONG");
}

}  // namespace

int main() {
  // The counters count: otherwise nothing below says anything.
  auto const before = so_far;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_mutex_lock(&mutex);
  ::pthread_mutex_unlock(&mutex);
  ::operator delete(::operator new(1));
  static_cast<void>(std::chrono::steady_clock::now());
  std::uint64_t seed = 0;
  static_cast<void>(::getentropy(&seed, sizeof seed));
  if (so_far.allocations == before.allocations || so_far.locks == before.locks ||
      so_far.clock_reads == before.clock_reads || so_far.seeds == before.seeds) {
    std::puts("a replaced function is not called: nothing can be counted here");
    return 77;
  }

  std::printf("%-42s %12s %6s %6s %6s %6s\n", "two calls:", "allocations", "locks", "clock", "seeds", "draws");
  expect("success, no quota", {}, base{}, outside::succeeds);
  expect("success, exceptions", {}, with_exceptions{}, anew::throws_only(outside::returns));
  expect("success, full bucket", {}, bucket, outside::succeeds);
  for (int i = 0; i < 10; ++i) static_cast<void>(bucket.quota().try_acquire(anew::failure{}));
  expect("success, half-empty bucket", {}, bucket, outside::succeeds);
  expect("success, deadline", {0, 0, 2, 0, 0}, with_deadline{}, outside::succeeds);
  expect("final error", {}, base{}, fails_for_good);
  expect("one retry, no quota", {0, 0, 0, 0, 2}, base{}, outside::fails_once);
  expect("one retry, bucket", {0, 0, 0, 0, 2}, bucket, outside::fails_once);
  expect("one retry, exceptions", {0, 0, 0, 0, 2}, with_exceptions{}, anew::throws_only(outside::throws_once));
  expect("two retries, no quota", {0, 0, 0, 0, 4}, base{}, always_fails);
#if __has_include(<prometheus/collectable.h>)
  anew::prometheus_metrics const metrics{std::make_shared<anew::prometheus_families>()};
  base const plainly{};
  auto const watched = anew::adjusted(plainly, metrics);
  expect("success, Prometheus", {0, 0, 4, 0, 0}, watched, outside::succeeds);
  expect("one retry, Prometheus", {0, 0, 4, 0, 2}, watched, outside::fails_once);
#endif
  return failures == 0 ? 0 : 1;
}
