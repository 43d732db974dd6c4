// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STORIES_PARTS_HPP
#define ANEW_TESTS_SUPPORT_STORIES_PARTS_HPP

#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "anew/anew.hpp"
#include "anew/policies/history/history.hpp"
#include "anew/policies/limits/attempt_timeout.hpp"
#include "anew/policies/limits/max_attempts_by_kind.hpp"
#include "anew/policies/limits/reset_after.hpp"
#include "anew/policies/observer/fan_out.hpp"
#include "anew/testing/scripted_random.hpp"

#include "../pinned.hpp"
#include "story.hpp"

/// The parts of a strategy that follow a story and keep its books, and the few compositions of them.
namespace support::stories {

struct reader {
  using role = anew::roles::classifier;
  using catches = anew::catch_list<fault>;
  world* w;
  [[nodiscard]] directive classify(fault const& f) const { return read(f.at, f.verdict); }
  /// An asynchronous driver requires it, for attempts that it ends at their limit.
  [[nodiscard]] static directive classify(std::error_code const& /*late*/) { return directive::fail(); }
  [[nodiscard]] directive classify_result(value const& v) const {
    return read(v.at, v.of->fails ? v.of->verdict : directive::succeed());
  }
  [[nodiscard]] directive read(int at, directive const& verdict) const {
    if (w->of.with.breaks == "read " + std::to_string(at)) throw broke{};
    return verdict;
  }
};

/// `told 1`: a failure that is retried; `final`: one that could be; `good`, `bad`: a success, a final failure.
struct tells {
  using role = anew::roles::observer;
  world* w;
  void on_attempt(anew::attempt_event const& e) const {
    std::string line{"told " + std::to_string(e.attempt)};
    if (!e.verdict.is_retry()) line += e.verdict.is_success() ? " good" : " bad";
    if (e.is_final != !e.verdict.is_retry()) line += e.is_final ? " final" : ", not final";
    w->note(std::move(line));
  }
  void on_retry(anew::retry_event const& e) const {
    std::string line{"next " + std::to_string(e.attempt)};
    line.append(" ").append(to_string(e.what.kind));
    if (e.what.hint) line += "^" + world::text(*e.what.hint);
    line += " in " + world::text(e.delay);
    if (e.origin != anew::delay_origin::backoff) line += " by " + std::to_string(static_cast<int>(e.origin));
    w->foretell(e.what.kind, e.delay);
    w->note(std::move(line));
  }
  void on_end(anew::end_event const& e) const {
    w->note("end " + std::string{to_string(e.reason)} + " " + std::to_string(e.attempts));
  }
};

/// What is held is a number; it comes back once. What a part remembers lies in the world, so that it may be copied.
class lent {
 protected:
  lent(world& of, world::memory& own) : w_{&of}, own_{&own} {}
  int take() const { return ++w_->held, ++own_->last; }
  void back(int held, std::string line) const {
    if (held != 0) --w_->held;
    line.append(" ").append(std::to_string(held));  // g++ 12 warns of `" " +` at -O3
    w_->note(std::move(line));
  }
  int said(char const* list) const { return own_->answer = world::next(list, own_->asked); }
  world* w_;
  world::memory* own_;
};

struct quota : protected lent {
  using role = anew::roles::quota;
  using permit_type = int;
  explicit quota(world& of) : lent{of, of.quota} {}
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const& what) const {
    if (said(w_->of.with.quota) >= 0) {
      auto const permit = take();
      w_->note("take " + std::to_string(permit));
      return permit;
    }
    w_->note(std::string{"quota refuses "} + to_string(what.kind));
    return std::nullopt;
  }
  void on_success(int held) const { back(held, "paid"); }
  void on_failure(int held) const { back(held, "spent"); }
  void release(int held) const { back(held, "unused"); }
};
/// Counts the calls. A permit may have to be waited for, and is settled before its attempt: then it is another one, from
/// 101 on. A refusal makes the caller slower.
struct lending : quota {
  static constexpr bool waits_before_refusal = true;
  using quota::quota;
  [[nodiscard]] duration wait(int /*permit*/, anew::time_point /*now*/) const { return milliseconds{own_->answer}; }
  [[nodiscard]] anew::admission<int> settle(int permit, anew::time_point now) const {
    auto const answer = world::next(w_->of.with.settle, w_->settled);
    w_->note("settle " + std::to_string(answer) + w_->at(now));
    if (answer < 0) return anew::admission<int>::refuse();
    if (answer > 0) return anew::admission<int>::ask_again_in(milliseconds{answer});
    return anew::admission<int>::admit(permit > 100 ? permit : permit + 100);
  }
  void on_call(anew::time_point now) const {
    ++w_->held;
    w_->note("call" + w_->at(now));
  }
  void on_call_end() const { back(1, "over"); }
};

