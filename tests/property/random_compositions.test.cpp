// SPDX-License-Identifier: BSL-1.0
// Laws over compositions that nobody thought of: random policies with random numbers, random calls with random hints,
// and a clock that moves at random. What the library does is compared with a model: the same policies asked one after the
// other in the order that the documentation says, in the plainest way.
//
// The same compositions in each run; RC_PARAMS="seed=7 max_success=10000" says otherwise. What fails is made smaller and
// printed, with the words that reproduce it.
#include <rapidcheck.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing.hpp"

namespace {

using namespace std::chrono_literals;
using anew::directive;
using anew::duration;
using anew::error_kind;
using anew::failure;
using anew::stop_reason;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using anew::testing::scripted_operation;
using anew::testing::seeded_random;

/// False where somebody wants other compositions than those of each run. Asked before the first property is checked.
bool const is_as_in_each_run = ::getenv("RC_PARAMS") == nullptr;
[[maybe_unused]] int const same_in_each_run = ::setenv("RC_PARAMS", "seed=20261121 max_success=2000", 0);

// --- what is drawn

/// From low to high, both included, each as likely in the first try as in the last.
template <class Int>
Int any(char const* name, Int low, Int high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Int>(low, high + 1)).as(name);
}
bool one_in(int n, char const* what) { return any(what, 1, n) == n; }

/// Of every size: as many below a microsecond as above a century; from the far end too, where overflows live.
duration any_duration(char const* name, duration low, duration high) {
  auto const bits = static_cast<unsigned>(any("bits", 0, 62));
  auto const widest = anew::detail::smaller(high - low, duration{(std::int64_t{1} << bits) - 1});
  auto const offset =
      duration{any<std::int64_t>(name, 0, anew::detail::smaller(widest, duration::max() - 1ns).count())};
  return one_in(4, "from the end") ? high - offset : low + offset;
}
duration any_duration(char const* name) { return any_duration(name, 0ns, duration::max()); }

/// One attempt: what comes of it, and how long it takes.
struct step {
  int id = 0;
  directive verdict = directive::succeed();
  bool throws = false;
  duration takes{};
};
using script = std::vector<step>;

error_kind any_kind() {
  return *rc::gen::element(error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server,
                           error_kind::client)
              .as("kind");
}

step any_step(int id) {
  step one{.id = id};
  if (one_in(3, "takes time")) one.takes = any_duration("takes", 0ns, one_in(5, "any time") ? duration::max() : 1h);
  if (one_in(6, "succeeds")) return one;
  one.throws = one_in(4, "throws");
  if (one_in(12, "final")) {
    one.verdict = directive::fail();
    return one;
  }
  std::optional<duration> hint;
  if (one_in(3, "hint")) hint = any_duration("hint");
  one.verdict = directive::retry(any_kind(), hint);
  return one;
}

std::vector<script> any_calls() {
  std::vector<script> calls(any<std::uint32_t>("calls", 1, 4));
  int id = 0;
  for (auto& call : calls) {
    auto const steps = any<std::uint32_t>("attempts scripted", 1, 8);
    for (std::uint32_t n = 0; n < steps; ++n) call.push_back(any_step(++id));
    call.push_back(step{.id = ++id});  // in the end it succeeds, whatever the limit
  }
  return calls;
}

// --- what is called

struct script_error {
  int id;
  directive verdict;
};
struct answer {
  int id = 0;
  std::optional<script_error> failed{};
  [[nodiscard]] bool has_value() const { return !failed; }
  [[nodiscard]] script_error const& error() const { return *failed; }
};

struct as_scripted {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<script_error>;
  [[nodiscard]] static directive classify(script_error const& error) { return error.verdict; }
};

scripted_operation<answer> operation_of(script const& call, manual_clock const& clock) {
  scripted_operation<answer> op;
  for (auto const& one : call) {
    if (one.verdict.is_success()) {
      op.returns(answer{one.id});
    } else if (one.throws) {
      op.throws(script_error{one.id, one.verdict});
    } else {
      op.returns(answer{one.id, script_error{one.id, one.verdict}});
    }
    op.taking(clock, one.takes);
  }
  return op;
}

/// Everything that is seen of a call.
struct ending {
  stop_reason reason{};
  std::uint32_t attempts = 0;
  int result = 0;  ///< the number of the step whose own result or exception came back
  std::vector<duration> delays;
  duration elapsed{};
  std::uint32_t balance = 0;
  friend bool operator==(ending const&, ending const&) = default;
};
std::ostream& operator<<(std::ostream& out, ending const& e) {
  out << to_string(e.reason) << " after " << e.attempts << " attempts with the result " << e.result << " in "
      << e.elapsed.count() << "ns, balance " << e.balance << ", delays";
  for (auto const delay : e.delays) out << " " << delay.count();
  return out;
}

// --- the policies of a composition, and the model

/// The jitters without memory, as values.
struct any_jitter {
  using role = anew::roles::jitter;
  int which;
  template <class R>
  [[nodiscard]] duration apply(duration ceiling, R& random) const {
    switch (which) {
      case 0: return anew::no_jitter::apply(ceiling, random);
      case 1: return anew::full_jitter::apply(ceiling, random);
      default: return anew::equal_jitter::apply(ceiling, random);
    }
  }
};

