// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_PACER_HPP
#define ANEW_TESTING_LAWS_PACER_HPP

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/roles/pacer.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

inline constexpr time_point pacer_begins{duration{1'000'000'000'000}};
inline constexpr failure was_throttled{.kind = error_kind::throttling};

/// One second of throttled attempts, ten milliseconds apart. Returns the end of it.
template <Pacer P>
time_point throttle_storm(P const& pacer) {
  auto now = pacer_begins;
  for (int attempt = 0; attempt < 100; ++attempt, now += duration{10'000'000}) {
    typename P::ticket_type ticket{};
    auto const answer = pacer.ask(ticket, now);
    if (answer.refused || answer.wait > duration::zero()) {
      pacer.release(ticket);
    } else {
      pacer.on_failure(was_throttled, now);
    }
  }
  return now;
}

/// The answer to an attempt that asks and then leaves.
template <Pacer P>
pace ask_and_leave(P const& pacer, time_point now) {
  typename P::ticket_type ticket{};
  auto const answer = pacer.ask(ticket, now);
  pacer.release(ticket);
  return answer;
}

/// Takes everything that is available now. Returns true when that is bounded.
bool exhaust(Pacer auto const& pacer, time_point now) {
  for (int attempt = 0; attempt < 10'000; ++attempt) {
    auto const answer = ask_and_leave(pacer, now);
    if (answer.refused || answer.wait > duration::zero()) return true;
  }
  return false;
}