struct gate : private lent {
  using role = anew::roles::gate;
  using pass_type = int;
  explicit gate(world& of) : lent{of, of.gate} {}
  [[nodiscard]] anew::admission<int> try_enter(anew::time_point now) const {
    auto const answer = said(w_->of.with.gate);
    w_->note("gate " + std::to_string(answer) + w_->at(now));
    if (answer < 0) return anew::admission<int>::refuse();
    if (answer > 0) return anew::admission<int>::ask_again_in(milliseconds{answer});
    return anew::admission<int>::admit(take());
  }
  [[nodiscard]] bool would_refuse(anew::time_point then) const {
    auto const refuses = world::next(w_->of.with.foreseen, w_->foreseen) != 0;
    if (refuses) w_->note("foreseen" + w_->at(then));
    return refuses;
  }
  void on_success(int held, anew::time_point now) const { back(held, "passed" + w_->at(now)); }
  void on_failure(int held, anew::failure const& what, anew::time_point now) const {
    back(held, std::string{"failed "} + to_string(what.kind) + w_->at(now));
  }
  void release(int held) const { back(held, "left"); }
};

struct pacer : private lent {
  using role = anew::roles::pacer;
  using ticket_type = int;
  explicit pacer(world& of) : lent{of, of.pacer} {}
  [[nodiscard]] anew::pace ask(int& ticket, anew::time_point now) const {
    auto const answer = said(w_->of.with.pacer);
    w_->note("pace " + std::to_string(answer) + w_->at(now));
    if (answer < 0) return {.refused = true};
    if (answer > 0 && ticket == 0) ticket = take();
    if (answer == 0 && ticket != 0) --w_->held, ticket = 0;
    return {.wait = milliseconds{answer}};
  }
  void on_success(anew::time_point now) const { w_->note("sent" + w_->at(now)); }
  void on_failure(anew::failure const& what, anew::time_point now) const {
    w_->note(std::string{"not sent "} + to_string(what.kind) + w_->at(now));
  }
  void release(int held) const { back(held, "ticket"); }
};

/// Nested where the story's quota list has an entry: it decides instead of the quota.
struct nesting : lent {
  using role = anew::roles::nesting;
  using permit_type = int;
  static constexpr auto refusal = anew::stop_reason::nested;
  explicit nesting(world& of) : lent{of, of.nesting} {}
  struct scope : pinned {
    world* w;
    explicit scope(world* in) : w{in} { w->note("enter"); }
    ~scope() { w->note("leave"); }
  };
  [[nodiscard]] scope enter(auto const& /*quota*/) const { return scope{w_}; }
  [[nodiscard]] bool is_nested() const { return *w_->of.with.quota != '\0'; }
  [[nodiscard]] std::optional<int> try_acquire(anew::failure const& /*what*/) const {
    auto const answer = said(w_->of.with.quota);
    w_->note("nested " + std::to_string(answer));
    if (answer < 0) return std::nullopt;
    return take();
  }
  void on_success(int held) const { back(held, "nested paid"); }
  void on_failure(int held) const { back(held, "nested spent"); }
  void release(int held) const { back(held, "nested unused"); }
};

/// The three functions of a strategy, and a classifier: it is not composed. It delays the first attempt too.
struct own_strategy {
  struct token_type {
    token_type(world& of, unsigned number, duration delay) : w_{&of}, number_{number}, delay_{delay} { ++of.held; }
    token_type(token_type&& other) noexcept
        : w_{std::exchange(other.w_, nullptr)}, number_{other.number_}, delay_{other.delay_} {}
    token_type& operator=(token_type&& other) noexcept {
      std::swap(w_, other.w_);
      number_ = other.number_;
      delay_ = other.delay_;
      return *this;
    }
    ~token_type() {
      if (w_ != nullptr) --w_->held;
    }
    [[nodiscard]] duration delay() const noexcept { return delay_; }
    [[nodiscard]] unsigned number() const noexcept { return number_; }

