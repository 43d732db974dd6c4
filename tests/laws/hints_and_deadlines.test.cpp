// SPDX-License-Identifier: BSL-1.0
// Hints have a bound of their own, and a deadline is a deadline: hints from the whole range of 64 bits, any cap, any bound
// and any deadline, beside a model of one page. No attempt begins before a hint that is obeyed is over, none after the
// deadline; a hint that is too long ends the call, and so does one behind the deadline; a refusal charges nothing.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"
#include "hint_model.hpp"
#include "length.hpp"

namespace {

using namespace anew;
using namespace support;

constexpr std::int64_t a_minute = 60'000'000'000;
constexpr int most_bits = 56;
constexpr std::uint32_t cost = 14;
constexpr std::int64_t end_of_time = std::numeric_limits<std::int64_t>::max();

struct rules : support::hint_rules {
  long_hint then = long_hint::stop;
  std::int64_t start = 0;  ///< on the clock, which ends
  std::int64_t total = 1;
  std::int64_t reserve = 0;
  at_deadline late = at_deadline::stop;
  std::uint32_t capacity = 100;
  [[nodiscard]] std::int64_t longest_obeyed() const { return has_longest ? longest : a_minute; }
};
struct look {
  bool fails = true;
  std::int64_t takes = 0;
  std::optional<std::int64_t> asked{};
};

rules draw_rules(dice& d) {
  rules by;
  by.cap = 1 + d.of_any_size(most_bits);
  by.base = 1 + d.below(by.cap);
  by.then = static_cast<long_hint>(d.below(3));
  using policy = support::hint_policy;
  by.hint = by.then == long_hint::stop ? policy::stop : by.then == long_hint::clamp ? policy::clamp : policy::ignore;
  by.has_longest = d.one_in(2);
  if (by.has_longest) by.longest = d.of_any_size(most_bits);
  if (d.one_in(8)) by.start = end_of_time - d.of_any_size(most_bits);
  by.total = 2 + d.of_any_size(most_bits);
  by.late = static_cast<at_deadline>(d.below(3));
  if (by.late == at_deadline::clamp || d.one_in(2)) by.reserve = 1 + d.below(by.total - 1);
  by.attempts = static_cast<std::uint32_t>(1 + d.below(6));
  if (d.one_in(4)) by.capacity = d.one_in(3) ? 0 : cost + static_cast<std::uint32_t>(d.below(80));
  return by;
}
look draw_look(dice& d, rules const& by) {
  look one;
  one.fails = !d.one_in(8);
  one.takes = d.one_in(2) ? 0 : d.below(by.total / 4 + 1);
  switch (d.below(8)) {
    case 0: break;
    case 1: one.asked = static_cast<std::int64_t>(d()); break;
    case 2: one.asked = by.longest_obeyed() + d.below(3) - 1; break;
    case 3: one.asked = by.cap + d.below(3) - 1; break;
    case 4: one.asked = by.total - by.reserve + d.below(3) - 1; break;
    case 5: one.asked = end_of_time; break;
    default: one.asked = d.of_any_size(63);
  }
  return one;
}

struct ending {
  stop_reason reason = stop_reason::succeeded;
  std::uint32_t attempts = 0;
  std::vector<std::int64_t> waits{};
  std::uint32_t balance = 0;
  friend bool operator==(ending const&, ending const&) = default;
};

ending expected_of(rules const& by, std::vector<look> const& looks) {
  ending out{.balance = by.capacity};
  wide now = by.start;
  auto const pass = [&now](wide time) { now = std::min<wide>(now + time, end_of_time); };
  for (auto const& one : looks) {
    ++out.attempts;
    pass(one.takes);
    if (!one.fails) {
      out.balance = std::min(by.capacity, out.balance + (out.attempts > 1 ? cost : 1U));
      return out;
    }
    auto const end_by = [&out](stop_reason why) {
      out.reason = why;
      return out;
    };
    if (out.attempts == by.attempts) return end_by(stop_reason::attempts);
    if (out.balance < cost) return end_by(stop_reason::quota);
    wide const computed = support::computed_by(by, out.attempts);
    auto const heard = support::heard_by(by, one.asked, computed);
    if (heard.ends != stop_reason::succeeded) return end_by(heard.ends);
    wide const delay = heard.least;
    bool const is_hint = one.asked && *one.asked >= 0;
    bool const is_clamped = is_hint && *one.asked > delay && by.then == long_hint::clamp;
    wide const remaining = std::min<wide>(wide{by.start} + by.total, end_of_time) - now;
    wide const room = remaining - by.reserve;
    wide fitting = delay;
    if (remaining <= 0) return end_by(stop_reason::deadline);
    if (by.late == at_deadline::last_try) {
      fitting = std::min(delay, remaining);
    } else if (delay >= room) {
      if (by.late == at_deadline::stop || room <= 0) return end_by(stop_reason::deadline);
      fitting = room;
    }
    if (is_hint && (delay >= *one.asked || is_clamped) && fitting < std::min<wide>(delay, *one.asked)) {
      return end_by(stop_reason::deadline);
    }
    out.balance -= cost;
    out.waits.push_back(static_cast<std::int64_t>(fitting));
    pass(fitting);
  }
  return out;
}

/// Makes the call, and looks at every attempt whether it may begin.
class call {
 public:
  call(rules const& by, std::vector<look> const& looks) : clock{duration{by.start}}, by_{by}, looks_{looks} {}