/// Advances the time by each requested wait; returns true when the attempt is admitted in the end.
template <Pacer P>
bool waits_until_it_may(P const& pacer, time_point& now, int most) {
  typename P::ticket_type ticket{};
  for (int asked = 0; asked < most; ++asked) {
    auto const answer = pacer.ask(ticket, now);
    if (!answer.refused && answer.wait <= duration::zero()) return ticket == typename P::ticket_type{};
    // A refused attempt comes back as a new call, a second later.
    now = detail::saturating_add(now, answer.refused ? duration{1'000'000'000} : answer.wait);
  }
  pacer.release(ticket);
  return false;
}

/// A pacer that has seen nothing lets the first attempt through: it has no reason not to.
template <Pacer P>
AssertionResult a_new_pacer_lets_through(P const& pacer) {
  typename P::ticket_type ticket{};
  auto const answer = pacer.ask(ticket, pacer_begins);
  if (answer.refused) return AssertionFailure() << "it refuses";
  if (answer.wait != duration::zero()) return AssertionFailure() << "it answers " << text(answer.wait);
  return AssertionSuccess();
}

/// An attempt that waits as requested is admitted within an hour, however many attempts were throttled.
AssertionResult nobody_waits_for_ever(Pacer auto const& pacer) {
  auto const over = throttle_storm(pacer);
  auto now = over;
  for (int caller = 0; caller < 20; ++caller) {
    if (!waits_until_it_may(pacer, now, 10'000)) {
      return AssertionFailure() << "a caller asked 10000 times, the last time " << text(now - over)
                                << " after the first";
    }
    if (now - over > duration{3'600'000'000'000}) return AssertionFailure() << "it let a caller wait for an hour";
    pacer.on_success(now);
  }
  return AssertionSuccess();
}

/// A wait is not negative, also where the clocks of several threads are not quite one; and only a waiting attempt holds
/// a ticket.
template <Pacer P>
AssertionResult a_wait_is_not_negative(P const& pacer) {
  generator dice{3, 110};
  auto now = throttle_storm(pacer);
  std::vector<typename P::ticket_type> waiting;
  for (int i = 0; i < 5'000; ++i) {
    auto const roll = dice();
    now += duration{static_cast<std::int64_t>(roll % 200'000'000) - 50'000'000};
    typename P::ticket_type ticket{};
    auto const answer = pacer.ask(ticket, now);
    if (answer.wait < duration::zero()) return AssertionFailure() << "it answered " << text(answer.wait);
    if (!answer.refused && answer.wait == duration::zero() && ticket != typename P::ticket_type{}) {
      return AssertionFailure() << "an attempt that it let through still holds a ticket";
    }
    if (answer.refused) {
      if (ticket != typename P::ticket_type{}) return AssertionFailure() << "who is refused holds a ticket";
    } else if (answer.wait > duration::zero() && waiting.size() < 50) {
      waiting.push_back(ticket);
    } else {
      pacer.release(ticket);
      if ((roll >> 32U) % 3 == 0) {
        pacer.on_failure(was_throttled, now);
      } else {
        pacer.on_success(now);
      }
    }
    if (!waiting.empty() && (roll >> 40U) % 4 == 0) {
      pacer.release(waiting.back());
      waiting.pop_back();
    }
  }
  for (auto const& ticket : waiting) pacer.release(ticket);
  return AssertionSuccess();
}

/// The next attempt waits as long as before, save for rounding.
AssertionResult waits_as_before(Pacer auto const& pacer, time_point now, duration before, duration rounding) {
  auto const after = ask_and_leave(pacer, now).wait;
  return AssertionResult(after <= before + rounding && after >= before - rounding)
         << "before, the wait was " << text(before) << ", and after others went away " << text(after);
}

/// Attempts that left delay no others: however many took a place and returned it, the next attempt waits as long as
/// before.
template <Pacer P>
AssertionResult a_leaver_delays_no_waiter(P const& pacer) {
  auto const now = throttle_storm(pacer);
  if (!exhaust(pacer, now)) return AssertionSuccess();
  auto const before = ask_and_leave(pacer, now).wait;
  for (int round = 0; round < 10; ++round) {
    std::vector<typename P::ticket_type> waiting(100);
    for (auto& ticket : waiting) static_cast<void>(pacer.ask(ticket, now));
    for (auto const& ticket : waiting) pacer.release(ticket);
    if (auto result = waits_as_before(pacer, now, before, duration{1}); !result) return result;
  }
  return AssertionSuccess();
}

/// The same from several threads, of which each throws away what it holds.
template <Pacer P>
AssertionResult a_leaver_delays_no_waiter_under_contention(P const& pacer) {
  auto const now = throttle_storm(pacer);
  if (!exhaust(pacer, now)) return AssertionSuccess();
  auto const before = ask_and_leave(pacer, now).wait;
  on_threads([&](unsigned number) {
    generator dice{number, 111};
    std::vector<typename P::ticket_type> waiting;
    for (int i = 0; i < 2'000; ++i) {
      if (dice() % 2 == 0) {
        typename P::ticket_type ticket{};
        static_cast<void>(pacer.ask(ticket, now));
        waiting.push_back(ticket);
      } else if (!waiting.empty()) {
        pacer.release(waiting.back());
        waiting.pop_back();
      }
    }
    for (auto const& ticket : waiting) pacer.release(ticket);
  });
  return waits_as_before(pacer, now, before, duration{1'000});
}

/// An attempt that asks again before its wait is over gets the rest of the wait, or is admitted; asking does not
/// lengthen the wait.
template <Pacer P>
AssertionResult asking_early_costs_nothing(P const& pacer) {
  auto const now = throttle_storm(pacer);
  if (!exhaust(pacer, now)) return AssertionSuccess();
  typename P::ticket_type ticket{};
  auto const told = pacer.ask(ticket, now);
  if (told.refused || told.wait <= duration::zero()) {
    pacer.release(ticket);
    return AssertionSuccess();  // it delays no attempt
  }
  for (int i = 1; i < 10; ++i) {
    auto const later = now + told.wait / 10 * i;
    auto const again = pacer.ask(ticket, later);
    if (!again.refused && again.wait == duration::zero()) return AssertionSuccess();
    if (again.refused || later + again.wait > now + told.wait + duration{1'000}) {
      return AssertionFailure() << "it said " << text(told.wait) << ", and after " << text(later - now)
                                << (again.refused ? " it refuses" : " it says ") << text(again.wait);
    }
  }
  pacer.release(ticket);
  return AssertionSuccess();
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every pacer.
ANEW_LAWS(PacerLaws, Pacer)

ANEW_LAW(PacerLaws, ANewPacerLetsThrough, a_new_pacer_lets_through(this->subject()))
ANEW_LAW(PacerLaws, NobodyWaitsForEver, nobody_waits_for_ever(this->subject()))
ANEW_LAW(PacerLaws, AWaitIsNotNegative, a_wait_is_not_negative(this->subject()))
ANEW_LAW(PacerLaws, WhoGoesAwayMakesNobodyWait, a_leaver_delays_no_waiter(this->subject()))
ANEW_LAW(PacerLaws, WhoGoesAwayMakesNobodyWaitUnderContention,
         a_leaver_delays_no_waiter_under_contention(this->subject()))
ANEW_LAW(PacerLaws, AskingEarlyCostsNothing, asking_early_costs_nothing(this->subject()))
REGISTER_TYPED_TEST_SUITE_P(PacerLaws, ANewPacerLetsThrough, NobodyWaitsForEver, AWaitIsNotNegative,
                            WhoGoesAwayMakesNobodyWait, WhoGoesAwayMakesNobodyWaitUnderContention,
                            AskingEarlyCostsNothing);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
