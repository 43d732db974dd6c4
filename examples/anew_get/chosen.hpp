// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_CHOSEN_HPP
#define ANEW_GET_CHOSEN_HPP

// Policies that are chosen on the command line. They are written against the same concepts as anew's own and composed
// in the same way; they only pass on to one of anew's, held in a std::variant or behind a pointer.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "anew/anew.hpp"
#include "anew/hint/jittered.hpp"
#include "anew/jitter/cap_after_draw.hpp"
#include "anew/jitter/polly_decorrelated.hpp"
#include "anew/jitter/proportional.hpp"

namespace anew_get {

/// Any backoff, behind a pointer: those that are made of others are too many for a list.
class chosen_backoff {
 public:
  using role = anew::roles::backoff;

  template <class B>
    requires(anew::Backoff<B> && !std::is_same_v<B, chosen_backoff>)
  explicit chosen_backoff(B made) : made_{std::make_shared<holder<B>>(std::move(made))} {}

  [[nodiscard]] anew::duration delay(std::uint32_t retry) const { return made_->delay(retry); }
  [[nodiscard]] anew::duration cap() const { return made_->cap(); }
  [[nodiscard]] std::string describe() const { return made_->describe(); }

 private:
  class any_backoff {
   public:
    any_backoff() = default;
    any_backoff(any_backoff const&) = delete;
    any_backoff& operator=(any_backoff const&) = delete;
    virtual ~any_backoff() = default;
    [[nodiscard]] virtual anew::duration delay(std::uint32_t retry) const = 0;
    [[nodiscard]] virtual anew::duration cap() const = 0;
    [[nodiscard]] virtual std::string describe() const = 0;
  };
  template <class B>
  class holder final : public any_backoff {
   public:
    explicit holder(B made) : made_{std::move(made)} {}
    [[nodiscard]] anew::duration delay(std::uint32_t retry) const override { return made_.delay(retry); }
    [[nodiscard]] anew::duration cap() const override { return made_.cap(); }
    [[nodiscard]] std::string describe() const override { return made_.describe(); }

   private:
    B made_;
  };

  std::shared_ptr<any_backoff const> made_;
};

// [jitter]
class chosen_jitter {
 public:
  using role = anew::roles::jitter;
  using proportional = anew::proportional_jitter<anew::at_run_time<anew::rational>>;
  using choice = std::variant<anew::no_jitter, anew::full_jitter, anew::equal_jitter, anew::decorrelated_jitter,
                              anew::cap_after_draw_jitter, anew::polly_decorrelated_jitter, proportional>;
  // What those remember that remember; the others leave it alone.
  using state_type = std::tuple<anew::decorrelated_jitter::state_type, anew::cap_after_draw_jitter::state_type,
                                anew::polly_decorrelated_jitter::state_type, proportional::state_type>;

  explicit chosen_jitter(choice made) : choice_{made} {}

  template <anew::RandomSource R>
  [[nodiscard]] anew::duration apply(anew::delay_bounds const& bounds, state_type& state, R& random) const {
    return std::visit(
        [&]<class J>(J const& jitter) {
          if constexpr (requires { typename J::state_type; }) {
            return jitter.apply(bounds, std::get<typename J::state_type>(state), random);
          } else {
            return jitter.apply(bounds.ceiling, random);
          }
        },
        choice_);
  }
  [[nodiscard]] std::string describe() const {
    return std::visit([](auto const& j) { return j.describe(); }, choice_);
  }

 private:
  choice choice_;
};
// [/jitter]

/// Statuses as anew reads them, but which of them are retried is said at run time.
class http_statuses {
  template <class Offsets>
  struct all_of;
  template <int... Offsets>
  struct all_of<std::integer_sequence<int, Offsets...>> {
    using type = anew::http_status_classifier<(400 + Offsets)...>;
  };
  /// Retries them all: what it says of kind and safety is what anew says.
  using all = all_of<std::make_integer_sequence<int, 200>>::type;

 public:
  using role = anew::roles::classifier;
  static constexpr int lowest = 400;
  static constexpr int highest = 599;

