// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_TOKEN_BUCKET_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_TOKEN_BUCKET_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Thrown by a token bucket that has too little left and does not wait.
struct ANEW_VISIBLE retry_capacity_exceeded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The capacity that a token took from its bucket and that a success refunds, and how long until time has brought it.
struct token_charge {
  std::uint32_t cost = 0;
  std::uint32_t reward = 0;
  duration wait{};
  friend constexpr bool operator==(token_charge, token_charge) = default;
};

class retry_token_bucket;

namespace detail {

struct quota_of_bucket;  // a strategy asks the bucket without waiting

}  // namespace detail

/// The right to make one attempt. One of the three notifications resolves it, once. A token that is destroyed or closed
/// before is released: the attempt was not made, and its cost is refunded. Used by one thread at a time. It refers to
/// its bucket.
class [[nodiscard]] retry_token {
 public:
  /// The attempt succeeded, and the call is over. Throws std::invalid_argument if the token is already resolved.
  void notify_success();

  /// The attempt failed, and the call is over. Throws as above.
  void notify_failure();

  /// The attempt failed, and another one follows: takes its cost, waits until it is there, and returns its token. Throws
  /// as above, and retry_capacity_exceeded. Then nothing was taken, and this token is unchanged.
  [[nodiscard]] retry_token schedule_retry(retry_error_type reason);

  /// Refunds an unresolved token.
  void close() noexcept { bucket_.reset(); }

  [[nodiscard]] bool is_resolved() const noexcept { return bucket_ == nullptr; }

 private:
  friend retry_token_bucket;
  struct refund {
    token_charge charge;
    void operator()(retry_token_bucket* bucket) const noexcept;
  };
  retry_token(retry_token_bucket& bucket, token_charge charge) noexcept : bucket_{&bucket, refund{charge}} {}

  [[nodiscard]] retry_token_bucket& unresolved() const {
    anew::detail::require(!is_resolved(), "smithy_kotlin::retry_token", "a token must be used once",
                          "resolved already");
    return *bucket_;
  }

  std::unique_ptr<retry_token_bucket, refund> bucket_;
};

/// Limits what all calls together spend on retries. The tokens ensure that everything taken comes to exactly one of
/// `on_success`, `on_failure` and `on_release`; your own bucket overrides the protected functions. Used by many threads
/// at once. It outlives its tokens.
class retry_token_bucket {
 public:
  retry_token_bucket(retry_token_bucket const&) = delete;
  retry_token_bucket& operator=(retry_token_bucket const&) = delete;
  virtual ~retry_token_bucket() = default;

  /// The token of a first attempt, which does not wait. Throws retry_capacity_exceeded.
  [[nodiscard]] retry_token acquire_token() { return {*this, take_for_first_try()}; }

  /// The token of a first attempt that is made although the bucket refused it.
  [[nodiscard]] retry_token uncharged_token() noexcept { return {*this, uncharged()}; }

 protected:
  explicit retry_token_bucket(std::shared_ptr<time_source const> time = system_time()) : time_{std::move(time)} {
    anew::detail::require(time_ != nullptr, "smithy_kotlin::retry_token_bucket", "time must not be null", "null");
  }
  [[nodiscard]] time_source const& time() const noexcept { return *time_; }

  /// Takes the cost of a first attempt, or throws.
  [[nodiscard]] virtual token_charge take_for_first_try() = 0;
  /// Takes the cost of a retry, or throws. The retry waits for `wait`, and is refunded when it cannot.
  [[nodiscard]] virtual token_charge take_for_retry(retry_error_type reason) = 0;
  /// The state of a first attempt for which nothing was taken.
  [[nodiscard]] virtual token_charge uncharged() const noexcept { return {}; }

  virtual void on_success(token_charge charge) noexcept = 0;
  /// The attempt was made and failed. Does nothing: its cost is spent.
  virtual void on_failure(token_charge /*charge*/) noexcept {}
  /// The attempt was not made: its cost is refunded.
  virtual void on_release(token_charge charge) noexcept = 0;

 private:
  friend retry_token;
  friend detail::quota_of_bucket;

  std::shared_ptr<time_source const> time_;
};

inline void retry_token::notify_success() {
  unresolved().on_success(bucket_.get_deleter().charge);
  bucket_.release();
}

inline void retry_token::notify_failure() {
  unresolved().on_failure(bucket_.get_deleter().charge);
  bucket_.release();
}

inline retry_token retry_token::schedule_retry(retry_error_type reason) {
  auto& bucket = unresolved();
  retry_token next{bucket, bucket.take_for_retry(reason)};
  if (auto const wait = next.bucket_.get_deleter().charge.wait; wait > duration::zero()) bucket.time().pause(wait);
  notify_failure();
  return next;
}

inline void retry_token::refund::operator()(retry_token_bucket* bucket) const noexcept { bucket->on_release(charge); }

/// A bucket that never refuses and never waits: for waiters, which poll until it is time to give up.
class infinite_token_bucket final : public retry_token_bucket {
 private:
  [[nodiscard]] token_charge take_for_first_try() override { return {}; }
  [[nodiscard]] token_charge take_for_retry(retry_error_type /*reason*/) override { return {}; }
  void on_success(token_charge /*charge*/) noexcept override {}
  void on_release(token_charge /*charge*/) noexcept override {}
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
