// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <utility>

#include <boost/asio.hpp>

#include "anew/anew.hpp"
#include "anew/asio.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"

/// Counts what asynchronous calls take from memory once the loop is warm, and the stack of ten million retries of an
/// operation that completes inside its initiation. Exits with 1 where a count is not what it should be.
///
/// Asio takes aligned memory from the C library and not from operator new, so what is counted is what both ask.
namespace {
std::uint64_t from_the_heap = 0;
}  // namespace

// Under these names glibc has its own, for programs that put others in their place.
extern "C" {
void* __libc_malloc(std::size_t size) noexcept;
void* __libc_calloc(std::size_t count, std::size_t size) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t size) noexcept;

void* malloc(std::size_t size) noexcept {
  ++from_the_heap;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  ++from_the_heap;
  return __libc_calloc(count, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++from_the_heap;
  return __libc_memalign(alignment, size);
}
}

namespace {

using namespace std::chrono_literals;
namespace net = boost::asio;
using error_code = boost::system::error_code;

net::io_context loop;
error_code const refused = net::error::connection_refused;

/// Blocks of the program's own, and how many were handed out and came back: those of the calls, and those of what else the
/// program posts, which shall not take the memory that Asio keeps for the calls.
enum class used_by : unsigned char { calls, program };
template <used_by By>
struct blocks {
  static constexpr std::size_t size = 4096;
  static inline std::array<std::array<std::byte, size>, 16> all;
  static inline std::array<bool, 16> taken{};
  static inline std::uint64_t allocations = 0;
  static inline std::uint64_t deallocations = 0;

  static void* take(std::size_t bytes) {
    ++allocations;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!taken[i] && bytes <= size) {
        taken[i] = true;
        return all[i].data();
      }
    }
    std::abort();
  }
  static void give_back(void* block) {
    ++deallocations;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].data() == block) taken[i] = false;
    }
  }
};
using of_calls = blocks<used_by::calls>;
template <class T, used_by By = used_by::calls>
struct block_allocator {
  using value_type = T;
  template <class U>
  struct rebind {
    using other = block_allocator<U, By>;
  };
  block_allocator() = default;
  template <class U>
  block_allocator(block_allocator<U, By> const& /*other*/) noexcept {}
  [[nodiscard]] T* allocate(std::size_t n) { return static_cast<T*>(blocks<By>::take(n * sizeof(T))); }
  void deallocate(T* p, std::size_t /*n*/) noexcept { blocks<By>::give_back(p); }
  friend bool operator==(block_allocator const& /*a*/, block_allocator const& /*b*/) { return true; }
};

void next();

/// What came of a call: its error, and whether it is the expected one.
struct ending {
  error_code expected{};
  static inline std::uint64_t wrong = 0;
  void operator()(error_code error = {}, int /*value*/ = 0) const {
    if (error != expected) ++wrong;
    next();
  }
};
struct coroutine_ending {
  static void operator_called(std::exception_ptr const& thrown) {
    if (thrown) ++ending::wrong;
    next();
  }
  void operator()(std::exception_ptr thrown, int /*value*/ = 0) const { operator_called(thrown); }
};

/// With the handler's default allocator, and with one that counts.
template <bool IsCounted, class Handler>
auto bound(Handler handler) {
  auto on_loop = net::bind_executor(loop.get_executor(), handler);
  if constexpr (IsCounted) {
    return net::bind_allocator(block_allocator<void>{}, on_loop);
  } else {
    return on_loop;
  }
}

template <class Posted>
auto own(Posted posted) {
  return net::bind_allocator(block_allocator<void, used_by::program>{}, posted);
}

