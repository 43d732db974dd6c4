// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_DIRECTIVE_HPP
#define ANEW_BASE_DIRECTIVE_HPP

#include <cstdint>

#include "anew/base/asked_delay.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A classifier's answer to one outcome: success, final, worth another attempt, or no opinion.
class directive {
 public:
  /// The outcome counts as success: the quota is refilled as its policy says.
  [[nodiscard]] static constexpr directive succeed() noexcept { return directive{verdict::succeed, {}}; }

  /// Another attempt cannot help.
  [[nodiscard]] static constexpr directive fail() noexcept { return directive{verdict::fail, final_failure}; }

  /// No classifier reads errors of that type. The failure is final, and the call ends with `stop_reason::unclassified`.
  [[nodiscard]] static constexpr directive unclassified() noexcept {
    return directive{verdict::unclassified, final_failure};
  }

  /// The classifier reads the outcome and cannot tell: any_of and first_of ask their next member. If no member has an
  /// opinion, an error is final, and of a result its shape decides; a result whose shape says nothing is a failure that
  /// ends the call with `stop_reason::unclassified`.
  [[nodiscard]] static constexpr directive no_opinion() noexcept {
    return directive{verdict::no_opinion, final_failure};
  }

  /// Another attempt may help.
  [[nodiscard]] static constexpr directive retry(failure what) noexcept { return directive{verdict::retry, what}; }
  [[nodiscard]] static constexpr directive retry(error_kind kind = error_kind::transient,
                                                 asked_delay hint = {}) noexcept {
    return retry(failure{kind, retry_safety::yes, hint});
  }

  /// The same verdict on an attempt that used up what it sends, such as a body that was read from a pipe: where another
  /// attempt would follow, the call ends with `stop_reason::not_replayable`.
  [[nodiscard]] constexpr directive on_used_up_input() const noexcept {
    if (!is_retry() || what_.safety == retry_safety::no) return *this;
    return directive{verdict::used_up, failure{what_.kind, retry_safety::no, what_.hint}};
  }

  /// Returns the verdict with the safety that the operation knows, if another attempt would help.
  [[nodiscard]] constexpr directive with_safety(retry_safety known) const noexcept {
    if (!is_retry() || what_.safety == retry_safety::no) return *this;
    return retry(failure{what_.kind, known, what_.hint});
  }

  [[nodiscard]] constexpr bool is_success() const noexcept { return verdict_ == verdict::succeed; }
  [[nodiscard]] constexpr bool is_failure() const noexcept { return verdict_ >= verdict::fail; }
  /// A failure that was not read.
  [[nodiscard]] constexpr bool is_unclassified() const noexcept { return verdict_ == verdict::unclassified; }
  [[nodiscard]] constexpr bool is_no_opinion() const noexcept { return verdict_ == verdict::no_opinion; }
  [[nodiscard]] constexpr bool is_retry() const noexcept { return verdict_ == verdict::retry; }

  /// Another attempt would help, and its input is gone: see `on_used_up_input()`.
  [[nodiscard]] constexpr bool is_used_up() const noexcept { return verdict_ == verdict::used_up; }

  /// The failure. Meaningful when `is_retry()`; a final failure has the kind `client`, and is not retried.
  [[nodiscard]] constexpr failure const& what() const noexcept { return what_; }

  friend constexpr bool operator==(directive const&, directive const&) = default;

 private:
  enum class verdict : std::uint8_t { succeed, retry, fail, unclassified, no_opinion, used_up };
  static constexpr failure final_failure{error_kind::client, retry_safety::no};
  constexpr directive(verdict v, failure what) noexcept : what_{what}, verdict_{v} {}

  failure what_;
  verdict verdict_;
};

/// Stands for an exception whose type no catch clause of the classifier names.
struct unknown_exception {};

}  // namespace anew::inline ANEW_ABI

#endif