   private:
    world* w_;
    unsigned number_;
    duration delay_;
  };
  world* w;
  [[nodiscard]] token_type acquire_initial_token() const {
    w->note("begin");
    return {*w, 1, milliseconds{w->of.with.first}};
  }
  [[nodiscard]] anew::refreshed<token_type> refresh_retry_token(token_type&& used, anew::failure const& what) const {
    w->note(std::string{"asked "} + to_string(what.kind));
    if (used.number() >= w->of.with.attempts) return anew::stop_reason::attempts;
    return token_type{*w, used.number() + 1, milliseconds{10} * used.number()};
  }
  void record_success(token_type&& used) const { w->note("won " + std::to_string(used.number())); }
  [[nodiscard]] reader classifier() const { return {w}; }
  [[nodiscard]] anew::time_point now() const { return w->clock.now(); }
};

/// Calls `play(strategy)` with the strategy that the story asks for, or with the same without its history.
template <bool WithHistory = true, class Play>
void compose(world& w, Play&& play) {
  auto const& with = w.of.with;
  auto const make = [&](auto&&... more) {
    return anew::compose(reader{&w},
                         anew::exponential_backoff<std::chrono::milliseconds{100}, std::chrono::seconds{1}>{}, w.clock,
                         std::forward<decltype(more)>(more)...);
  };
  auto const plain = anew::no_jitter{};
  auto const heard = anew::fan_out{tells{&w}, w.laws};  // the other compositions tell an observer that follows no calls
  auto const attempts = anew::max_attempts{with.attempts};
  auto const deadline = anew::deadline{milliseconds{with.deadline}};
  auto const limit = anew::attempt_timeout{milliseconds{with.limit == 0 ? 1'000'000'000 : with.limit}};
  switch (w.of.where) {
    case in::plain: return play(make(plain, attempts));
    case in::told: return play(make(plain, attempts, heard, quota{w}));
    case in::timed: return play(make(plain, attempts, tells{&w}, quota{w}, deadline, limit));
    case in::gated: return play(make(plain, attempts, heard, quota{w}, deadline, gate{w}, pacer{w}));
    case in::rest: {
      auto const make_rest = [&](auto&&... history) {
        return make(anew::decorrelated_jitter{}, anew::testing::seeded_random{7}, heard, lending{w}, deadline,
                    anew::max_attempts_by_kind<anew::for_kind<error_kind::throttling, anew::max_attempts<2>>,
                                               anew::max_attempts<4>>{},
                    anew::reset_after<std::chrono::seconds{5}>{}, history...);
      };
      if constexpr (WithHistory) return play(make_rest(anew::history<2>{}));
      if constexpr (!WithHistory) return play(make_rest());
      return;
    }
    case in::nested: return play(make(plain, attempts, tells{&w}, quota{w}, nesting{w}));
    case in::own: return play(own_strategy{&w});
  }
}

/// The operation. Each declaration of it is a type, and costs a driver: only one composition has them all.
struct act {
  world* w;
  answer operator()(anew::attempt& self) const { return w->attempt(self); }
};
struct act_by_value {
  world* w;
  value operator()(anew::attempt& self) const {
    auto const at = w->attempt(self).at;
    return {w->last(), at};
  }
};
struct put_back {
  world* w;
  bool operator()() const { return w->put_back(); }
};
template <class S>
inline constexpr bool is_composed = !std::is_same_v<S, own_strategy>;
template <class S>
inline constexpr bool is_nested = false;
template <class S>
  requires is_composed<S>
inline constexpr bool is_nested<S> = S::has_nesting;
template <class S>
inline constexpr bool is_plain = false;
template <class S>
  requires is_composed<S>
inline constexpr bool is_plain<S> = !S::has_observer;
template <class S>
inline constexpr bool is_told = false;
template <class S>
  requires is_composed<S>
inline constexpr bool is_told<S> = S::has_observer && !S::has_deadline && !S::has_gate && !S::has_nesting;

/// Calls `play(operation)` with what the story declares, of `op`, or of `by_value`.
template <class S, class Op, class ByValue, class Play>
void declare(S const& /*strategy*/, world& w, Op const& op, [[maybe_unused]] ByValue const& by_value, Play&& play) {
  if constexpr (is_plain<S>) {
    if (w.of.with.is == how::valued) return play(anew::idempotent(by_value));
  }
  if constexpr (is_told<S>) {
    if (w.of.with.is == how::undeclared) return play(op);
    if (w.of.with.is == how::once) return play(anew::one_shot(op));
    if (w.of.with.is == how::rewound) return play(anew::rewinding(anew::idempotent(op), put_back{&w}));
  }
  play(anew::idempotent(op));
}
template <class S, class Play>
void declare(S const& strategy, world& w, Play&& play) {
  declare(strategy, w, act{&w}, act_by_value{&w}, std::forward<Play>(play));
}

}  // namespace support::stories

#endif
