// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_POLICIES_HPP
#define ANEW_GET_POLICIES_HPP

// Policies that are chosen on the command line. They are written against the same concepts as anew's own and composed
// in the same way; most of them only pass on to one of anew's, held in a std::variant.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "anew/anew.hpp"

#include "fetch.hpp"
#include "record.hpp"

template <>
struct anew::http_traits<anew_get::fetch_error> {
  static int status(anew_get::fetch_error const& e) { return e.status; }
  static std::optional<duration> retry_after(anew_get::fetch_error const& e) { return e.retry_after; }
};

namespace anew_get {

/// HTTP statuses as anew reads them, and beside them what can happen to a connection.
struct fetch_classifier {
  using role = anew::roles::classifier;
  [[nodiscard]] static anew::directive classify(fetch_error const& e);
  [[nodiscard]] static std::string describe() { return "http_status+connection"; }
};

class chosen_backoff {
 public:
  using role = anew::roles::backoff;
  using constant = decltype(anew::constant_backoff{anew::duration{}});
  using exponential = decltype(anew::exponential_backoff{anew::duration{}, anew::duration{}, anew::factor{2}});
  using choice = std::variant<anew::no_backoff, constant, exponential>;

  explicit chosen_backoff(choice made) : choice_{made} {}
  [[nodiscard]] anew::duration delay(std::uint32_t retry) const {
    return std::visit([retry](auto const& b) { return b.delay(retry); }, choice_);
  }
  [[nodiscard]] anew::duration cap() const {
    return std::visit([](auto const& b) { return b.cap(); }, choice_);
  }
  [[nodiscard]] std::string describe() const {
    return std::visit([](auto const& b) { return b.describe(); }, choice_);
  }

 private:
  choice choice_;
};

// [jitter]
class chosen_jitter {
 public:
  using role = anew::roles::jitter;
  using choice = std::variant<anew::no_jitter, anew::full_jitter, anew::equal_jitter, anew::decorrelated_jitter>;
  using state_type = anew::decorrelated_jitter::state_type;  // the one that remembers; the others leave it alone

  explicit chosen_jitter(choice made) : choice_{made} {}

  template <anew::RandomSource R>
  [[nodiscard]] anew::duration apply(anew::delay_bounds const& bounds, state_type& state, R& random) const {
    return std::visit(
        [&](auto const& jitter) {
          if constexpr (requires { jitter.apply(bounds, state, random); }) {
            return jitter.apply(bounds, state, random);
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

class chosen_quota {
 public:
  using role = anew::roles::quota;
  using bucket = decltype(anew::token_bucket{0});
  using choice = std::variant<anew::unlimited_quota, bucket>;
  using permit_type = bucket::permit_type;  // nothing is held of a quota without a limit

  explicit chosen_quota(choice made) : choice_{std::move(made)} {}

  [[nodiscard]] std::optional<permit_type> try_acquire(anew::failure const& f) const noexcept {
    auto const* const tokens = std::get_if<bucket>(&choice_);
    return tokens == nullptr ? permit_type{} : tokens->try_acquire(f);
  }
  void on_success(permit_type held) const noexcept {
    if (auto const* const tokens = std::get_if<bucket>(&choice_)) tokens->on_success(held);
  }
  void release(permit_type held) const noexcept {
    if (auto const* const tokens = std::get_if<bucket>(&choice_)) tokens->release(held);
  }
  [[nodiscard]] quota_state state() const noexcept {
    auto const* const tokens = std::get_if<bucket>(&choice_);
    return tokens == nullptr ? quota_state{} : quota_state{tokens->balance(), tokens->capacity()};
  }
  [[nodiscard]] std::string describe() const {
    return std::visit([](auto const& q) { return q.describe(); }, choice_);
  }

 private:
  choice choice_;
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

class chosen_deadline {
 public:
  using role = anew::roles::deadline;
  using limit = decltype(anew::deadline{anew::duration{1}});

  explicit chosen_deadline(std::optional<limit> made) : limit_{made} {}
  [[nodiscard]] anew::duration total() const { return limit_ ? limit_->total() : anew::duration::max(); }
  [[nodiscard]] std::optional<anew::duration> fit(anew::duration delay, anew::duration remaining) const {
    return limit_ ? limit_->fit(delay, remaining) : delay;
  }
  [[nodiscard]] std::string describe() const { return limit_ ? limit_->describe() : "none"; }

 private:
  std::optional<limit> limit_;
};

/// The thread's own random numbers, or a sequence that --seed repeats.
class chosen_random {
 public:
  using role = anew::roles::random_source;
  explicit chosen_random(std::optional<std::uint64_t> seed)
      : seed_{seed}, drawn_{std::make_unique<std::atomic<std::uint64_t>>(0)} {}

  std::uint64_t operator()() const {
    if (!seed_) return anew::thread_random{}();
    return anew::generator{*seed_, drawn_->fetch_add(1)}();
  }
  [[nodiscard]] std::string describe() const {
    return seed_ ? "seed(" + std::to_string(*seed_) + ")" : "thread_random";
  }

 private:
  std::optional<std::uint64_t> seed_;
  std::unique_ptr<std::atomic<std::uint64_t>> drawn_;
};

/// Hands on what the strategy decides.
class feed {
 public:
  using role = anew::roles::observer;
  explicit feed(recorder& into) : into_{&into} {}
  void on_attempt(anew::attempt_event const& e) const { into_->judged(e.verdict); }
  void on_retry(anew::retry_event const& e) const { into_->waits({e.delay, e.origin}); }
  void on_end(anew::end_event const& e) const { into_->ends(e.reason); }
  [[nodiscard]] static std::string describe() { return "timeline"; }

 private:
  recorder* into_;
};

}  // namespace anew_get

#endif
