// SPDX-License-Identifier: BSL-1.0
// One behaviour, two faces: a strategy as its own type and behind the virtual interface make the same calls, through the
// drivers that block or that are stepped by hand. 10,000 calls of each composition, compared number by number: attempts,
// delays, reasons, hints, what is shared, what is returned and what is thrown.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/coroutine.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/poll.hpp"

#include "coroutine_support.hpp"
#include "two_faces.hpp"

namespace {

using namespace two_faces;

struct by_retry {
  template <class FarSide, class S>
  void operator()(S const& strategy, world& w) const {
    tell_call<FarSide>(w, [&] { return anew::retry(strategy, attempt_at<FarSide>(w), w.sleep()); });
  }
};

struct by_outcome {
  template <class FarSide, class S>
  void operator()(S const& strategy, world& w) const {
    auto told = anew::retry_outcome(strategy, anew::idempotent(attempt_at<FarSide>(w)), w.sleep());
    w.tell(told.reason());
    w.tell(told.attempts());
    if (w.has_clock) w.tell(told.elapsed());
    w.tell(told.last_hint());
    if constexpr (requires { told.history(); }) {
      for (auto const& failed : told.history()) {
        w.tell(failed.attempt);
        w.tell(static_cast<std::int64_t>(failed.what.kind));
        if (failed.error) w.tell(failed.error->kind);
      }
    }
    tell_call<FarSide>(w, [&] { return std::move(told).result(); });
  }
};

/// Takes results by their number, and errors and exceptions in turn.
template <class FarSide>
struct judge {
  using catches = anew::catch_list<std::exception>;
  static constexpr bool can_succeed = true;