  explicit http_statuses(std::vector<int> retried = {408, 429, 500, 502, 503, 504}) : retried_{std::move(retried)} {}

  template <class E>
    requires anew::ClassifierOf<all, E>
  [[nodiscard]] anew::directive classify(E const& error) const {
    auto const is_retried = [status = status_of(error)](int one) { return one == status; };
    return std::any_of(retried_.begin(), retried_.end(), is_retried) ? all::classify(error) : anew::directive::fail();
  }
  [[nodiscard]] std::string describe() const {
    std::string text{"http_status"};
    char between = '(';
    for (auto const one : retried_) {
      (text += between) += std::to_string(one);
      between = ',';
    }
    return text + ")";
  }

 private:
  template <class E>
  static int status_of(E const& error) {
    if constexpr (requires { anew::http_traits<E>::status(error); }) {
      return anew::http_traits<E>::status(error);
    } else {
      return error;
    }
  }

  std::vector<int> retried_;
};

class chosen_limit {
 public:
  using role = anew::roles::max_attempts;
  using choice = std::variant<anew::unbounded, decltype(anew::max_attempts{1})>;

  explicit chosen_limit(choice made) : choice_{made} {}
  [[nodiscard]] bool permits_another(std::uint32_t made) const {
    return std::visit([made](auto const& limit) { return limit.permits_another(made); }, choice_);
  }
  [[nodiscard]] std::string describe() const {
    return std::visit([](auto const& limit) { return limit.describe(); }, choice_);
  }

 private:
  choice choice_;
};

class chosen_hint {
 public:
  using role = anew::roles::hint;
  using plain = decltype(anew::server_hint{anew::long_hint::stop});
  using jittered = decltype(anew::jittered_hint{anew::rational{1}, anew::server_hint{anew::long_hint::stop}});
  using choice = std::variant<plain, jittered>;

  explicit chosen_hint(choice made) : choice_{made} {}
  template <anew::RandomSource R>
  [[nodiscard]] std::optional<anew::planned_delay> resolve(anew::duration computed, anew::duration asked,
                                                           anew::duration cap, R& random) const {
    return std::visit(
        [&](auto const& hint) {
          if constexpr (requires { hint.resolve(computed, asked, cap, random); }) {
            return hint.resolve(computed, asked, cap, random);
          } else {
            return hint.resolve(computed, asked, cap);
          }
        },
        choice_);
  }
  [[nodiscard]] std::string describe() const {
    return std::visit([](auto const& hint) { return hint.describe(); }, choice_);
  }

 private:
  choice choice_;
};

// The optional roles. A role that is not played is not described.

class chosen_deadline {
 public:
  using role = anew::roles::deadline;
  using limit = decltype(anew::deadline{anew::duration{1}});

  explicit chosen_deadline(std::optional<limit> made) : limit_{made} {}
  [[nodiscard]] anew::duration total() const { return limit_ ? limit_->total() : anew::duration::max(); }
  [[nodiscard]] std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) const {
    return limit_ ? limit_->fit(delay, remaining) : delay;
  }
  [[nodiscard]] std::string describe() const { return limit_ ? limit_->describe() : ""; }

 private:
  std::optional<limit> limit_;
};

/// The thread's own random numbers, or a sequence that a seed repeats.
class chosen_random {
 public:
  using role = anew::roles::random_source;
  explicit chosen_random(std::optional<std::uint64_t> seed)
      : seed_{seed}, drawn_{std::make_unique<std::atomic<std::uint64_t>>(0)} {}

  std::uint64_t operator()() const {
    if (!seed_) return anew::thread_random{}();
    return anew::generator{*seed_, drawn_->fetch_add(1)}();
  }
  [[nodiscard]] std::string describe() const { return seed_ ? "seed(" + std::to_string(*seed_) + ")" : ""; }

 private:
  std::optional<std::uint64_t> seed_;
  std::unique_ptr<std::atomic<std::uint64_t>> drawn_;
};

}  // namespace anew_get

#endif
