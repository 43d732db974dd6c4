// SPDX-License-Identifier: BSL-1.0
// pthread_cancel ends a thread by unwinding its stack, in glibc with an exception of its own kind. Whoever swallows
// that ends the process; whoever takes it for an error makes another attempt of a thread that is to end.
#include <pthread.h>
#include <semaphore.h>

#include <chrono>
#include <version>

#include <gtest/gtest.h>
#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

#include "anew/anew.hpp"
#include "anew/drivers/spinning_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "names.hpp"
#include "pinned.hpp"

namespace retry_cancellation_test {

// AddressSanitizer does not follow the unwinding of a cancelled thread: what it left poisoned looks like an overflow.
#if defined(__SANITIZE_ADDRESS__)
#define ANEW_TEST_CANCELS 0
#elif defined(__has_feature)
#define ANEW_TEST_CANCELS !__has_feature(address_sanitizer)
#else
#define ANEW_TEST_CANCELS 1
#endif

#if defined(__GLIBC__) && defined(__GLIBCXX__) && ANEW_TEST_CANCELS
namespace {

/// Blocks for ever, at a cancellation point.
struct nothing_comes : support::pinned {
  ::sem_t never{};
  nothing_comes() { ::sem_init(&never, 0, 0); }
  ~nothing_comes() { ::sem_destroy(&never); }
  void wait() { ::sem_wait(&never); }
};

/// Runs a function in a thread of its own that is cancelled: at once, so that it ends at its first cancellation point.
template <class Body>
class cancelled_thread {
 public:
  explicit cancelled_thread(Body body) : body_{body} {}

  /// True when the thread ended because it was cancelled.
  bool run() {
    ::pthread_t thread{};
    EXPECT_EQ(::pthread_create(&thread, nullptr, &start, this), 0);
    EXPECT_EQ(::pthread_cancel(thread), 0);
    ::sem_post(&cancelled_.never);
    void* result = nullptr;
    EXPECT_EQ(::pthread_join(thread, &result), 0);
    EXPECT_FALSE(returned_);
    EXPECT_TRUE(unwound_) << "the destructors on the thread's stack ran";
    return result == PTHREAD_CANCELED;
  }

 private:
  static void* start(void* self) {
    static_cast<cancelled_thread*>(self)->go();
    return nullptr;
  }
  void go() {
    struct witness {
      bool* seen;
      ~witness() { *seen = true; }
    } const on_the_stack{&unwound_};
    // Not before the request is there: from here on the first cancellation point ends the thread, wherever it is.
    int state = 0;
    ::pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    cancelled_.wait();
    ::pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state);
    body_();
    returned_ = true;
  }

  Body body_;
  nothing_comes cancelled_{};
  bool returned_ = false;
  bool unwound_ = false;
};

using stubborn = anew::strategy<anew::retry_all, anew::constant_backoff<1h>, anew::no_jitter, anew::max_attempts<5>,
                                anew::token_bucket<100>>;

/// Cancelled in the attempt `first_blocking`: the first fails as usual before a second, which the cold function makes.
void operation_blocks(int first_blocking, auto call) {
  stubborn const strategy;
  int calls = 0;
  nothing_comes here;
  auto const operation = [&]() -> bool {
    if (++calls == first_blocking) here.wait();
    return false;
  };
  EXPECT_TRUE(cancelled_thread{[&] { call(strategy, operation, no_sleep); }}.run());
  EXPECT_EQ(calls, first_blocking) << "a thread that is cancelled makes no further attempt";
  EXPECT_EQ(strategy.quota().balance(), 100U);
}
void sleeper_blocks(char const* how, auto const&... arguments) {
  SCOPED_TRACE(how);
  auto const blocks = [](auto const& call) {
    stubborn const strategy;
    int calls = 0;
    EXPECT_TRUE(cancelled_thread{[&] { call(strategy, [&] { return ++calls, false; }); }}.run());
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(strategy.quota().balance(), 100U) << "the retry that was not made is given back";
  };
  blocks([&](auto const& s, auto op) { (void)anew::retry(s, op, arguments...); });
  blocks([&](auto const& s, auto op) { static_cast<void>(anew::retry_outcome(s, op, arguments...)); });
}

TEST(RetryCancellation, InAnAttempt) {
  for (int const first_blocking : {1, 2}) {
    SCOPED_TRACE(first_blocking);
    operation_blocks(first_blocking, [](auto const& s, auto& op, auto& sleep) { (void)anew::retry(s, op, sleep); });
    operation_blocks(first_blocking, [](auto const& s, auto& op, auto& sleep) {
      static_cast<void>(anew::retry_outcome(s, op, sleep));
    });
  }
}
TEST(RetryCancellation, InAnAttemptUnderTypedClauses) {
  anew::strategy<anew::retry_on<int, long>, anew::no_backoff, anew::max_attempts<5>> const strategy;
  int calls = 0;
  nothing_comes here;
  EXPECT_TRUE(cancelled_thread{[&] { anew::retry(strategy, [&] { return ++calls, here.wait(); }); }}.run());
  EXPECT_EQ(calls, 1);
}
TEST(RetryCancellation, InASleep) {
  sleeper_blocks("blocking");
  sleeper_blocks("hybrid", anew::hybrid_sleeper{});
#if defined(__cpp_lib_jthread)
  std::stop_source source;
  sleeper_blocks("blocking, and may be woken", source.get_token());
  sleeper_blocks("hybrid, and may be woken", anew::hybrid_sleeper{}, source.get_token());
  source.request_stop();  // nobody is registered any more
#endif
}

}  // namespace
#endif
}  // namespace retry_cancellation_test
