// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BENCHMARKS_PEERS_OBJECT_ORIENTED_HPP
#define ANEW_BENCHMARKS_PEERS_OBJECT_ORIENTED_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <utility>

#include "anew/base/duration.hpp"

#include "cases.hpp"

/// A retry library as an object-oriented design has it, written for the comparison and nobody's product: virtual
/// policies behind pointers, predicates and operations in std::function, a mutex, std::mt19937_64.
namespace peers::object_oriented {

class backoff_policy {
 public:
  virtual ~backoff_policy() = default;
  [[nodiscard]] virtual anew::duration delay(unsigned attempt) const = 0;
};
class exponential : public backoff_policy {
 public:
  exponential(anew::duration base, anew::duration cap) : base_{base}, cap_{cap} {}
  [[nodiscard]] anew::duration delay(unsigned attempt) const override {
    auto ceiling = base_;
    for (unsigned i = 1; i < attempt && ceiling < cap_; ++i) ceiling *= 2;
    return std::min(ceiling, cap_);
  }

 private:
  anew::duration base_;
  anew::duration cap_;
};

class jitter_policy {
 public:
  virtual ~jitter_policy() = default;
  virtual anew::duration apply(anew::duration ceiling) = 0;
};
class full : public jitter_policy {
 public:
  anew::duration apply(anew::duration ceiling) override {
    std::lock_guard const hold{mutex_};
    return anew::duration{std::uniform_int_distribution<std::int64_t>{0, ceiling.count()}(engine_)};
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 engine_{std::random_device{}()};
};

class quota_policy {
 public:
  virtual ~quota_policy() = default;
  virtual bool take() = 0;
  virtual void give_back(bool after_a_retry) = 0;
};
class unlimited : public quota_policy {
 public:
  bool take() override { return true; }
  void give_back(bool /*after_a_retry*/) override {}
};
class bucket : public quota_policy {
 public:
  bucket(std::uint32_t capacity, std::uint32_t cost) : capacity_{capacity}, cost_{cost}, balance_{capacity} {}
  bool take() override {
    std::lock_guard const hold{mutex_};
    if (balance_ < cost_) return false;
    balance_ -= cost_;
    return true;
  }
  void give_back(bool after_a_retry) override {
    std::lock_guard const hold{mutex_};
    balance_ += std::min(capacity_ - balance_, after_a_retry ? cost_ : 1U);
  }

 private:
  std::mutex mutex_;
  std::uint32_t capacity_;
  std::uint32_t cost_;
  std::uint32_t balance_;
};

class retrier {
 public:
  retrier(std::unique_ptr<backoff_policy> backoff, std::unique_ptr<jitter_policy> jitter,
          std::unique_ptr<quota_policy> quota, std::function<bool(int)> is_retryable, unsigned max_attempts,
          std::function<void(anew::duration)> sleep)
      : backoff_{std::move(backoff)},
        jitter_{std::move(jitter)},
        quota_{std::move(quota)},
        is_retryable_{std::move(is_retryable)},
        sleep_{std::move(sleep)},
        max_attempts_{max_attempts} {}

  /// Whether and when to try again after a failed attempt.
  bool decide(int code, unsigned attempt, anew::duration& delay) {
    if (attempt == max_attempts_ || !is_retryable_(code) || !quota_->take()) return false;
    delay = jitter_->apply(backoff_->delay(attempt));
    return true;
  }
  void give_back(bool after_a_retry) { quota_->give_back(after_a_retry); }

  cases::answer run(std::function<cases::answer()> const& operation) {
    for (unsigned attempt = 1;; ++attempt) {
      auto result = operation();
      if (result.has_value()) {
        give_back(attempt != 1);
        return result;
      }
      anew::duration delay{};
      if (!decide(result.error(), attempt, delay)) return result;
      sleep_(delay);
    }
  }

 private:
  std::unique_ptr<backoff_policy> backoff_;
  std::unique_ptr<jitter_policy> jitter_;
  std::unique_ptr<quota_policy> quota_;
  std::function<bool(int)> is_retryable_;
  std::function<void(anew::duration)> sleep_;
  unsigned max_attempts_;
};

}  // namespace peers::object_oriented

#endif
