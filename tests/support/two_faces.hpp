// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_TWO_FACES_HPP
#define ANEW_TESTS_SUPPORT_TWO_FACES_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/presets/aws.hpp"
#include "anew/presets/smithy.hpp"
#include "anew/presets/step_functions.hpp"
#include "anew/presets/waiter.hpp"
#include "anew/testing.hpp"
#include "anew/text.hpp"
#include "anew/virtual.hpp"

#include "length.hpp"

/// One strategy seen as its own type and through the virtual interface: what the tests of both drive side by side. Each
/// face has a clock, random numbers and a far side of its own, all with the same seeds, so that every number must agree.
namespace two_faces {

using namespace std::chrono_literals;
using anew::testing::manual_clock;
using anew::testing::seeded_random;

// --- what one face lives in

/// What came of a call, number by number.
using record = std::vector<std::int64_t>;

struct world {
  explicit world(std::uint64_t seed) : draws{seed}, script{seed + 1} {}

  manual_clock clock{};
  seeded_random draws;     ///< the strategy's
  std::mt19937_64 script;  ///< the far side's
  record told{};
  bool has_clock = true;  ///< false: the strategy reads the steady clock, which no two calls read alike

  /// Below `n`.
  [[nodiscard]] int any(int n) { return static_cast<int>(script() % static_cast<unsigned>(n)); }
  void tell(std::int64_t number) { told.push_back(number); }
  void tell(anew::duration d) { told.push_back(d.count()); }
  void tell(std::optional<anew::duration> const& d) { tell(d ? d->count() : std::int64_t{-1}); }
  void tell(anew::stop_reason why) { told.push_back(static_cast<std::int64_t>(why)); }
  void tell(std::string_view text) { told.push_back(static_cast<std::int64_t>(std::hash<std::string_view>{}(text))); }

  /// A sleep is told, takes its time, and is a little late at times.
  [[nodiscard]] auto sleep() {
    return [this](anew::duration delay) {
      tell(delay);
      clock.advance(delay);
    };
  }
};

// --- what comes back from the far side

/// An error that says whether to retry.
struct problem {
  anew::retry_safety safety = anew::retry_safety::yes;
  int kind = 0;
  std::optional<anew::duration> after{};
  [[nodiscard]] anew::retry_safety is_retry_safe() const { return safety; }
  [[nodiscard]] bool is_throttle() const { return kind == 1; }
  [[nodiscard]] bool is_timeout() const { return kind == 2; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const { return after; }
};
/// One that says nothing: a classifier of its own reads it.
struct mute {
  int number = 0;
};

/// As std::expected<int, E>.
template <class E>
struct answer {
  answer() = default;
  explicit answer(int value) : value_{value} {}
  explicit answer(E error) : error_{std::move(error)} {}
  [[nodiscard]] bool has_value() const noexcept { return !error_.has_value(); }
  [[nodiscard]] int operator*() const noexcept { return value_; }
  [[nodiscard]] E const& error() const noexcept { return *error_; }