struct numbers {
  std::uint32_t capacity;
  anew::retry_costs costs;
  std::uint32_t attempts;
  anew::long_hint then;
  std::optional<duration> longest;
  std::uint64_t seed;
  duration late;
};

auto hint_of(numbers const& n) {
  using hint = anew::server_hint<anew::long_hint::stop, anew::run_time>;
  return n.longest ? hint{n.then, *n.longest} : hint{n.then};
}

/// How a call must end: each policy asked in its turn, and nothing shared with the library but the policies.
template <class Backoff, class Jitter>
class model {
 public:
  model(numbers const& with, Backoff const& b, Jitter const& j)
      : n_{with}, backoff_{b}, jitter_{j}, balance_{with.capacity} {}

  template <class Deadline>
  ending call(script const& steps, Deadline const* deadline, anew::time_point const start) {
    ending end;
    auto now = start;
    typename anew::detail::jitter_state<Jitter>::type memory{};
    std::uint32_t held = 0;
    for (auto const& one : steps) {
      ++end.attempts;
      end.result = one.id;
      now = anew::detail::saturating_add(now, one.takes);
      end.reason = [&] {
        if (one.verdict.is_success()) {
          balance_ = static_cast<std::uint32_t>(anew::detail::smaller<std::uint64_t>(
              n_.capacity, std::uint64_t{balance_} + anew::detail::larger(held, 1U)));
          return stop_reason::succeeded;
        }
        held = 0;  // what the attempt paid is spent
        if (!one.verdict.is_retry()) return stop_reason::not_retryable;
        if (end.attempts >= n_.attempts) return stop_reason::attempts;
        auto const cost = n_.costs.of(one.verdict.what().kind);
        if (balance_ < cost) return stop_reason::quota;
        auto const cap = backoff_.cap();
        auto const ceiling = backoff_.delay(end.attempts);
        auto delay = ceiling;
        if constexpr (requires { typename Jitter::state_type; }) {
          delay = jitter_.apply(anew::delay_bounds{backoff_.delay(1), ceiling, cap}, memory, random_);
        } else {
          delay = jitter_.apply(ceiling, random_);
        }
        bool is_clamped = false;
        if (auto const asked = one.verdict.what().hint) {
          auto const planned = hint_of(n_).resolve(delay, *asked, cap);
          if (!planned) return stop_reason::hint_too_long;
          delay = planned->delay;
          is_clamped = planned->origin == anew::delay_origin::cap;
        }
        if (deadline != nullptr) {
          auto const remaining =
              anew::detail::saturating_subtract(anew::detail::saturating_add(start, deadline->total()), now);
          auto const fitting = deadline->fit(delay, remaining);
          auto const asked = one.verdict.what().hint;
          // It was obeyed, if only up to the bound, and still is.
          bool const too_soon =
              asked && fitting && *fitting < anew::detail::smaller(*asked, delay) && (*asked <= delay || is_clamped);
          if (!fitting || too_soon) return stop_reason::deadline;
          delay = *fitting;
        }
        balance_ -= cost;
        held = cost;
        end.delays.push_back(delay);
        now = anew::detail::saturating_add(now, anew::detail::saturating_add(delay, n_.late));
        return stop_reason::cancelled;  // stands for: goes on
      }();
      if (end.reason != stop_reason::cancelled) break;
    }
    end.elapsed = anew::detail::saturating_subtract(now, start);
    end.balance = balance_;
    return end;
  }

 private:
  numbers n_;
  Backoff backoff_;
  Jitter jitter_;
  std::uint32_t balance_;
  seeded_random random_{n_.seed};
};

template <class Strategy>
ending observed(Strategy const& strategy, script const& call, duration late) {
  auto const op = operation_of(call, strategy.clock());
  advancing_sleeper sleep{strategy.clock(), late};
  auto told = anew::retry_outcome(strategy, op, sleep);
  ending end{told.reason(), told.attempts(), 0, sleep.delays, told.elapsed(), strategy.quota().balance()};
  try {
    auto const& result = told.result();
    end.result = result.id;
    RC_ASSERT(!result.failed || result.failed->id == result.id);
  } catch (script_error const& error) {
    end.result = error.id;
  }
  RC_ASSERT(op.calls() == told.attempts());
  return end;
}

std::map<std::string, int>& endings() {
  static std::map<std::string, int> seen;
  return seen;
}

