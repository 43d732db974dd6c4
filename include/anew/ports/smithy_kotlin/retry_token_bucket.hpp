// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_SMITHY_KOTLIN_RETRY_TOKEN_BUCKET_HPP
#define ANEW_PORTS_SMITHY_KOTLIN_RETRY_TOKEN_BUCKET_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/ports/smithy_kotlin/without_exceptions.hpp"
#if ANEW_EXCEPTIONS

#include <cstdint>
#include <stdexcept>
#include <utility>

#include "anew/base/internal/given.hpp"
#include "anew/ports/smithy_kotlin/retry_directive.hpp"
#include "anew/ports/smithy_kotlin/time_source.hpp"

namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Thrown by a token bucket that has too little left and does not wait.
struct ANEW_VISIBLE retry_capacity_exceeded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The capacity that a token took from its bucket, and that a success refunds.
struct token_charge {
  std::uint32_t cost = 0;
  std::uint32_t reward = 0;
  friend constexpr bool operator==(token_charge, token_charge) = default;
};

class retry_token_bucket;

/// The right to make one attempt. One of the three notifications resolves it, once. A token that is destroyed or closed
/// before is released: the attempt was not made, and its cost is refunded. Used by one thread at a time. It refers to
/// its bucket.
class [[nodiscard]] retry_token {
 public:
  retry_token(retry_token const&) = delete;
  retry_token& operator=(retry_token const&) = delete;
  retry_token(retry_token&& other) noexcept : bucket_{std::exchange(other.bucket_, nullptr)}, charge_{other.charge_} {}
  retry_token& operator=(retry_token&& other) noexcept {
    if (this != &other) {
      close();
      bucket_ = std::exchange(other.bucket_, nullptr);
      charge_ = other.charge_;
    }
    return *this;
  }
  ~retry_token() { close(); }

  /// The attempt succeeded, and the call is over. Throws std::invalid_argument if the token is already resolved.
  void notify_success();

  /// The attempt failed, and the call is over. Throws as above.
  void notify_failure();

  /// The attempt failed, and another one follows: takes its cost, or waits for it, and returns its token. Throws as
  /// above; retry_capacity_exceeded; wait_ended. Then nothing was taken, and this token is unchanged.
  [[nodiscard]] retry_token schedule_retry(retry_error_type reason, wait_limit const& limit = {});

  /// Refunds an unresolved token.
  void close() noexcept;

  [[nodiscard]] bool is_resolved() const noexcept { return bucket_ == nullptr; }

 private:
  friend retry_token_bucket;
  retry_token(retry_token_bucket& bucket, token_charge charge) noexcept : bucket_{&bucket}, charge_{charge} {}

  [[nodiscard]] retry_token_bucket& unresolved() const {
    anew::detail::require(!is_resolved(), "smithy_kotlin::retry_token", "a token must be used once",
                          "resolved already");
    return *bucket_;
  }

  retry_token_bucket* bucket_;
  token_charge charge_;
};

/// Limits what all calls together spend on retries. The tokens ensure that everything taken comes to exactly one of
/// `on_success`, `on_failure` and `on_release`; your own bucket overrides the protected functions. Used by many threads
/// at once. It outlives its tokens.
class retry_token_bucket {
 public:
  retry_token_bucket(retry_token_bucket const&) = delete;
  retry_token_bucket& operator=(retry_token_bucket const&) = delete;
  virtual ~retry_token_bucket() = default;

  /// The token of a first attempt. Throws retry_capacity_exceeded; wait_ended.
  [[nodiscard]] retry_token acquire_token(wait_limit const& limit = {}) { return {*this, take_for_first_try(limit)}; }

  /// The token of a first attempt that is made although the bucket refused it.
  [[nodiscard]] retry_token uncharged_token() noexcept { return {*this, uncharged()}; }

 protected:
  retry_token_bucket() = default;

  /// Takes the cost of a first attempt; throws, or waits within the limit.
  [[nodiscard]] virtual token_charge take_for_first_try(wait_limit const& limit) = 0;
  /// Takes the cost of a retry; throws, or waits within the limit.
  [[nodiscard]] virtual token_charge take_for_retry(retry_error_type reason, wait_limit const& limit) = 0;
  /// The state of a first attempt for which nothing was taken.
  [[nodiscard]] virtual token_charge uncharged() const noexcept { return {}; }

  virtual void on_success(token_charge charge) noexcept = 0;
  /// The attempt was made and failed. Does nothing: its cost is spent.
  virtual void on_failure(token_charge /*charge*/) noexcept {}
  /// The attempt was not made: its cost is refunded.
  virtual void on_release(token_charge charge) noexcept = 0;

 private:
  friend retry_token;
};

inline void retry_token::notify_success() {
  unresolved().on_success(charge_);
  bucket_ = nullptr;
}

inline void retry_token::notify_failure() {
  unresolved().on_failure(charge_);
  bucket_ = nullptr;
}

inline retry_token retry_token::schedule_retry(retry_error_type reason, wait_limit const& limit) {
  auto& bucket = unresolved();
  retry_token next{bucket, bucket.take_for_retry(reason, limit)};
  bucket.on_failure(charge_);
  bucket_ = nullptr;
  return next;
}

inline void retry_token::close() noexcept {
  if (bucket_ != nullptr) std::exchange(bucket_, nullptr)->on_release(charge_);
}

/// A bucket that never refuses and never waits: for waiters, which poll until it is time to give up.
class infinite_token_bucket final : public retry_token_bucket {
 private:
  [[nodiscard]] token_charge take_for_first_try(wait_limit const& /*limit*/) override { return {}; }
  [[nodiscard]] token_charge take_for_retry(retry_error_type /*reason*/, wait_limit const& /*limit*/) override {
    return {};
  }
  void on_success(token_charge /*charge*/) noexcept override {}
  void on_release(token_charge /*charge*/) noexcept override {}
};

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif  // ANEW_EXCEPTIONS
#endif