 private:
  int value_ = 0;
  std::optional<E> error_{};
};

/// What a client of HTTP returns.
struct response {
  int status_ = 200;
  std::optional<anew::duration> after{};
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] std::optional<anew::duration> retry_after() const { return after; }
};

inline problem any_problem(world& w) {
  problem one;
  int const safety = w.any(10);
  if (safety == 0) one.safety = anew::retry_safety::no;
  if (safety == 1) one.safety = anew::retry_safety::maybe;
  one.kind = w.any(4);
  if (w.any(6) == 0) one.after = std::chrono::milliseconds{w.any(4000)};
  if (w.any(40) == 0) one.after = anew::duration{-1};
  if (w.any(40) == 0) one.after = 24h;
  return one;
}

#if ANEW_EXCEPTIONS
struct busy : std::runtime_error, anew::retry_info {
  explicit busy(problem const& p) : std::runtime_error{"busy"}, of{p} {}
  anew::retry_safety is_retry_safe() const override { return of.safety; }
  bool is_throttle() const override { return of.kind == 1; }
  bool is_timeout() const override { return of.kind == 2; }
  std::optional<anew::duration> retry_after() const override { return of.after; }
  problem of;
};
/// An exception that is none of the standard's.
struct bare_busy : anew::retry_info {
  anew::retry_safety is_retry_safe() const override { return anew::retry_safety::yes; }
};

/// One call in four ends with exceptions of every sort.
inline void throw_at_times(world& w) {
  switch (w.any(48)) {
    case 0: throw std::runtime_error{"said nothing"};
    case 1: throw std::logic_error{"wrong"};
    case 2: throw 42;
    case 3: throw bare_busy{};
    case 4: throw std::system_error{std::make_error_code(std::errc::connection_refused)};
    case 5: throw anew::step_functions::task_error{"A"};
    case 6: throw anew::aws::service_exception{{.status = 503, .retry_after = 70ms}};
    case 7: throw anew::aws::service_exception{{.status = 429}};
    default:
      if (w.any(6) == 0) throw busy{any_problem(w)};
  }
}
#else
inline void throw_at_times(world& /*w*/) {}
#endif

// Each kind of far side: `result`, what it draws, and the numbers by which a result is compared.

struct speaks {
  using result = answer<problem>;
  static result draw(world& w) { return w.any(2) == 0 ? result{any_problem(w)} : result{w.any(100)}; }
  static std::int64_t number(result const& r) { return r.has_value() ? *r : -1 - r.error().kind; }
};
struct says_nothing {
  using result = answer<mute>;
  static result draw(world& w) { return w.any(2) == 0 ? result{mute{w.any(9)}} : result{w.any(100)}; }
  static std::int64_t number(result const& r) { return r.has_value() ? *r : -1 - r.error().number; }
};
struct is_of_aws {
  using result = answer<anew::aws::error>;
  static result draw(world& w) {
    if (w.any(2) == 0) return result{w.any(100)};
    constexpr int statuses[] = {429, 500, 503, 400, 408, 0, 509};
    anew::aws::error e{.status = statuses[w.any(7)]};
    if (w.any(5) == 0) e.code = w.any(2) == 0 ? "SlowDown" : "ValidationError";
    if (w.any(6) == 0) e.retry_after = std::chrono::milliseconds{w.any(8000)};
    if (e.status == 0) e.connection = anew::aws::connection_error::timeout;
    return result{std::move(e)};
  }
  static std::int64_t number(result const& r) { return r.has_value() ? *r : -1 - r.error().status; }
};
struct has_codes {
  using result = std::error_code;
  static result draw(world& w) {
    constexpr std::errc codes[] = {std::errc::connection_refused, std::errc::timed_out, std::errc::permission_denied,
                                   std::errc::connection_reset};
    return w.any(2) == 0 ? std::make_error_code(codes[w.any(4)]) : std::error_code{};
  }
  static std::int64_t number(result const& r) { return r.value(); }
};
struct is_a_bool {
  using result = bool;
  static result draw(world& w) { return w.any(2) == 0; }
  static std::int64_t number(result r) { return r ? 1 : 0; }
};
struct is_optional {
  using result = std::optional<int>;
  static result draw(world& w) { return w.any(2) == 0 ? result{w.any(100)} : std::nullopt; }
  static std::int64_t number(result const& r) { return r ? *r : -1; }
};
struct is_http {
  using result = response;
  static result draw(world& w) {
    constexpr int statuses[] = {200, 204, 200, 503, 429, 404, 500};
    result r{.status_ = statuses[w.any(7)]};
    if (w.any(5) == 0) r.after = std::chrono::milliseconds{w.any(3000)};
    return r;
  }
  static std::int64_t number(result const& r) { return r.status_; }
};
struct is_a_status {
  using result = int;
  static result draw(world& w) { return is_http::draw(w).status_; }
  static std::int64_t number(result r) { return r; }
};
struct has_a_name {
  using result = answer<std::string>;
  static result draw(world& w) {
    constexpr char const* names[] = {"A", "B", "States.Timeout", "C"};
    return w.any(2) == 0 ? result{std::string{names[w.any(4)]}} : result{w.any(100)};
  }
  static std::int64_t number(result const& r) { return r.has_value() ? *r : -1 - r.error()[0]; }
};

// --- the compositions

/// A strategy of these policies against that far side; `Errors` are named to the virtual one.
template <class FarSide, class Strategy, class... Errors>
struct composed {
  using far_side = FarSide;
  using own = anew::with<Strategy, manual_clock, seeded_random>;
  using behind = anew::virtual_strategy<own, Errors...>;
  static own make(world& w) { return own{w.clock, w.draws}; }
};

/// An observer that tells what it hears.
struct hearing {
  using role = anew::roles::observer;
  world* to;
  void on_attempt(anew::attempt_event const& e) const {
    to->tell(e.attempt);
    to->tell(e.verdict.is_success() ? 0 : e.verdict.is_retry() ? 1 : 2);
    to->tell(e.is_final ? 1 : 0);
  }
  void on_retry(anew::retry_event const& e) const {
    to->tell(e.delay);
    to->tell(static_cast<std::int64_t>(e.origin));
  }
  void on_end(anew::end_event const& e) const {
    to->tell(e.reason);
    to->tell(e.attempts);
  }
};
template <class Composition>
struct heard {
  using far_side = typename Composition::far_side;
  using own = anew::with<typename Composition::own, hearing>;
  using behind = anew::virtual_strategy<own>;
  static own make(world& w) { return own{w.clock, w.draws, hearing{&w}}; }
};

/// The failures that the outcome keeps: behind the interface the view says how many.
struct remembering {
  using far_side = speaks;
  using own = anew::strategy<anew::exponential_backoff<10ms, 1s>, anew::max_attempts<4>, anew::history<2>, manual_clock,
                             seeded_random>;
  using behind = anew::virtual_strategy<anew::with<own, anew::roles::absent<anew::roles::history>>>;
  static own make(world& w) { return own{w.clock, w.draws}; }
  static auto make_behind(world& w) { return behind{w.clock, w.draws}; }
  static auto view(anew::retry_strategy const& s) { return anew::basic_strategy_view{s, anew::history<2>{}}; }
};

/// One type for all that a text can say: a composition is a row.
struct written {
  using far_side = speaks;
  using words = anew::join_words<anew::core_words, anew::attempt_timeout_words, anew::pacer_words, anew::reset_words>;
  using own = anew::strategy_of_words<words, manual_clock, seeded_random>;
  using behind = anew::virtual_strategy<own>;
  static inline char const* text = "";
  static own make(world& w) { return *anew::read_strategy<words>(text, w.clock, w.draws); }
};
inline constexpr char const* written_compositions[] = {
    "attempt_timeout(30ms) max_attempts(4)",
    "attempt_timeout(1ns) max_attempts(2) no_backoff",
    "attempt_timeout(30ms) unbounded deadline(200ms)",
    "attempt_timeout(30ms) unbounded deadline(200ms,clamp,1ms)",
    "attempt_timeout(30ms) max_attempts(9) deadline(150ms,last_try) exponential(20ms,80ms)",
    "attempt_timeout(24h) max_attempts(3) token_bucket(50)",
    "attempt_timeout_share(1) unbounded deadline(300ms)",
    "attempt_timeout_share(1/2) unbounded deadline(250ms,clamp,1ms) decorrelated_jitter",
    "attempt_timeout_share(1/3) max_attempts(5) deadline(1s) token_bucket(100)",
    "attempt_timeout(40ms) circuit_breaker(3,2s) max_attempts(4)",
    "attempt_timeout(40ms) cool_down(exponential(1s,8s)) max_attempts(4)",
    "attempt_timeout(40ms) rate_breaker(50%,10s,5,1s) max_attempts(4)",
    "attempt_timeout(40ms) client_throttle(3/2,10s) max_attempts(4)",
    "attempt_timeout(40ms) client_rate_limiter token_bucket(500) max_attempts(4)",
    "attempt_timeout(40ms) client_rate_limiter(fail_fast) max_attempts(4)",
    "attempt_timeout(40ms) reset_after(30ms) token_bucket(300) decorrelated_jitter",
    "attempt_timeout_share(1/2) unbounded deadline(2s) circuit_breaker(5,100ms,2) retry_budget(20%,1,10s)",
    "deadline(400ms) unbounded client_rate_limiter equal_jitter",
    "deadline(400ms,last_try) max_attempts(6) concurrency_budget(20%,1)",
    "no_backoff max_attempts(1) attempt_timeout(20ms)",
};

/// A strategy that is adjusted behind the interface, beside one that has these policies from the start.
struct refined {
  using far_side = speaks;
  using own = written::own;
  static inline std::string rest;    ///< the policies that both have
  static inline std::string limits;  ///< those that are replaced
  static own read(std::string const& text, world& w) {
    return *anew::read_strategy<written::words>(text, w.clock, w.draws);
  }
  static own make(world& w) {
    return read(rest + " max_attempts(5) exponential(20ms,300ms) deadline(700ms) attempt_timeout(40ms)", w);
  }
  struct behind {
    explicit behind(own strategy) : base_{std::move(strategy)} {}
    [[nodiscard]] own const& strategy() const { return base_.strategy(); }
    [[nodiscard]] anew::retry_strategy const& adjusted() const { return adjusted_; }