/// Fails so many times before it succeeds; nothing in it, so that a first attempt may begin without a call around it.
unsigned failures_left = 0;
struct failing {
  template <class Token>
  auto operator()(Token&& token) const {
    return net::async_initiate<Token, void(error_code)>(
        [](auto handler) {
          auto const error = failures_left == 0 ? error_code{} : refused;
          if (failures_left != 0) --failures_left;
          net::post(loop, net::append(std::move(handler), error));
        },
        token);
  }
};
/// The same with something of its own, told of its attempt.
struct failing_of_state {
  std::array<char, 40> request{};
  template <class Token>
  auto operator()(anew::attempt& /*self*/, Token&& token) const {
    return failing{}(std::forward<Token>(token));
  }
};
struct coroutine {
  net::awaitable<int> operator()(anew::attempt& /*self*/) const {
    co_await net::post(loop, net::use_awaitable);
    co_return 1;
  }
};

using plain = anew::strategy<anew::retry_all, anew::no_backoff, anew::no_jitter, anew::max_attempts<3>,
                             anew::token_bucket<1'000'000>>;
plain const at_once{};
anew::with<plain, anew::constant_backoff<1us>> const soon{};
anew::with<plain, anew::constant_backoff<1h>> const in_an_hour{};
anew::with<plain, anew::attempt_timeout<1h>> const limited{};
net::cancellation_signal stop;

template <bool IsCounted>
void success() {
  anew::async_retry(at_once, failing{}, bound<IsCounted>(ending{}));
}
template <bool IsCounted>
void success_of_state() {
  anew::async_retry(at_once, failing_of_state{}, bound<IsCounted>(ending{}));
}
template <bool IsCounted>
void success_with_slot() {
  anew::async_retry(at_once, failing{}, net::bind_cancellation_slot(stop.slot(), bound<IsCounted>(ending{})));
}
template <bool IsCounted>
void retry_at_once() {
  failures_left = 1;
  anew::async_retry(at_once, failing{}, bound<IsCounted>(ending{}));
}
template <bool IsCounted>
void retry_after_a_wait() {
  failures_left = 2;
  anew::async_retry(soon, failing_of_state{}, bound<IsCounted>(ending{}));
}
template <bool IsCounted>
void stopped_in_the_wait() {
  failures_left = 1;
  anew::async_retry(in_an_hour, failing{},
                    net::bind_cancellation_slot(stop.slot(), bound<IsCounted>(ending{net::error::operation_aborted})));
  // The attempt fails in the turn before the last of these.
  net::post(loop, own([] { net::post(loop, own([] { stop.emit(net::cancellation_type::terminal); })); }));
}
template <bool IsCounted>
void limited_attempt() {
  failures_left = 1;
  anew::async_retry(limited, failing{}, bound<IsCounted>(ending{}));
}
anew::coarse_timers const coarse{loop, 10ms};
template <bool IsCounted>
void limited_on_coarse_timers() {
  failures_left = 1;
  anew::async_retry(coarse, limited, failing{}, bound<IsCounted>(ending{}));
}
template <bool IsCounted>
void coroutine_operation() {
  anew::async_retry(at_once, anew::throws_only(coroutine{}), bound<IsCounted>(coroutine_ending{}));
}
/// What Asio takes by itself for such a coroutine.
template <bool IsCounted>
void bare_coroutine() {
  static anew::attempt self{anew::attempt::parts{}};
  net::co_spawn(loop, coroutine{}(self), bound<IsCounted>(coroutine_ending{}));
}

enum class gate : unsigned char {
  nothing,   ///< nothing of the heap
  as_bare,   ///< no more than what was measured last without a gate: Asio's own
  is_shown,  ///< no gate
};
struct scenario {
  char const* name;
  void (*run)();
  gate limit;
};
scenario const all[] = {
    {"success", &success<false>, gate::nothing},
    {"success, counted", &success<true>, gate::nothing},
    {"success_of_state", &success_of_state<false>, gate::nothing},
    {"success_of_state, counted", &success_of_state<true>, gate::nothing},
    {"success_with_slot", &success_with_slot<false>, gate::nothing},
    {"success_with_slot, counted", &success_with_slot<true>, gate::nothing},
    {"retry_at_once", &retry_at_once<false>, gate::nothing},
    {"retry_at_once, counted", &retry_at_once<true>, gate::nothing},
    {"retry_after_a_wait", &retry_after_a_wait<false>, gate::nothing},
    {"retry_after_a_wait, counted", &retry_after_a_wait<true>, gate::nothing},
    {"stopped_in_the_wait", &stopped_in_the_wait<false>, gate::nothing},
    {"stopped_in_the_wait, counted", &stopped_in_the_wait<true>, gate::nothing},
    {"limited_attempt", &limited_attempt<false>, gate::nothing},
    {"limited_attempt, counted", &limited_attempt<true>, gate::nothing},
    {"limited_on_coarse_timers", &limited_on_coarse_timers<false>, gate::nothing},
    {"limited_on_coarse_timers, counted", &limited_on_coarse_timers<true>, gate::nothing},
    {"bare_coroutine", &bare_coroutine<false>, gate::is_shown},
    {"coroutine_operation", &coroutine_operation<false>, gate::as_bare},
    {"bare_coroutine, counted", &bare_coroutine<true>, gate::is_shown},
    {"coroutine_operation, counted", &coroutine_operation<true>, gate::as_bare},
};

