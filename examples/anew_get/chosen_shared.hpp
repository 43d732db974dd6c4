// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_CHOSEN_SHARED_HPP
#define ANEW_GET_CHOSEN_SHARED_HPP

// Of the policies that are chosen on the command line, those that all calls of a run share: the quota and the gate.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/gate/cool_down.hpp"
#include "anew/gate/rate_breaker.hpp"
#include "anew/quota/concurrency_budget.hpp"
#include "anew/quota/refilling_bucket.hpp"
#include "anew/quota/retry_budget.hpp"
#include "anew/quota/retry_throttle.hpp"

#include "chosen.hpp"

namespace anew_get {

/// The balance of the shared quota. Some have no fixed most.
struct quota_state {
  bool is_limited = false;
  std::uint32_t balance = 0;
  std::optional<std::uint32_t> capacity;
};

class chosen_quota {
 public:
  using role = anew::roles::quota;
  using bucket = decltype(anew::token_bucket{0});
  using refilling = decltype(anew::refilling_bucket{0, anew::duration{1}});
  using lending = decltype(anew::refilling_bucket{0, anew::duration{1}, anew::longest_wait{anew::duration{1}}});
  using budget = decltype(anew::retry_budget{20, 10, std::chrono::seconds{10}});
  using concurrency = decltype(anew::concurrency_budget{20, 3});
  using throttle = decltype(anew::retry_throttle{100, anew::rational{1, 10}});
  using choice = std::variant<anew::unlimited_quota, bucket, refilling, lending, budget, concurrency, throttle>;
  using permit_type = std::variant<std::monostate, std::uint32_t, lending::permit_type>;

  template <class Q, class... Args>
  explicit chosen_quota(std::in_place_type_t<Q> which, Args const&... args) : choice_{which, args...} {}

  /// Another one in its place, before anybody uses it.
  template <class Q, class... Args>
  void emplace(Args const&... args) {
    choice_.emplace<Q>(args...);
  }

  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& f, anew::time_point now) const {
    return std::visit(
        [&](auto const& quota) -> std::optional<permit_type> {
          auto const permit = [&] {
            if constexpr (requires { quota.try_acquire(f, now); }) {
              return quota.try_acquire(f, now);
            } else {
              return quota.try_acquire(f);
            }
          }();
          if (!permit) return std::nullopt;
          if constexpr (std::is_same_v<decltype(permit), std::optional<anew::no_permit> const>) {
            return permit_type{};
          } else {
            return permit_type{*permit};
          }
        },
        choice_);
  }
  void on_success(permit_type const& held) const {
    std::visit([&](auto const& quota) { quota.on_success(of(quota, held)); }, choice_);
  }
  void on_failure(permit_type const& held) const {
    std::visit(
        [&](auto const& quota) {
          if constexpr (requires { quota.on_failure(of(quota, held)); }) quota.on_failure(of(quota, held));
        },
        choice_);
  }
  void release(permit_type const& held) const {
    std::visit([&](auto const& quota) { quota.release(of(quota, held)); }, choice_);
  }
  [[nodiscard]] anew::duration wait(permit_type const& held, anew::time_point now) const {
    auto const* const lends = std::get_if<lending>(&choice_);
    return lends == nullptr ? anew::duration::zero() : lends->wait(of(*lends, held), now);
  }
  void on_call(anew::time_point now) const {
    std::visit(
        [&](auto const& quota) {
          if constexpr (requires { quota.on_call(now); }) quota.on_call(now);
        },
        choice_);
  }
  void on_call_end() const {
    std::visit(
        [](auto const& quota) {
          if constexpr (requires { quota.on_call_end(); }) quota.on_call_end();
        },
        choice_);
  }
  void on_attempt_failed(anew::failure const& f) const {
    std::visit(
        [&](auto const& quota) {
          if constexpr (requires { quota.on_attempt_failed(f); }) quota.on_attempt_failed(f);
        },
        choice_);
  }