/// The laws that need no model; then the model.
template <class Strategy, class Model, class Deadline>
void obeys_the_laws(Strategy const& strategy, numbers const& n, Model expected, Deadline const* deadline,
                    std::vector<script> const& calls) {
  auto const cap = strategy.backoff().cap();
  auto const longest = anew::detail::larger(cap, hint_of(n).longest());
  for (auto const& call : calls) {
    auto const start = strategy.clock().peek();
    auto const end = observed(strategy, call, n.late);
    ++endings()[to_string(end.reason)];

    RC_ASSERT(end.attempts >= 1U);  // 4: the first attempt is made whatever the quota says
    RC_ASSERT(end.attempts <= n.attempts);
    RC_ASSERT(end.balance <= n.capacity);  // 6: never more out than in
    auto slept_until = start;
    for (std::size_t i = 0; i < end.delays.size(); ++i) {
      RC_ASSERT(end.delays[i] >= 0ns);  // 1
      RC_ASSERT(end.delays[i] <= longest);
      slept_until = anew::detail::saturating_add(slept_until, call[i].takes);
      slept_until = anew::detail::saturating_add(slept_until, end.delays[i]);
      if (deadline != nullptr) {  // 7
        RC_ASSERT(slept_until <= anew::detail::saturating_add(start, deadline->total()));
      }
      slept_until = anew::detail::saturating_add(slept_until, n.late);
    }
    RC_ASSERT(end == expected.call(call, deadline, start));  // 5, 6, 9, and the others once more
    if (one_in(3, "time passes between calls")) strategy.clock().advance(any_duration("between calls", 0ns, 1h));
  }
}

template <class Backoff, class Jitter>
void with_or_without_a_deadline(Backoff const& backoff, Jitter const& jitter) {
  numbers n{};
  n.capacity = one_in(4, "capacity of any size") ? any<std::uint32_t>("capacity", 0, ~0U - 1)
                                                 : any<std::uint32_t>("capacity", 0, 100);
  auto const cost = [](char const* name) { return any<std::uint32_t>(name, 1, 60); };
  n.costs = {cost("transient"), cost("throttling"), cost("timeout"), cost("server"), cost("client")};
  if (n.capacity != 0) n.capacity = std::max(n.capacity, n.costs.transient);  // it pays for one retry, or for none
  n.attempts = any<std::uint32_t>("max attempts", 1, 10);
  n.then = *rc::gen::element(anew::long_hint::stop, anew::long_hint::clamp, anew::long_hint::ignore).as("long hint");
  if (one_in(2, "hints have a limit of their own")) n.longest = any_duration("longest hint");
  n.seed = any<std::uint32_t>("seed", 0, 1'000'000);
  if (one_in(4, "the sleeper is late")) n.late = any_duration("late", 0ns, 1min);

  auto const calls = any_calls();
  manual_clock const clock{any_duration("time of day", 0ns, duration::max())};
  auto const build = [&](auto... deadline) {
    return anew::compose(deadline..., backoff, jitter, anew::token_bucket{n.capacity, n.costs},
                         anew::max_attempts{n.attempts}, hint_of(n), as_scripted{}, clock, seeded_random{n.seed});
  };
  model<Backoff, Jitter> const expected{n, backoff, jitter};
  using limit = decltype(anew::deadline{1s});
  if (one_in(2, "no deadline")) {
    obeys_the_laws(build(), n, expected, static_cast<limit const*>(nullptr), calls);
    return;
  }
  auto const total = any_duration("deadline", 1ns, duration::max());
  auto const then =
      *rc::gen::element(anew::at_deadline::stop, anew::at_deadline::clamp, anew::at_deadline::last_try).as("then");
  RC_PRE(then != anew::at_deadline::clamp || total > 1ns);
  auto const reserve = then == anew::at_deadline::clamp ? any_duration("reserve", 1ns, total - 1ns) : 0ns;
  limit const deadline{total, then, reserve};
  obeys_the_laws(build(deadline), n, expected, &deadline, calls);
}

template <class Backoff>
void with_any_jitter(Backoff const& backoff) {
  auto const which = any("jitter: none, full, equal, decorrelated", 0, 3);
  if (which == 3) {
    with_or_without_a_deadline(backoff, anew::decorrelated_jitter{});
  } else {
    with_or_without_a_deadline(backoff, any_jitter{which});
  }
}

void any_composition() {
  if (one_in(3, "constant")) {
    with_any_jitter(anew::constant_backoff{any_duration("delay")});
    return;
  }
  auto const base = any_duration("base", 1ns, duration::max());
  auto const cap = any_duration("cap", base, duration::max());
  auto const denominator = any<std::uint32_t>("factor's denominator", 1, 1'000);
  auto const numerator = any<std::uint32_t>("factor's numerator", denominator, 10'000);
  with_any_jitter(anew::exponential_backoff{base, cap, anew::rational{numerator, denominator}});
}

// Laws 1, 4, 5, 6, 7 and 9.
TEST(RandomCompositions, EndAsTheModelSays) {
  EXPECT_TRUE(rc::check("random compositions end as the model says", any_composition));
  if (HasFailure() || !is_as_in_each_run) return;
  // All endings occur. A change above after which one does not would make this weaker without a word.
  for (auto const reason : {stop_reason::succeeded, stop_reason::not_retryable, stop_reason::attempts,
                            stop_reason::quota, stop_reason::deadline, stop_reason::hint_too_long}) {
    EXPECT_GE(endings()[to_string(reason)], 50) << to_string(reason);
  }
}

}  // namespace