// As many calls as it takes until what is kept for the next one is there; and then those that are counted.
constexpr unsigned warm_up = 64;
constexpr unsigned counted = 1000;
std::size_t current = 0;
unsigned round_of_it = 0;
std::uint64_t heap_before = 0;
std::uint64_t blocks_before = 0;
std::uint64_t bare = 0;
int failures = 0;

void next() {
  if (round_of_it == warm_up) {
    heap_before = from_the_heap;
    blocks_before = of_calls::allocations;
  }
  if (round_of_it == warm_up + counted) {
    auto const taken = from_the_heap - heap_before;
    auto const limit = all[current].limit;
    bool const is_good = limit == gate::is_shown || taken <= (limit == gate::as_bare ? bare : 0);
    if (limit == gate::is_shown) bare = taken;
    if (!is_good) ++failures;
    std::printf("%-32s %6.2f of the heap a call, %5.2f of its allocator%s\n", all[current].name,
                static_cast<double>(taken) / counted,
                static_cast<double>(of_calls::allocations - blocks_before) / counted, is_good ? "" : "  TOO MUCH");
    round_of_it = 0;
    ++current;
  }
  if (current == std::size(all)) return;
  net::post(loop, [] {
    ++round_of_it;
    all[current].run();
  });
}

/// Completes inside its initiating function, against Asio's rules.
struct hasty {
  std::uint64_t left;
  char const* lowest = nullptr;
  char const* highest = nullptr;
  template <class Token>
  auto operator()(Token&& token) {
    return net::async_initiate<Token, void(error_code)>(
        [](auto handler, hasty& of) {
          char here = 0;
          char const* const where = &here;
          if (of.lowest == nullptr || std::less<>{}(where, of.lowest)) of.lowest = where;
          if (of.highest == nullptr || std::less<>{}(of.highest, where)) of.highest = where;
          std::move(handler)(--of.left > 0 ? refused : error_code{});
        },
        token, *this);
  }
};

void ten_million_retries() {
  anew::with<plain, anew::max_attempts<20'000'000>, anew::unlimited_quota> const strategy{};
  hasty operation{10'000'000};
  bool is_done = false;
  loop.restart();
  anew::async_retry(strategy, std::ref(operation),
                    net::bind_executor(loop.get_executor(), [&](error_code error) { is_done = !error; }));
  loop.run();
  auto const stack = operation.highest - operation.lowest;
  bool const is_good = is_done && operation.left == 0 && stack < 16'384;
  std::printf("%-32s %td bytes of stack%s\n", "ten million retries at once", stack, is_good ? "" : "  TOO MUCH");
  if (!is_good) ++failures;
}

}  // namespace

int main() {
  next();
  loop.run();
  ten_million_retries();
  if (of_calls::allocations != of_calls::deallocations) {
    std::printf("%llu blocks were not given back\n",
                static_cast<unsigned long long>(of_calls::allocations - of_calls::deallocations));
    ++failures;
  }
  if (ending::wrong != 0) {
    std::printf("%llu calls ended otherwise than expected\n", static_cast<unsigned long long>(ending::wrong));
    ++failures;
  }
  return failures == 0 ? 0 : 1;
}