  answer operator()() {
    auto const& one = looks_[made_++];
    auto const now = clock.now();
    if (now > anew::detail::saturating_add(start, duration{by_.total})) wrong += "an attempt after the deadline; ";
    if (now < not_before_) wrong += "an attempt before the hint was over; ";
    clock.advance(duration{one.takes});
    if (!one.fails) return {};
    auto const longest = by_.longest_obeyed();
    if (one.asked && *one.asked >= 0 && *one.asked <= longest) {
      not_before_ = std::max(not_before_, anew::detail::saturating_add(clock.now(), duration{*one.asked}));
    }
    return {told{one.asked ? std::optional{duration{*one.asked}} : std::nullopt}};
  }

  anew::testing::manual_clock clock;
  anew::time_point start = clock.now();
  std::string wrong{};

 private:
  rules const& by_;
  std::vector<look> const& looks_;
  std::size_t made_ = 0;
  anew::time_point not_before_ = anew::time_point::min();
};

ending drive_blocking(auto const& strategy, call& operation) {
  anew::testing::advancing_sleeper sleep{operation.clock};
  auto const outcome = anew::retry_outcome(strategy, operation, sleep);
  ending out{.reason = outcome.reason(), .attempts = outcome.attempts()};
  for (auto const delay : sleep.delays) out.waits.push_back(delay.count());
  return out;
}

ending drive_machine(auto const& strategy, call& operation) {
  ending out;
  anew::retry_machine machine{strategy};
  for (auto step = machine.begin(); step != anew::next_step::finished;) {
    if (step == anew::next_step::attempt) {
      step = machine.on_outcome(operation());
    } else {
      out.waits.push_back(machine.wait().count());
      operation.clock.advance(machine.wait());
      step = machine.on_wait_over();
    }
  }
  out.reason = machine.reason();
  out.attempts = machine.attempts();
  return out;
}

TEST(HintsAndDeadlines, AreWhatTheModelSays) {
  auto const calls = support::length_of<std::uint64_t>(200'000);
  std::array<std::uint64_t, 20> ends{};
  int differing = 0;
  for (std::uint64_t seed = 1; seed <= calls && differing < 10; ++seed) {
    dice d{seed};
    auto const by = draw_rules(d);
    std::vector<look> looks;
    for (std::uint32_t i = 0; i != by.attempts; ++i) looks.push_back(draw_look(d, by));

    call operation{by, looks};
    auto const hint = by.has_longest ? anew::server_hint{by.then, duration{by.longest}} : anew::server_hint{by.then};
    auto const strategy =
        anew::compose(anew::exponential_backoff{duration{by.base}, duration{by.cap}}, anew::no_jitter{}, hint,
                      anew::deadline{duration{by.total}, by.late, duration{by.reserve}},
                      anew::max_attempts{by.attempts}, anew::token_bucket{by.capacity}, operation.clock);
    auto seen = seed % 2 == 0 ? drive_blocking(strategy, operation) : drive_machine(strategy, operation);
    seen.balance = strategy.quota().balance();
    auto const expected = expected_of(by, looks);
    ++ends[static_cast<std::size_t>(expected.reason)];
    if (seen == expected && operation.wrong.empty()) continue;
    ++differing;
    ADD_FAILURE() << "seed " << seed << ": " << operation.wrong << "ended by " << to_string(seen.reason) << " after "
                  << seen.attempts << ", must be " << to_string(expected.reason) << " after " << expected.attempts
                  << "; balance " << seen.balance << ", must be " << expected.balance;
  }
  for (auto const reason : {stop_reason::succeeded, stop_reason::attempts, stop_reason::quota,
                            stop_reason::hint_too_long, stop_reason::deadline}) {
    EXPECT_GT(ends[static_cast<std::size_t>(reason)], calls / 50) << to_string(reason) << ": the dice miss something";
  }
}

}  // namespace