   private:
    anew::virtual_strategy<own> base_;
    decltype(anew::adjusted(std::declval<anew::retry_strategy const&>(), anew::max_attempts{9},
                            anew::exponential_backoff{1ms, 1ms})) once_ =
        anew::adjusted(base_, anew::max_attempts{9}, anew::exponential_backoff{1ms, 1ms});
    decltype(anew::adjusted(std::declval<anew::retry_strategy const&>(), anew::max_attempts{5},
                            anew::exponential_backoff{20ms, 300ms}, anew::deadline{700ms},
                            anew::attempt_timeout{40ms})) adjusted_ =
        anew::adjusted(once_, anew::max_attempts{5}, anew::exponential_backoff{20ms, 300ms}, anew::deadline{700ms},
                       anew::attempt_timeout{40ms});
  };
  static behind make_behind(world& w) { return behind{read(rest + " " + limits, w)}; }
  static auto view(behind const& s) { return anew::strategy_view{s.adjusted()}; }
};
inline constexpr char const* refined_rests[] = {
    "",
    "token_bucket(50)",
    "circuit_breaker(3,200ms)",
    "cool_down(exponential(100ms,8s))",
    "client_rate_limiter equal_jitter",
    "refilling_bucket(20,5s,reserve,800ms) decorrelated_jitter",
    "reset_after(30ms) retry_budget(20%,1,10s) pushback_hint(10s)",
};
inline constexpr char const* refined_limits[] = {
    "max_attempts(3)",
    "max_attempts(2) no_backoff deadline(50ms) attempt_timeout(1ms)",
    "unbounded constant(1s) deadline(20s,clamp,1ms) attempt_timeout_share(1/2)",
};

/// The same behind a view of a view of a view.
template <class Composition>
struct nested {
  using far_side = typename Composition::far_side;
  using own = typename Composition::own;
  class behind : public anew::virtual_strategy<anew::strategy_view> {
    using outer = anew::virtual_strategy<anew::strategy_view>;

