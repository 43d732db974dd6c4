// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_GATE_HPP
#define ANEW_TESTING_LAWS_GATE_HPP

#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/internal/ask_gate.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

inline constexpr time_point gate_opened{duration{1'000'000'000'000}};
inline constexpr duration gate_day{86'400'000'000'000};

/// Random numbers that depend on `now` alone: two gates with one history stay alike.
inline auto draws_at(time_point now) {
  return [now] { return static_cast<std::uint64_t>(now.time_since_epoch().count()) * 0x9E3779B97F4A7C15U; };
}

/// An attempt that has not asked before asks whether it may begin.
template <Gate G>
admission<typename G::pass_type> enter(G const& gate, time_point now) {
  struct {
    time_point value = time_point::min();
  } place;
  return anew::detail::ask_gate(gate, place, now, draws_at(now));
}

/// An attempt fails.
template <Gate G>
void fail(G const& gate, typename G::pass_type pass, time_point now) {
  anew::detail::tell_gate(gate, pass, failure{.kind = error_kind::server}, now, draws_at(now));
}

/// The server is down for one second: attempts fail as they come, a millisecond apart. Returns when the second is over.
time_point outage(Gate auto const& gate) {
  auto now = gate_opened;
  for (int attempt = 0; attempt < 1'000; ++attempt, now += duration{1'000'000}) {
    auto const answer = laws::enter(gate, now);
    if (answer.pass) laws::fail(gate, *answer.pass, now);
  }
  return now;
}

template <Gate G>
bool would_refuse([[maybe_unused]] G const& gate, [[maybe_unused]] time_point at) {
  if constexpr (requires { gate.would_refuse(at); }) return gate.would_refuse(at);
  return false;
}

/// A gate that has seen nothing lets the first attempt begin, and no answer says to wait less than nothing.
AssertionResult a_new_gate_admits(Gate auto const& gate) {
  auto const answer = laws::enter(gate, gate_opened);
  return AssertionResult(answer.pass) << "it refuses, or would wait " << text(answer.wait);
}

/// However long the service was down, the gate admits an attempt a day later; when that succeeds, it admits every
/// attempt.
AssertionResult a_gate_opens_again(Gate auto const& gate) {
  auto now = outage(gate) + gate_day;
  int admitted = 0;
  for (int attempt = 0; attempt < 2'000; ++attempt, now += duration{1'000'000'000}) {
    auto const answer = laws::enter(gate, now);
    if (answer.pass) gate.on_success(*answer.pass, now);
    admitted += answer.pass ? 1 : 0;
  }
  if (admitted == 0) return AssertionFailure() << "a day after an outage it refuses every attempt";
  if (auto const answer = laws::enter(gate, now); answer.pass) return AssertionSuccess();
  return AssertionFailure() << "after " << admitted << " attempts that succeeded it refuses again";
}

/// A pass that is returned unused can be granted again: attempts that are not made use nothing up.
AssertionResult a_pass_given_back_is_there_again(Gate auto const& gate) {
  for (auto now = outage(gate); now < gate_opened + gate_day; now += duration{60'000'000'000}) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      auto const answer = laws::enter(gate, now);
      if (answer.pass) {
        gate.release(*answer.pass);
      } else if (attempt > 0) {
        return AssertionFailure() << "it admitted " << attempt << " attempts, which were not made, and then no more";
      } else {
        break;
      }
    }
  }
  if (laws::enter(gate, gate_opened + gate_day).pass) return AssertionSuccess();
  return AssertionFailure() << "a day after an outage, in which no attempt was made, it refuses every one";
}

/// A predicted refusal comes true, and the prediction changes nothing.
template <class T>
AssertionResult would_refuse_foresees() {
  auto const asked = testing::subject<T>();
  auto const left_alone = testing::subject<T>();
  outage(left_alone);
  for (auto now = outage(asked); now < gate_opened + gate_day; now += duration{30'000'000'000}) {
    bool const foreseen = laws::would_refuse(asked, now);
    for (int again = 0; again < 3; ++again) static_cast<void>(laws::would_refuse(asked, now + again * gate_day));
    auto const one = laws::enter(asked, now);
    auto const other = laws::enter(left_alone, now);
    if (one.pass && foreseen) return AssertionFailure() << "it said that it would refuse, and does not";
    if (one.pass.has_value() != other.pass.has_value()) {
      return AssertionFailure() << "it answers otherwise after it was asked whether it would refuse";
    }
    if (one.pass) laws::fail(asked, *one.pass, now);
    if (other.pass) laws::fail(left_alone, *other.pass, now);
  }
  return AssertionSuccess();
}

/// Whatever the pauses between attempts, every function returns, no answer says to wait less than nothing, and a year
/// after the last attempt the gate admits one.
template <class T>
AssertionResult a_gate_gets_through_years_of_use() {
  return laws::every_call_returns([](call_log& log) {
    using pass_type = typename subject_type<T>::pass_type;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      auto const gate = testing::subject<T>();
      years_of_use years{seed, gate_opened};
      std::vector<pass_type> passes;
      auto const end_one = [&](std::uint64_t how, time_point now) {
        auto const pass = passes.back();
        passes.pop_back();
        log.calls("on_success, on_failure or release", now);
        if (how % 4 == 0) {
          gate.release(pass);
        } else if (how % 4 == 1) {
          gate.on_success(pass, now);
        } else {
          laws::fail(gate, pass, now);
        }
      };
      for (int i = 0; i < 2'000 && !years.is_over(); ++i) {
        auto const now = years.next();
        log.calls("try_enter", now);
        auto const answer = laws::enter(gate, now);
        if (!answer.pass && answer.wait < duration::zero()) {
          return AssertionFailure() << "it says to wait " << text(answer.wait);
        }
        if (answer.pass) passes.push_back(*answer.pass);
        if (!passes.empty() && (passes.size() > 8 || years.roll() % 4 != 0)) end_one(years.roll(), now);
      }
      while (!passes.empty()) end_one(years.roll(), years.now());
      log.calls("try_enter", years.pause(duration{years_of_use::a_year}));
      if (!laws::enter(gate, years.now()).pass) {
        return AssertionFailure() << "a year after its last attempt it refuses (seed " << seed << ")";
      }
    }
    return AssertionSuccess();
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every gate.
ANEW_LAWS(GateLaws, Gate)

ANEW_LAW(GateLaws, ANewGateAdmits, a_new_gate_admits(this->subject()))
ANEW_LAW(GateLaws, AGateOpensAgain, a_gate_opens_again(this->subject()))
ANEW_LAW(GateLaws, APassGivenBackIsThereAgain, a_pass_given_back_is_there_again(this->subject()))
ANEW_LAW(GateLaws, WouldRefuseForesees, would_refuse_foresees<TypeParam>())
ANEW_LAW(GateLaws, ItGetsThroughYearsOfUse, a_gate_gets_through_years_of_use<TypeParam>())
REGISTER_TYPED_TEST_SUITE_P(GateLaws, ANewGateAdmits, AGateOpensAgain, APassGivenBackIsThereAgain, WouldRefuseForesees,
                            ItGetsThroughYearsOfUse);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