  static std::optional<anew::directive> opinion(std::int64_t number) {
    switch (number % 7) {
      case 0: return anew::directive::succeed();
      case 1: return anew::directive::retry(anew::error_kind::throttling);
      case 2: return anew::directive::retry(anew::error_kind::transient, number % 2 == 0 ? 25ms : 24h);
      case 3: return number % 5 == 0 ? std::optional{anew::directive::fail()} : std::nullopt;
      default: return std::nullopt;
    }
  }
  static std::optional<anew::directive> on_result(typename FarSide::result const& r) {
    return opinion(FarSide::number(r));
  }
  template <class E>
  static std::optional<anew::directive> on_error(E const& error) {
    if constexpr (std::is_same_v<E, anew::unknown_exception>) {
      return anew::directive::fail();
    } else if constexpr (std::is_same_v<E, std::exception>) {
      return anew::directive::retry(anew::error_kind::transient);
    } else {
      static_cast<void>(error);
      return anew::directive::retry(anew::error_kind::timeout);
    }
  }
};

struct by_poll {
  template <class FarSide, class S>
  void operator()(S const& strategy, world& w) const {
    auto told = anew::poll(strategy, attempt_at<FarSide>(w), judge<FarSide>{}, w.sleep());
    w.tell(told.reason());
    w.tell(told.attempts());
    if (w.has_clock) w.tell(told.elapsed());
    if (told.has_result()) w.tell(FarSide::number(told.result()));
#if ANEW_EXCEPTIONS
    if (!told.has_result()) tell_exception(w, told.exception());
#endif
  }
};

struct by_machine {
  template <class FarSide, class S>
  void operator()(S const& strategy, world& w) const {
    auto const operation = attempt_at<FarSide>(w);
    anew::retry_machine call{strategy, anew::idempotent_call};
    auto step = call.begin();
    while (step != anew::next_step::finished) {
      if (step == anew::next_step::wait) {
        w.sleep()(call.wait());
        step = call.on_wait_over();
        continue;
      }
      anew::attempt self{call.current()};
      auto const limit = call.attempt_timeout();
      w.tell(limit);
      if (limit != anew::duration::max() && w.any(5) == 0) {  // an operation that never ends
        bool const is_the_last_of_the_time = limit == self.remaining();
        w.clock.advance(limit);
        step = call.on_attempt_timeout();
        if (is_the_last_of_the_time) {
          EXPECT_EQ(call.reason(), anew::stop_reason::deadline) << "the deadline ended the attempt, and so the call";
        }
        continue;
      }
#if ANEW_EXCEPTIONS
      try {
        auto const result = operation(self);
        w.tell(FarSide::number(result));
        step = call.on_outcome(result);
      } catch (...) {
        step = call.on_exception(std::current_exception());
      }
#else
      auto const result = operation(self);
      w.tell(FarSide::number(result));
      step = call.on_outcome(result);
#endif
    }
    w.tell(call.reason());
    w.tell(call.attempts());
  }
};

struct by_coroutine {
  template <class FarSide, class S>
  void operator()(S const& strategy, world& w) const {
    using result = typename FarSide::result;
    support::manual_loop loop{w.clock};
    auto operation = attempt_at<FarSide>(w);
    auto call = anew::retry(
        strategy, [&](anew::attempt& self) -> support::eager<result> { co_return operation(self); }, loop.sleep());
    loop.run();
    for (auto const delay : loop.delays) w.tell(delay);
    tell_call<FarSide>(w, [&] { return call.get(); });
  }
};

template <class Composition>
class TwoFaces : public ::testing::Test {};
#if ANEW_EXCEPTIONS && defined(__cpp_rtti)
using compositions =
    ::testing::Types<usual, breaker, cooling, rated, throttled, bounded, reserving, refilling, budgeted, concurrent,
                     limited, starting_over, hinted, pushed_back, observed, at_once, maybe_there, sockets, web,
                     statuses, predicate, named, aws_2026, aws_2020, aws_adaptive, aws_polling, kotlin, waiting,
                     workflow, nested_usual, nested_predicate, nested_web, remembering>;
#else
using compositions = ::testing::Types<usual, breaker, bounded, reserving, limited, at_once, sockets, web, predicate,
                                      named, aws_2020, workflow, nested_usual, nested_web>;
#endif
TYPED_TEST_SUITE(TwoFaces, compositions);

template <class Composition, class... All>
consteval std::size_t place(::testing::Types<All...> /*list*/) {
  std::size_t before = 0;
  static_cast<void>((... || (std::is_same_v<Composition, All> || (++before, false))));
  return before;
}

/// Each composition through retry(), and through one of the others in turn: that drivers do the same with one strategy is
/// asked by the stories of the kit, and of each driver below.
TYPED_TEST(TwoFaces, Retry) { EXPECT_EQ((first_difference<TypeParam>(by_retry{})), ""); }
TYPED_TEST(TwoFaces, OneOfTheOtherDrivers) {
  using drivers = std::tuple<by_outcome, by_poll, by_machine, by_coroutine>;
  using driver = std::tuple_element_t<place<TypeParam>(compositions{}) % std::tuple_size_v<drivers>, drivers>;
  EXPECT_EQ((first_difference<TypeParam>(driver{})), "");
}

void expect_alike(auto const& driver) {
  for (auto const* const text : written_compositions) {
    SCOPED_TRACE(text);
    written::text = text;
    EXPECT_EQ(first_difference<written>(driver), "");
  }
}
/// The same for a strategy that is adjusted, and adjusted once more, behind the interface.
void expect_alike_when_adjusted(auto const& driver) {
  for (auto const* const rest : refined_rests) {
    for (auto const* const limits : refined_limits) {
      SCOPED_TRACE(std::string{rest} + " | " + limits);
      refined::rest = rest;
      refined::limits = limits;
      EXPECT_EQ(first_difference<refined>(driver), "");
    }
  }
}
TEST(TwoFacesAdjusted, RetryOutcome) { expect_alike_when_adjusted(by_outcome{}); }
TEST(TwoFacesAdjusted, Poll) { expect_alike_when_adjusted(by_poll{}); }
TEST(TwoFacesAdjusted, Machine) { expect_alike_when_adjusted(by_machine{}); }

TEST(TwoFacesWritten, Retry) { expect_alike(by_retry{}); }
TEST(TwoFacesWritten, RetryOutcome) { expect_alike(by_outcome{}); }
TEST(TwoFacesWritten, Poll) { expect_alike(by_poll{}); }
TEST(TwoFacesWritten, Machine) { expect_alike(by_machine{}); }
TEST(TwoFacesWritten, Coroutine) { expect_alike(by_coroutine{}); }

/// A call inside a call, which a driver that blocks alone can know.
TEST(TwoFacesNested, ACallInsideACall) {
  auto const inside = []<class FarSide>(auto const& strategy, world& w) {
    auto const inner = [&] {
      by_retry{}.template operator()<FarSide>(strategy, w);
      by_poll{}.template operator()<FarSide>(strategy, w);
      return FarSide::draw(w);
    };
    tell_call<FarSide>(w, [&] { return anew::retry(strategy, inner, w.sleep()); });
  };
  EXPECT_EQ((first_difference<guarded>(inside)), "");
  EXPECT_EQ((first_difference<nested<guarded>>(inside)), "");
}

}  // namespace
