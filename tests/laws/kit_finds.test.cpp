// SPDX-License-Identifier: BSL-1.0
// Every law of the kit can fail: the suites run over policies that are broken on purpose, and each reports the laws that it
// breaks and no other. A program of its own, with its own main, because here a failure is what is wanted.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <typeinfo>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing.hpp"
#include "anew/testing/laws.hpp"

#include "names.hpp"

namespace {

using namespace anew::testing;
using anew::planned_delay;
namespace roles = anew::roles;

using laws = std::set<std::string>;

/// What each suite must report of each of its types, in the order of the types.
std::map<std::string, laws> expected;
template <class Broken>
laws broken_by(char const* law) {
  if constexpr (requires { Broken::breaks(); }) return Broken::breaks();
  if constexpr (!requires { Broken::breaks(); }) return {law};
}
template <class... Broken>
struct broken {
  using types = ::testing::Types<Broken...>;
  static bool expect(char const* law, char const* suite) {
    int index = 0;
    ((expected[std::string{law} + "/" + suite + "/" + std::to_string(index++)] = broken_by<Broken>(law)), ...);
    return true;
  }
};
/// Each of these types breaks that law, and no other; of `Several` each says itself what it breaks.
#define EXPECT_BROKEN(Law, Suite, ...)                                                   \
  using Law##_of_##Suite = broken<__VA_ARGS__>;                                          \
  [[maybe_unused]] bool const Law##_in_##Suite = Law##_of_##Suite::expect(#Law, #Suite); \
  INSTANTIATE_TYPED_TEST_SUITE_P(Law, Suite, Law##_of_##Suite::types)

// clang-format off: it would put each broken policy on five lines

constexpr duration second{1'000'000'000};

// --- backoffs

struct backoff {
  using role = roles::backoff;
  static duration cap() { return 20 * second; }
  static duration delay(std::uint32_t) { return second; }
};
struct above_the_cap_at_the_end : backoff {
  static duration delay(std::uint32_t n) { return n == ~0U ? cap() + duration{1} : cap(); }
};
struct negative_after_an_overflow : backoff {
  static duration delay(std::uint32_t n) { return n >= 1U << 31U ? duration{-1} : second; }
};
struct negative_cap : backoff { static duration cap() { return duration{-1}; } };
struct above_the_cap_by_kind : backoff {
  using backoff::delay;
  static duration delay(anew::call_progress const& progress) {
    return progress.counts.of(error_kind::throttling) > 30 ? 21 * second : second;
  }
};
struct remembers_the_largest : backoff {
  duration delay(std::uint32_t n) const {
    if (n > largest) largest = n;
    return second + duration{largest};
  }
  mutable std::atomic<std::uint32_t> largest{0};
};
struct forgets_the_order : backoff {
  duration delay(std::uint32_t n) const { return n == 1 && ++asked > 1 ? 2 * second : second; }
  mutable std::atomic<int> asked{0};
};
struct impure_by_kind : backoff {
  using backoff::delay;
  duration delay(anew::call_progress const&) const { return second * (++asked > 100 ? 2 : 1); }
  mutable std::atomic<int> asked{0};
};
struct another_for_each_thread : backoff {
  static duration delay(std::uint32_t) {
    static std::atomic<int> threads{0};
    thread_local int const number = ++threads;
    return duration{number};
  }
};
EXPECT_BROKEN(DelaysAreWithinTheCap, BackoffLaws, above_the_cap_at_the_end, negative_after_an_overflow, negative_cap,
              above_the_cap_by_kind);
EXPECT_BROKEN(DelaysArePure, BackoffLaws, remembers_the_largest, forgets_the_order, impure_by_kind,
              another_for_each_thread);

struct falls_at_the_end : backoff {
  static duration delay(std::uint32_t n) { return n == ~0U ? second - duration{1} : second; }
};
EXPECT_BROKEN(DelaysDoNotDecrease, GrowingBackoffLaws, falls_at_the_end);

// --- jitters

struct jitter { using role = roles::jitter; };
struct above_the_ceiling : jitter {
  duration apply(duration ceiling, auto& random) const {
    return random() == highest_word && ceiling < duration::max() ? ceiling + duration{1} : ceiling;
  }
};
/// Within every cap that is asked for, and yet above the ceiling.
struct above_a_ceiling_of_4_ns : jitter {
  duration apply(duration ceiling, auto&) const { return ceiling == duration{4} ? duration{5} : ceiling; }
};
struct below_zero : jitter {
  duration apply(duration ceiling, auto& random) const { return random() == lowest_word ? duration{-1} : ceiling; }
};
struct remembers_above_the_cap : jitter {
  using state_type = duration;
  duration apply(anew::delay_bounds const& bounds, state_type& state, auto&) const {
    state = anew::detail::saturating_add(state, bounds.first);
    return state;
  }
};
struct chance_of_its_own : jitter {
  duration apply(duration ceiling, auto&) const {
    static std::atomic<unsigned> draws{0};
    return ++draws % 3 == 0 ? ceiling : duration{0};
  }
};
EXPECT_BROKEN(DelaysStayWithinTheEnvelope, JitterLaws, above_the_ceiling, above_a_ceiling_of_4_ns, below_zero,
              remembers_above_the_cap);
EXPECT_BROKEN(ChanceComesFromTheSource, JitterLaws, chance_of_its_own);

struct capped_after_the_draw : jitter {
  duration apply(duration ceiling, auto& random) const {
    auto const drawn = anew::random_up_to(ceiling + ceiling / 4, random);
    return drawn < ceiling ? drawn : ceiling;
  }
};
struct narrow_at_the_cap : jitter {
  duration apply(duration ceiling, auto& random) const {
    return ceiling < 20 * second ? anew::random_up_to(ceiling, random) : ceiling - anew::random_up_to(second, random);
  }
};
EXPECT_BROKEN(DelaysAtTheCapKeepTheirSpread, SpreadingJitterLaws, capped_after_the_draw, narrow_at_the_cap);

// --- quotas

struct quota {
  using role = roles::quota;
  using permit_type = int;
  std::optional<int> try_acquire(failure const&) const { return take() ? std::optional{1} : std::nullopt; }
  void on_success(int) const {}
  void release(int permit) const { balance += permit; }

  bool take() const {
    auto now = balance.load();
    while (now > 0 && !balance.compare_exchange_weak(now, now - 1)) continue;
    return now > 0;
  }
  mutable std::atomic<int> balance{50};
};
struct lawful_quota : quota { static laws breaks() { return {}; } };
struct loses_permits : quota {
  void release(int) const { if (++released % 100 != 0) ++balance; }
  mutable std::atomic<int> released{0};
  static laws breaks() { return {"WhatIsReleasedIsThereAgain", "ItIsExactUnderContention"}; }
};
struct makes_permits : quota {
  void release(int permit) const { balance += ++released % 100 == 0 ? 2 : permit; }
  mutable std::atomic<int> released{0};
  static laws breaks() { return {"WhatIsReleasedIsThereAgain", "ItIsExactUnderContention"}; }
};
struct charges_for_refusals : quota {
  std::optional<int> try_acquire(failure const&) const {
    if (take()) return 1;
    if (++refused % 500 == 0) --balance;
    return std::nullopt;
  }
  mutable std::atomic<int> refused{0};
};
struct gives_in : quota {
  std::optional<int> try_acquire(failure const&) const {
    if (take() || ++refused % 500 == 0) return 1;
    return std::nullopt;
  }
  mutable std::atomic<int> refused{0};
};
struct charges_for_nothing : quota {
  std::optional<int> try_acquire(failure const& what) const {
    if (what.kind != error_kind::client) return 1;
    return take() ? std::optional{0} : std::nullopt;
  }
  static laws breaks() {
    return {"WhatIsReleasedIsThereAgain", "ARefusalChargesNothing", "WhatIsChargedIsHeld",
            "ItIsExactUnderContention"};
  }
};
/// Each at a time is exact, and two at a time lose what one of them did.
struct races : quota {
  races() { balance = 1; }
  std::optional<int> try_acquire(failure const&) const {
    auto const now = balance.load();
    std::this_thread::yield();
    if (now <= 0) return std::nullopt;
    balance = now - 1;
    return 1;
  }
};
struct takes_while_another_returns : quota {
  void release(int permit) const {
    std::lock_guard const lock{returns};
    auto const now = balance.load();
    std::this_thread::yield();
    balance = now + permit;
  }
  takes_while_another_returns() { balance = 3; }
  static inline std::mutex returns;
};
struct grows_by_success : quota {
  void on_success(int permit) const {
    if (permit == 0) balance += 5;
  }
};
struct one_for_each_thread : quota {
  std::optional<int> try_acquire(failure const&) const {
    auto& mine = of_this_thread();
    if (mine <= 0) return std::nullopt;
    --mine;
    return 1;
  }
  void release(int permit) const { of_this_thread() += permit; }
  one_for_each_thread() { of_this_thread() = 50; }
  static int& of_this_thread() {
    thread_local int balance = 50;
    return balance;
  }
};
/// What a thread gives back that did not take it is lost.
struct loses_among_threads : quota {
  void release(int permit) const { balance += home == std::this_thread::get_id() ? permit : 0; }
  std::thread::id home = std::this_thread::get_id();
};
struct refills_of_calls : quota {
  refills_of_calls() { balance = 0; }
  void on_call(time_point) const { ++balance; }
  void release(int) const {}
  static laws breaks() { return {"WhatIsReleasedIsThereAgain", "ARefusalChargesNothing", "ItIsExactUnderContention"}; }
};
/// Its windows have numbers of four bits: one that nobody used for eight to fourteen of them passes for a later one,
/// which it waits for.
struct waits_for_a_window_that_is_over : quota {
  void on_call(time_point now) const {
    auto const window = static_cast<unsigned>(now.time_since_epoch() / (10 * second) % 16);
    while ((window - last.load()) % 16 >= 8 && !let_go) std::this_thread::yield();
    last = window;
  }
  mutable std::atomic<unsigned> last{1000 / 10 % 16};
  static inline std::atomic<bool> let_go{false};
};
struct forgets_its_limit_in_a_pause : quota {
  void on_call(time_point now) const {
    if (now - last > 1000 * second) balance = 1'000'000;
    last = now;
  }
  mutable time_point last{1000 * second};
};
/// Asks once to be asked again; a permit that is 2 stands.
struct lawful_settling : quota {
  static anew::admission<int> settle(int permit, time_point now) {
    if (permit == 1 && now == time_point{1000 * second}) return anew::admission<int>::ask_again_in(second);
    return anew::admission<int>::admit(2);
  }
  void release(int permit) const { quota::release(permit != 0 ? 1 : 0); }
  static laws breaks() { return {}; }
};
struct refuses_some : quota {
  anew::admission<int> settle(int permit, time_point) const {
    return ++asked % 7 == 0 ? anew::admission<int>::refuse() : anew::admission<int>::admit(permit);
  }
  mutable std::atomic<int> asked{0};
};
struct never_decides : quota {
  static anew::admission<int> settle(int, time_point) { return anew::admission<int>::ask_again_in(second); }
};
struct settles_as_nothing : quota {
  static anew::admission<int> settle(int, time_point) { return anew::admission<int>::admit(0); }
};
struct settles_as_another : quota {
  static anew::admission<int> settle(int permit, time_point) { return anew::admission<int>::admit(permit + 1); }
};
struct charges_when_it_settles : quota {
  anew::admission<int> settle(int permit, time_point) const {
    --balance;
    return anew::admission<int>::admit(permit);
  }
};
EXPECT_BROKEN(Several, QuotaLaws, lawful_quota, lawful_settling, loses_permits, makes_permits, charges_for_nothing,
              refills_of_calls);
EXPECT_BROKEN(ASettledPermitStands, QuotaLaws, refuses_some, never_decides, settles_as_nothing, settles_as_another,
              charges_when_it_settles);
EXPECT_BROKEN(ItGetsThroughYearsOfUse, QuotaLaws, waits_for_a_window_that_is_over, forgets_its_limit_in_a_pause, grows_by_success);
EXPECT_BROKEN(ARefusalChargesNothing, QuotaLaws, charges_for_refusals, gives_in);
EXPECT_BROKEN(ItIsExactUnderContention, QuotaLaws, one_for_each_thread, loses_among_threads, races,
              takes_while_another_returns);

// --- classifiers

struct classifier { using role = roles::classifier; };
struct of_two_minds : classifier {
  directive classify(int error) const {
    return error == 503 && ++asked % 2 == 0 ? directive::fail() : directive::retry(error_kind::server);
  }
  mutable int asked = 0;
};
struct rare_error {};
struct of_two_minds_about_its_own : classifier {
  directive classify(rare_error) const { return ++asked % 2 == 0 ? directive::fail() : directive::succeed(); }
  static auto errors() { return std::tuple{rare_error{}}; }
  mutable int asked = 0;
};
struct catches_what_it_cannot_read : classifier {
  using catches = anew::catch_list<std::bad_alloc>;
  directive classify(std::bad_cast const&) const { return directive::fail(); }
};
template <int>
struct exception_of_type {};
struct catches_nine_types : classifier {
  template <int... Types>
  static anew::catch_list<exception_of_type<Types>...> list(std::integer_sequence<int, Types...>);
  using catches = decltype(list(std::make_integer_sequence<int, 9>{}));
  template <int Type> directive classify(exception_of_type<Type> const&) const { return directive::fail(); }
};
struct nothing_is_wrong : classifier {
  template <class E> directive classify(E const&) const { return directive::succeed(); }
};
EXPECT_BROKEN(VerdictsArePure, ClassifierLaws, of_two_minds, of_two_minds_about_its_own);
EXPECT_BROKEN(WhatIsCaughtIsClassified, ClassifierLaws, catches_what_it_cannot_read, catches_nine_types);
EXPECT_BROKEN(NoExceptionIsASuccess, ClassifierLaws, nothing_is_wrong);

// --- limits of attempts

struct counts_in_16_bits {
  using role = roles::max_attempts;
  bool permits_another(std::uint32_t made) const { return (made & 0xffffU) < 3; }
};
struct counts_kinds_in_8_bits {
  using role = roles::max_attempts;
  bool permits_another(std::uint32_t made) const { return made < 3; }
  bool permits_another(anew::call_progress const& progress) const {
    return (progress.counts.of(error_kind::timeout) & 0xffU) < 3;
  }
};
struct tires {
  using role = roles::max_attempts;
  bool permits_another(std::uint32_t made) const { return made <= 1 && ++asked == 1; }
  mutable int asked = 0;
};
EXPECT_BROKEN(ALimitStaysReached, MaxAttemptsLaws, counts_in_16_bits, counts_kinds_in_8_bits);
EXPECT_BROKEN(ALimitIsPure, MaxAttemptsLaws, tires);

// --- hints

using answer = std::optional<planned_delay>;
struct sooner {
  using role = roles::hint;
  answer resolve(duration, duration asked, duration cap) const {
    if (asked > cap) return std::nullopt;
    return planned_delay{asked, delay_origin::hint};
  }
};
struct sooner_by_chance {
  using role = roles::hint;
  answer resolve(duration computed, duration, duration, auto& random) const {
    return planned_delay{random() == lowest_word ? computed / 2 : computed, delay_origin::hint};
  }
};
struct later_than_the_cap {
  using role = roles::hint;
  answer resolve(duration computed, duration asked, duration) const {
    return planned_delay{computed < asked ? asked : computed, delay_origin::hint};
  }
};
struct later_than_it_says : later_than_the_cap {
  static duration longest(duration, duration cap) { return anew::detail::saturating_add(cap, second); }
};
struct later_as_it_says : later_than_the_cap {
  static duration longest(duration, duration) { return duration::max(); }
  static laws breaks() { return {}; }
};
struct later_than_its_bound : later_than_the_cap { static duration longest() { return second; } };
struct within_its_bound : later_than_the_cap {
  static duration longest() { return duration::max(); }
  static laws breaks() { return {}; }
};
struct touchy {
  using role = roles::hint;
  answer resolve(duration computed, duration asked, duration) const {
    if (asked >= computed) return std::nullopt;
    return planned_delay{computed, delay_origin::backoff};
  }
};
EXPECT_BROKEN(AHintIsAFloor, HintLaws, sooner, sooner_by_chance);
EXPECT_BROKEN(AHintKeepsToItsBound, HintLaws, later_than_the_cap, later_than_it_says, later_than_its_bound);
EXPECT_BROKEN(Several, HintLaws, later_as_it_says, within_its_bound);
EXPECT_BROKEN(AModestHintEndsNoCall, HintLaws, touchy);

// --- deadlines

struct deadline {
  using role = roles::deadline;
  static duration total() { return 10 * second; }
  using fitting = std::optional<duration>;
};
struct no_time_at_all : deadline {
  static duration total() { return duration{0}; }
  fitting fit(duration, duration) const { return std::nullopt; }
};
struct a_tick_too_late : deadline {
  fitting fit(duration delay, duration remaining) const {
    if (remaining <= duration{0}) return std::nullopt;
    return delay <= anew::detail::saturating_add(remaining, duration{1}) ? fitting{delay} : std::nullopt;
  }
};
struct when_nothing_remains : deadline {
  fitting fit(duration delay, duration remaining) const { return delay <= remaining ? fitting{delay} : std::nullopt; }
};
struct sleeps_to_the_end : deadline {
  fitting fit(duration, duration remaining) const {
    return remaining > duration{0} ? fitting{remaining} : std::nullopt;
  }
};
struct sleeps_less_than_nothing : deadline {
  fitting fit(duration delay, duration remaining) const {
    return remaining > delay ? fitting{delay - duration{1}} : std::nullopt;
  }
};
struct gives_up_with_time_left : deadline {
  fitting fit(duration delay, duration remaining) const {
    return remaining > delay && remaining < second ? fitting{delay} : std::nullopt;
  }
};
struct sleeps_less_with_time_left : deadline {
  fitting fit(duration delay, duration remaining) const {
    if (remaining <= delay) return std::nullopt;
    return remaining < second ? delay : duration{0};
  }
};
EXPECT_BROKEN(TheTotalIsAboveZero, DeadlineLaws, no_time_at_all);
EXPECT_BROKEN(NoSleepPassesTheDeadline, DeadlineLaws, a_tick_too_late, when_nothing_remains);
EXPECT_BROKEN(NoDelayGrows, DeadlineLaws, sleeps_to_the_end, sleeps_less_than_nothing);
EXPECT_BROKEN(MoreTimeIsNoWorse, DeadlineLaws, gives_up_with_time_left, sleeps_less_with_time_left);

// --- pacers

/// Lets nothing through for two seconds after a throttled attempt.
struct pacer {
  using role = roles::pacer;
  using ticket_type = int;
  anew::pace ask(int&, time_point now) const { return {std::max(until.load() - now, duration{})}; }
  static void on_success(time_point) {}
  void on_failure(failure const&, time_point now) const { until = now + 2 * second; }
  static void release(int) {}
  mutable std::atomic<time_point> until{time_point{}};
};
struct lawful_pacer : pacer { static laws breaks() { return {}; } };
struct waits_at_first : pacer {
  anew::pace ask(int& ticket, time_point now) const {
    return is_new.exchange(false) ? anew::pace{duration{1}} : pacer::ask(ticket, now);
  }
  mutable std::atomic<bool> is_new{true};
};
struct waits_for_two_hours : pacer {
  void on_failure(failure const&, time_point now) const { until = now + 7'200 * second; }
};
struct is_early : pacer {
  anew::pace ask(int& ticket, time_point now) const {
    auto const told = pacer::ask(ticket, now);
    return until.load() != time_point{} && told.wait == duration{} ? anew::pace{duration{-1}} : told;
  }
};
struct waits_for_who_left : pacer {
  void release(int) const { until = until.load() + second / 1'000; }
  static laws breaks() { return {"WhoGoesAwayMakesNobodyWait", "WhoGoesAwayMakesNobodyWaitUnderContention"}; }
};
struct begins_the_wait_again : pacer {
  anew::pace ask(int& ticket, time_point now) const {
    return pacer::ask(ticket, now).wait == duration{} ? anew::pace{} : anew::pace{second};
  }
};
EXPECT_BROKEN(ANewPacerLetsThrough, PacerLaws, waits_at_first);
EXPECT_BROKEN(NobodyWaitsForEver, PacerLaws, waits_for_two_hours);
EXPECT_BROKEN(AWaitIsNotNegative, PacerLaws, is_early);
EXPECT_BROKEN(AskingEarlyCostsNothing, PacerLaws, begins_the_wait_again);
EXPECT_BROKEN(Several, PacerLaws, lawful_pacer, waits_for_who_left);

// --- gates and resets

struct gate : least_gate { using answer = anew::admission<int>; };
struct lawful_gate : gate { static laws breaks() { return {}; } };
struct never_opens : gate {
  answer try_enter(time_point) const { return answer::refuse(); }
  static laws breaks() {
    return {"ANewGateAdmits", "AGateOpensAgain", "APassGivenBackIsThereAgain", "ItGetsThroughYearsOfUse"};
  }
};
struct closes_for_ever : gate {
  answer try_enter(time_point) const { return failed ? answer::refuse() : answer::admit(1); }
  void on_failure(int, failure const&, time_point) const { failed = true; }
  mutable bool failed = false;
  static laws breaks() { return {"AGateOpensAgain", "APassGivenBackIsThereAgain", "ItGetsThroughYearsOfUse"}; }
};
struct tires_of_success : gate {
  answer try_enter(time_point) const { return good > 100 ? answer::refuse() : answer::admit(1); }
  void on_success(int, time_point) const { ++good; }
  mutable int good = 0;
  static laws breaks() { return {"AGateOpensAgain", "ItGetsThroughYearsOfUse"}; }
};
template <int Most>
struct keeps_released : gate {
  answer try_enter(time_point) const {
    if (out == Most) return answer::refuse();
    ++out;
    return answer::admit(1);
  }
  void on_success(int, time_point) const { --out; }
  void on_failure(int, failure const&, time_point) const { --out; }
  mutable int out = 0;
};
struct keeps_what_is_released : keeps_released<10> {
  static laws breaks() { return {"APassGivenBackIsThereAgain", "ItGetsThroughYearsOfUse"}; }
};
struct keeps_a_thousand : keeps_released<1'000> { static laws breaks() { return {"APassGivenBackIsThereAgain"}; } };
struct throws_after_years : gate {
  answer try_enter(time_point now) const {
    if (now > time_point{1'000h * 24}) throw std::runtime_error{"too late"};
    return answer::admit(1);
  }
  static laws breaks() { return {"ItGetsThroughYearsOfUse"}; }
};
struct cries_wolf : gate { static bool would_refuse(time_point) { return true; } };
struct closes_when_it_is_asked : gate {
  answer try_enter(time_point now) const { return now < until ? answer::refuse() : answer::admit(1); }
  bool would_refuse(time_point at) const {
    until = at + second;
    return false;
  }
  mutable time_point until{};
};
/// Milliseconds in 32 bits, that is 49 days.
struct opens_when_the_numbers_begin_again : gate {
  answer try_enter(time_point now) const {
    return until != 0 && static_cast<std::int32_t>(until - in_ms(now)) > 0 ? answer::refuse() : answer::admit(1);
  }
  void on_failure(int, failure const&, time_point now) const { until = in_ms(now) + 1'000; }
  static std::uint32_t in_ms(time_point t) {
    return static_cast<std::uint32_t>(t.time_since_epoch().count() / 1'000'000);
  }
  mutable std::uint32_t until = 0;
};
struct waits_less_than_nothing : gate {
  answer try_enter(time_point now) const {
    if (now - last > 400 * 86'400 * second) last = now;
    return now < last ? answer::ask_again_in(now - last) : answer::admit(1);
  }
  void on_failure(int, failure const&, time_point now) const { last = now; }
  mutable time_point last{};
};
EXPECT_BROKEN(Several, GateLaws, lawful_gate, never_opens, closes_for_ever, tires_of_success, keeps_what_is_released,
              keeps_a_thousand, throws_after_years);
EXPECT_BROKEN(ItGetsThroughYearsOfUse, GateLaws, opens_when_the_numbers_begin_again, waits_less_than_nothing);
EXPECT_BROKEN(WouldRefuseForesees, GateLaws, cries_wolf, closes_when_it_is_asked);

struct reset { using role = roles::reset; };
struct always_starts_over : reset {
  static bool starts_over(duration) { return true; }
  static laws breaks() { return {"ALongerRunCountsNoLess", "AnyRunHasAnAnswer"}; }
};
struct counts_in_32_bits : reset {
  static bool starts_over(duration ran) { return static_cast<std::uint32_t>(ran.count()) > 1'000; }
  static laws breaks() { return {"ALongerRunCountsNoLess", "AnyRunHasAnAnswer"}; }
};
struct counts_once : reset {
  bool starts_over(duration ran) const { return ran.count() == std::int64_t{1} << 62U && ++asked == 1; }
  mutable int asked = 0;
};
struct counts_by_size : reset { static bool starts_over(duration ran) { return ran > second || ran < -second; } };
EXPECT_BROKEN(AnyRunHasAnAnswer, ResetLaws, counts_by_size);
EXPECT_BROKEN(Several, ResetLaws, always_starts_over, counts_in_32_bits);
EXPECT_BROKEN(ALongerRunCountsNoLess, ResetLaws, counts_once);

// --- clocks and random sources

struct clock {
  using role = roles::clock;
  static constexpr bool is_steady = true;
  static time_point tick() {
    static std::atomic<std::int64_t> ticks{1'000'000};
    return time_point{duration{ticks.fetch_add(2)}};
  }
};
struct set_back : clock {
  time_point now() const { return tick() - duration{++readings % 1'000 == 0 ? 10 : 0}; }
  mutable std::atomic<int> readings{0};
  static laws breaks() { return {"TimeDoesNotGoBack", "ThreadsShareTheTime"}; }
};
struct later_on_each_thread : clock {
  time_point now() const {
    static std::atomic<int> threads{0};
    thread_local int const number = ++threads;
    return tick() - number * second;
  }
};
EXPECT_BROKEN(Several, ClockLaws, set_back);
EXPECT_BROKEN(ThreadsShareTheTime, ClockLaws, later_on_each_thread);

struct always_the_same {
  std::uint64_t operator()() const { return 42; }
  static laws breaks() { return {"EveryBitIsSetHalfOfTheTime", "NumbersDoNotFollowEachOther"}; }
};
struct half_of_the_bits {
  std::uint64_t operator()() const { return anew::thread_random{}() >> 1U; }
  static laws breaks() { return {"EveryBitIsSetHalfOfTheTime", "NumbersDoNotFollowEachOther"}; }
};
struct there_and_back {
  std::uint64_t operator()() { return last = ~last; }
  std::uint64_t last = 42;
};
EXPECT_BROKEN(Several, RandomSourceLaws, always_the_same, half_of_the_bits);
EXPECT_BROKEN(NumbersDoNotFollowEachOther, RandomSourceLaws, there_and_back);

// --- strategies

struct strategy {
  struct token_type {
    duration wait{};
    duration delay() const { return wait; }
  };
  static token_type acquire_initial_token() { return {}; }
  static void record_success(token_type&&) {}
  using refreshed = anew::refreshed<token_type>;
  static refreshed refresh_retry_token(token_type&& token, failure const& what) {
    if (what.safety == anew::retry_safety::no) return stop_reason::not_retryable;
    if (token.wait > second) return stop_reason::attempts;
    return token_type{token.wait + second};
  }
};
struct negative_first_delay : strategy { static token_type acquire_initial_token() { return {duration{-1}}; } };
struct negative_later_delay : strategy {
  static refreshed refresh_retry_token(token_type&& token, failure const& what) {
    if (what.safety == anew::retry_safety::no) return stop_reason::not_retryable;
    return token_type{token.wait > 10 * second ? duration{-1} : token.wait + second};
  }
};
struct retries_anything : strategy {
  static refreshed refresh_retry_token(token_type&&, failure const&) { return token_type{}; }
};
struct retries_anything_throttled : strategy {
  static refreshed refresh_retry_token(token_type&& token, failure const& what) {
    if (what.kind == anew::error_kind::throttling) return token_type{};
    return strategy::refresh_retry_token(std::move(token), what);
  }
};
struct retries_anything_later : strategy {
  static refreshed refresh_retry_token(token_type&& token, failure const& what) {
    if (token.wait == second) return token_type{token.wait + second};
    return strategy::refresh_retry_token(std::move(token), what);
  }
};
struct ends_in_success : strategy {
  static refreshed refresh_retry_token(token_type&& token, failure const& what) {
    if (what.safety == anew::retry_safety::no) return stop_reason::not_retryable;
    if (token.wait > second) return stop_reason::succeeded;
    return token_type{token.wait + second};
  }
};
struct calls_a_refusal_a_success : strategy {
  static refreshed refresh_retry_token(token_type&& token, failure const& what) {
    if (what.safety == anew::retry_safety::no) return stop_reason::succeeded;
    return strategy::refresh_retry_token(std::move(token), what);
  }
};
EXPECT_BROKEN(NoDelayIsNegative, StrategyLaws, negative_first_delay, negative_later_delay);
EXPECT_BROKEN(WhatIsNotSafeIsRefused, StrategyLaws, retries_anything, retries_anything_throttled,
              retries_anything_later, ends_in_success, calls_a_refusal_a_success);

// clang-format on

/// What some laws say, to the end.
constexpr char const* sentences[] = {
    R"(\(the same error has another verdict when it is seen again\))",
    R"(\(an exception of a type that it does not know is a success\))",
    R"(\(delays have [0-9.]+ bits at the first retry and [0-9.]+ at the cap\))",
    R"(\(it said [0-9]+\w+, and after [0-9]+\w+ it says [0-9]+\w+\))",
};

/// Notes who failed, and the law's words.
struct listener : public ::testing::EmptyTestEventListener {
  std::map<std::string, laws> failed;
  laws all;
  laws broken_once;
  std::string told;

  void OnTestPartResult(::testing::TestPartResult const& result) override {
    if (result.failed()) words = result.message();
  }
  void OnTestEnd(::testing::TestInfo const& info) override {
    std::string const suite = info.test_suite_name();
    auto const name = suite.find('/') + 1;
    auto const law = suite.substr(name, suite.rfind('/') - name) + "." + info.name();
    all.insert(law);
    if (!info.result()->Failed()) return;
    broken_once.insert(law);
    failed[suite].insert(info.name());
    std::printf("%s.%s: %s\n", suite.c_str(), info.name(), words.c_str());
    told.append(words);
  }

 private:
  std::string words;
};

}  // namespace

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto* const heard = new listener;  // GoogleTest's from here on
  listeners.Append(heard);
  anew::testing::laws::patience = std::chrono::seconds{2};  // for a call of some nanoseconds
  // That some of them fail is what is wanted.
  int wrong = RUN_ALL_TESTS() == 0 ? 1 : 0;

  for (auto const& [suite, breaks] : expected) {
    if (heard->failed[suite] == breaks) continue;
    ++wrong;
    std::printf("WRONG: %s should break", suite.c_str());
    for (auto const& law : breaks) std::printf(" %s", law.c_str());
    std::printf(", and breaks");
    for (auto const& law : heard->failed[suite]) std::printf(" %s", law.c_str());
    std::printf("\n");
  }
  for (auto const& law : heard->all) {
    if (heard->broken_once.count(law) != 0) continue;
    ++wrong;
    std::printf("WRONG: nothing breaks %s\n", law.c_str());
  }
  for (auto const* const sentence : sentences) {
    if (std::regex_search(heard->told, std::regex{sentence})) continue;
    ++wrong;
    std::printf("WRONG: no law says %s\n", sentence);
  }
  waits_for_a_window_that_is_over::let_go = true;
  std::printf("%zu laws, %zu types, %d wrong\n", heard->all.size(), expected.size(), wrong);
  return wrong == 0 && !heard->all.empty() ? 0 : 1;
}