  [[nodiscard]] quota_state state() const {
    return std::visit(
        []<class Q>(Q const& quota) {
          quota_state now{!std::is_same_v<Q, anew::unlimited_quota>, 0, std::nullopt};
          if constexpr (requires { quota.capacity(); }) now.capacity = quota.capacity();
          if constexpr (requires { quota.balance(); }) {
            now.balance = quota.balance();
          } else if constexpr (requires { quota.balance(anew::time_point{}); }) {
            now.balance = quota.balance(std::chrono::steady_clock::now());
          }
          return now;
        },
        choice_);
  }
  [[nodiscard]] std::string describe() const {
    return std::visit([](auto const& q) { return q.describe(); }, choice_);
  }

 private:
  template <class Q>
  static typename Q::permit_type of(Q const& /*quota*/, permit_type const& held) {
    auto const* const permit = [&] {
      if constexpr (std::is_same_v<typename Q::permit_type, anew::no_permit>) {
        return static_cast<anew::no_permit const*>(nullptr);
      } else {
        return std::get_if<typename Q::permit_type>(&held);
      }
    }();
    return permit == nullptr ? typename Q::permit_type{} : *permit;
  }

  choice choice_;
};

/// Where the role is not played, every attempt may begin, and nothing is described.
class chosen_gate {
 public:
  using role = anew::roles::gate;
  using circuit = decltype(anew::circuit_breaker{1, anew::duration{1}});
  using rate = decltype(anew::rate_breaker{50, std::chrono::milliseconds{1}, 1, anew::duration{1}});
  template <anew::when_cooling Then>
  using cooling = anew::cool_down<chosen_backoff, Then, anew::run_time_count, anew::run_time>;
  using choice = std::variant<std::monostate, circuit, rate, cooling<anew::when_cooling::wait>,
                              cooling<anew::when_cooling::refuse>>;
  using pass_type = std::uint64_t;  // the widest of all

  template <class G, class... Args>
  void emplace(Args const&... args) {
    choice_.emplace<G>(args...);
  }

  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point now, anew::time_point& since) const {
    return ask(anew::admission<pass_type>::admit({}), [&](auto const& gate) {
      auto const answer = [&] {
        if constexpr (requires { gate.try_enter(now, since); }) {
          return gate.try_enter(now, since);
        } else {
          return gate.try_enter(now);
        }
      }();
      return anew::admission<pass_type>{answer.pass, answer.wait};
    });
  }
  [[nodiscard]] anew::admission<pass_type> try_enter(anew::time_point now) const {
    auto since = anew::time_point::min();
    return try_enter(now, since);
  }
  void on_success(pass_type pass, anew::time_point now) const {
    ask(0, [&]<class G>(G const& gate) { return gate.on_success(static_cast<typename G::pass_type>(pass), now), 0; });
  }
  void on_failure(pass_type pass, anew::failure const& what, anew::time_point now) const {
    ask(0, [&]<class G>(G const& gate) {
      return gate.on_failure(static_cast<typename G::pass_type>(pass), what, now), 0;
    });
  }
  template <class Random>
  void on_failure(pass_type pass, anew::failure const& what, anew::time_point now, Random&& random) const {
    ask(0, [&]<class G>(G const& gate) {
      auto const own = static_cast<typename G::pass_type>(pass);
      if constexpr (requires { gate.on_failure(own, what, now, random); }) {
        return gate.on_failure(own, what, now, random), 0;
      } else {
        return gate.on_failure(own, what, now), 0;
      }
    });
  }
  void release(pass_type pass) const {
    ask(0, [&]<class G>(G const& gate) { return gate.release(static_cast<typename G::pass_type>(pass)), 0; });
  }
  [[nodiscard]] bool would_refuse(anew::time_point time) const {
    return ask(false, [&](auto const& gate) {
      if constexpr (requires { gate.would_refuse(time); }) return gate.would_refuse(time);
      return false;
    });
  }
  [[nodiscard]] std::string describe() const {
    return ask(std::string{}, [](auto const& gate) { return gate.describe(); });
  }

 private:
  template <class Answer, class Question>
  Answer ask(Answer of_none, Question const& question) const {
    return std::visit(
        [&]<class G>(G const& gate) {
          if constexpr (std::is_same_v<G, std::monostate>) {
            return of_none;
          } else {
            return question(gate);
          }
        },
        choice_);
  }

  choice choice_;
};

}  // namespace anew_get

#endif