   public:
    explicit behind(own strategy) : behind{std::make_unique<parts>(std::move(strategy))} {}
    [[nodiscard]] own const& strategy() const { return parts_->innermost.strategy(); }

   private:
    struct parts {
      explicit parts(own&& strategy) : innermost{std::move(strategy)} {}
      typename Composition::behind innermost;
      outer middle{anew::strategy_view{innermost}};
    };
    explicit behind(std::unique_ptr<parts> all) : outer{anew::strategy_view{all->middle}}, parts_{std::move(all)} {}
    std::unique_ptr<parts> parts_;
  };
  static own make(world& w) { return Composition::make(w); }
};

struct workflow {
  using far_side = has_a_name;
  using own = anew::step_functions::strategy<seeded_random>;
  using behind = anew::virtual_strategy<own>;
  static own make(world& w) {
    w.has_clock = false;
    return own{anew::step_functions::retriers{
                   {{.error_equals = {"A"}, .interval = 2s, .max_attempts = 2, .backoff_rate = {3, 2}},
                    {.error_equals = {"B"}, .max_attempts = 4, .jitter = anew::step_functions::jitter_strategy::full},
                    {.error_equals = {"States.Timeout"}, .max_attempts = 0},
                    {.error_equals = {"States.ALL"}, .max_delay = 3s}}},
               w.draws};
  }
};

struct reads_mute {
  [[nodiscard]] anew::directive operator()(mute const& m) const {
    if (m.number < 2) return anew::directive::fail();
    return anew::directive::retry(m.number < 5 ? anew::error_kind::throttling : anew::error_kind::server,
                                  m.number == 7 ? anew::asked_delay{30ms} : anew::asked_delay{});
  }
};
/// A classifier that no list names: the virtual strategy is told its errors.
struct template_of_mute {
  using role = anew::roles::classifier;
  template <class E>
    requires requires(E const& e) { e.number; }
  [[nodiscard]] static anew::directive classify(E const& e) {
    return reads_mute{}(e);
  }
};

using quick = anew::strategy<anew::exponential_backoff<10ms, 1s>, anew::full_jitter, anew::max_attempts<4>>;
template <class... More>
using spoken = composed<speaks, anew::with<quick, More...>>;

using usual = spoken<anew::token_bucket<100>>;
using breaker = spoken<anew::circuit_breaker<3, 2s>, anew::token_bucket<200>>;
using cooling = spoken<anew::cool_down<anew::exponential_backoff<1s, 8s>>>;
using rated = spoken<anew::rate_breaker<50, 10s, 5>>;
using throttled = spoken<anew::client_throttle<anew::rational{3, 2}, 10s>>;
using bounded = spoken<anew::deadline<3s, anew::at_deadline::clamp, 1ms>, anew::unbounded, anew::equal_jitter>;
using reserving = spoken<anew::refilling_bucket<20, 5s, anew::when_empty::reserve, 800ms>>;
using refilling = spoken<anew::refilling_bucket<10, 5s>, anew::decorrelated_jitter>;
using budgeted = spoken<anew::retry_budget<20, 1, 10s>>;
using concurrent = spoken<anew::concurrency_budget<20, 1>>;
using limited = spoken<anew::client_rate_limiter<>, anew::token_bucket<500>>;
using starting_over = spoken<anew::reset_after<40ms>, anew::token_bucket<300>, anew::decorrelated_jitter>;
using hinted = spoken<anew::clamped_hint<200ms>, anew::token_bucket<5000>>;
using pushed_back = spoken<anew::pushback_hint<>>;
using observed = heard<spoken<anew::token_bucket<100>>>;
using guarded = spoken<anew::nesting_guard<>, anew::token_bucket<100>>;
using at_once = composed<is_a_bool, anew::with<quick, anew::retry_all, anew::token_bucket<100>>>;
using maybe_there = composed<is_optional, anew::with<quick, anew::idempotent_only<anew::retry_all>>>;
using sockets = composed<has_codes, anew::with<quick, anew::error_code_classifier, anew::token_bucket<100>>>;
using web = composed<is_http, anew::with<quick, anew::http_status_classifier<>, anew::token_bucket<100>>, response>;
using statuses = composed<is_a_status, anew::with<quick, anew::http_status_classifier<>>>;
using predicate = composed<says_nothing, anew::with<quick, anew::retry_if<reads_mute>, anew::token_bucket<100>>>;
using named = composed<says_nothing, anew::with<quick, template_of_mute>, mute>;
using aws_2026 = composed<is_of_aws, anew::aws::standard>;
using aws_2020 = composed<is_of_aws, anew::aws::standard_2020>;
using aws_adaptive = composed<is_of_aws, anew::aws::adaptive>;
using aws_polling = composed<is_of_aws, anew::aws::long_polling>;
using kotlin = composed<speaks, anew::smithy_kotlin::standard>;
using waiting = composed<speaks, anew::with<anew::smithy::waiter<300s>, anew::token_bucket<100>>>;
using nested_usual = nested<breaker>;
using nested_predicate = nested<predicate>;
using nested_web = nested<web>;

// --- a call, and what is compared of it

/// What an operation does when it is called: takes a while, and draws what comes back.
template <class FarSide>
auto attempt_at(world& w) {
  return [&w](anew::attempt& self) -> typename FarSide::result {
    w.tell(self.number());
    w.tell(self.remaining());
    w.tell(self.limit());
    w.tell(self.composed_limit());
    w.clock.advance(std::chrono::milliseconds{w.any(60)});
    throw_at_times(w);
    return FarSide::draw(w);
  };
}

/// Runs the call, and tells what it returned or threw.
template <class FarSide, class Call>
void tell_call(world& w, Call const& call) {
#if ANEW_EXCEPTIONS
  try {
    w.tell(FarSide::number(call()));
  } catch (anew::call_refused const& e) {
    w.tell(e.reason());
  } catch (std::exception const& e) {
    w.tell(std::string_view{e.what()});
  } catch (int number) {
    w.tell(number);
  } catch (bare_busy const&) {
    w.tell(std::string_view{"bare"});
  }
#else
  w.tell(FarSide::number(call()));
#endif
}

#if ANEW_EXCEPTIONS
inline void tell_exception(world& w, std::exception_ptr const& thrown) {
  if (thrown == nullptr) return w.tell(0);
  tell_call<is_a_status>(w, [&]() -> int { std::rethrow_exception(thrown); });
}
#endif

/// What calls share.
void tell_state(world& w, auto const& strategy) {
  if constexpr (requires { strategy.quota().balance(); }) w.tell(static_cast<std::int64_t>(strategy.quota().balance()));
  if constexpr (requires { strategy.gate().state(); }) w.tell(static_cast<std::int64_t>(strategy.gate().state()));
  if constexpr (requires { strategy.pacer().fill_rate(); })
    w.tell(static_cast<std::int64_t>(strategy.pacer().fill_rate() * 1e6));
  w.tell(w.clock.peek().time_since_epoch());
}

/// How many of these calls, or which fails first: 10,000 by each of both faces at full length.
template <class Composition, class Driver>
std::string first_difference(Driver const& driver) {
  using far_side = typename Composition::far_side;
  constexpr std::uint64_t seed = 20261122;
  world fixed{seed};
  world dynamic{seed};
  auto const strategy = Composition::make(fixed);
  typename Composition::behind const behind = [&dynamic]() -> typename Composition::behind {
    if constexpr (requires { Composition::make_behind(dynamic); }) {
      return Composition::make_behind(dynamic);
    } else {
      return typename Composition::behind{Composition::make(dynamic)};
    }
  }();
  auto const view = [&behind] {
    if constexpr (requires { Composition::view(behind); }) {
      return Composition::view(behind);
    } else {
      return anew::strategy_view{behind};
    }
  }();
  int const calls = support::length_of(10'000);
  for (int call = 0; call != calls; ++call) {
    for (auto* const w : {&fixed, &dynamic}) {
      w->told.clear();
      auto const pause = w->any(8);
      w->clock.advance(pause == 0 ? anew::duration{7s} : std::chrono::milliseconds{pause});
    }
    driver.template operator()<far_side>(strategy, fixed);
    tell_state(fixed, strategy);
    driver.template operator()<far_side>(view, dynamic);
    tell_state(dynamic, behind.strategy());
    if (fixed.told == dynamic.told) continue;
    std::string text = "call " + std::to_string(call) + "\n";
    for (auto const* const w : {&fixed, &dynamic}) {
      for (auto const number : w->told) text += " " + std::to_string(number);
      text += "\n";
    }
    return text;
  }
  return "";
}

}  // namespace two_faces

#if !ANEW_EXCEPTIONS
/// Without exceptions a call that a gate refuses says so by its result.
template <class E>
struct anew::refused_result<two_faces::answer<E>> {
  static two_faces::answer<E> make(anew::stop_reason why) { return two_faces::answer<E>{1000 + static_cast<int>(why)}; }
};
template <>
struct anew::refused_result<two_faces::response> {
  static two_faces::response make(anew::stop_reason why) { return {.status_ = 1000 + static_cast<int>(why)}; }
};
template <>
struct anew::refused_result<bool> {
  static bool make(anew::stop_reason /*why*/) { return false; }
};
template <>
struct anew::refused_result<int> {
  static int make(anew::stop_reason why) { return 1000 + static_cast<int>(why); }
};
template <class T>
struct anew::refused_result<std::optional<T>> {
  static std::optional<T> make(anew::stop_reason /*why*/) { return std::nullopt; }
};
template <>
struct anew::refused_result<std::error_code> {
  static std::error_code make(anew::stop_reason why) { return {1000 + static_cast<int>(why), std::generic_category()}; }
};
#endif

#endif
