// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_SMITHY_HPP
#define ANEW_PRESETS_SMITHY_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/backoff/by_kind.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/retry_info.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/hint/server.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/roles/classifier.hpp"
#include "anew/roles/for_kind.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/virtual/retry_info.hpp"
#include "anew/strategy/strategy.hpp"

/// The Smithy guide "Retrying requests": its modeled errors, and its example strategy to the letter.
namespace anew::inline ANEW_ABI::smithy {

/// The trait `@retryable` of the model.
enum class ANEW_VISIBLE retryable_trait : std::uint8_t {
  absent,
  present,     ///< `@retryable`
  throttling,  ///< `@retryable(throttling: true)`
};

/// May a modeled error be retried? With the trait yes. Without it no when it is the client's fault, and maybe when it
/// is the server's: the operation may have taken effect, so it runs again when it is declared `idempotent`.
[[nodiscard]] constexpr retry_safety default_safety(error_fault fault, retryable_trait trait) noexcept {
  if (trait != retryable_trait::absent) return retry_safety::yes;
  return fault == error_fault::client ? retry_safety::no : retry_safety::maybe;
}

/// An error of a Smithy model, as an exception: what `@error("client")` and `@retryable(throttling: true)` say is
/// `class throttling_error : public smithy::modeled_error<error_fault::client, retryable_trait::throttling>`.
///
/// Every classifier that knows `anew::retry_info` reads it, and so does one that knows `anew::error_info`. It serves as
/// an error value too.
template <error_fault Fault, retryable_trait Trait = retryable_trait::absent>
class ANEW_VISIBLE modeled_error : public std::runtime_error, public retry_info, public error_info {
 public:
  explicit modeled_error(std::string const& message) : std::runtime_error{message} {}

  [[nodiscard]] error_fault fault() const override { return Fault; }
  [[nodiscard]] retry_safety is_retry_safe() const override { return default_safety(Fault, Trait); }
  [[nodiscard]] bool is_throttle() const override { return Trait == retryable_trait::throttling; }
  [[nodiscard]] std::optional<duration> retry_after() const override { return retry_after_; }

  /// Sets the delay that a header of the response asks for.
  void set_retry_after(std::optional<duration> asked) noexcept { retry_after_ = asked; }

  [[nodiscard]] std::string message() const { return what(); }

 private:
  std::optional<duration> retry_after_{};
};

/// Retries as the guide's example does: every error that does not refuse (`RetryInfo`; maybe is enough), and every
/// error that is the server's fault (`ErrorInfo`), even if it refuses.
///
/// **An operation that may have taken effect runs again**, declared `idempotent` or not: that is the guide's reading of
/// MAYBE.
///
/// Models: Classifier (empty)
/// Formula: none
/// Requires: nothing
/// Cost: the error's own functions; for exceptions a `dynamic_cast`
/// Choose it to be as the guide is. Not for requests that may not run twice: retry_info_classifier, which asks for
/// `idempotent` where the error says maybe. smithy-java and smithy-python do not retry MAYBE either.
/// Source: Smithy "Retries" guide, `AwsStandardRetryStrategy.refreshRetryToken`
struct guide_classifier {
  using role = roles::classifier;
  using catches = catch_list<retry_info, error_info>;

  template <class E>
    requires SaysWhetherToRetry<E> || ErrorInfo<E>
  [[nodiscard]] static constexpr directive classify(E const& error) {
    if constexpr (SaysWhetherToRetry<E>) {
      if (auto what = read_failure(error); what.safety != retry_safety::no) {
        what.safety = retry_safety::yes;
        if (is_timeout(error)) what.kind = error_kind::timeout;  // the example prices by that alone
        return directive::retry(what);
      }
    }
    return is_servers_fault(error) ? directive::retry(error_kind::server) : directive::fail();
  }

  [[nodiscard]] static std::string describe() { return "smithy_guide_classifier"; }

 private:
  template <class E>
  static constexpr bool is_timeout(E const& error) {
    if constexpr (requires { retry_traits<E>::is_timeout(error); }) return retry_traits<E>::is_timeout(error);
    if constexpr (!anew::detail::TraitedRetryInfo<E> && requires { error.is_timeout(); }) return error.is_timeout();
    return false;
  }
  template <class E>
  static constexpr bool is_servers_fault(E const& error) {
    if constexpr (ErrorInfo<E>) {
      return error.fault() == error_fault::server;
    } else {
#if defined(__cpp_rtti)
      if constexpr (std::is_same_v<E, retry_info>) {
        auto const* const also = dynamic_cast<error_info const*>(&error);
        return also != nullptr && also->fault() == error_fault::server;
      }
#endif
      return false;
    }
  }
};

/// The example's bucket: 500 tokens, a retry costs 5 and after a time-out 10, and **a success always adds one**: what
/// the call's retries paid is not given back, as every SDK does.
///
/// Choose it to be as the guide is. Not for a new client: after an outage it takes 500 successes to fill again, so token_bucket<500>.
/// Source: Smithy "Retries" guide, `AwsStandardRetryStrategy.recordSuccess`
using guide_bucket = token_bucket<500, retry_costs{.transient = 5, .timeout = 10}, refund::fixed(1)>;

/// The strategy that the guide prints as an example, `AwsStandardRetryStrategy`, to the letter.
///
/// | the example                                         | the SDKs, and `aws::standard`              |
/// |-----------------------------------------------------|--------------------------------------------|
/// | a counter from 0 may reach 5: **six attempts**      | three attempts, the first one counted      |
/// | a success always adds one token                     | it returns what its last retry paid        |
/// | U(0, min(2^n s, 20 s)), n from 0, after any error   | from 50 ms, and from 1 s after throttling  |
/// | a hint is the least delay, however long             | a hint is obeyed up to 5 s above the delay |
/// | costs 5, and 10 after a time-out                    | 14, and 5 after throttling                 |
/// | `MAYBE` is retried                                  | not in Java and Python                     |
///
/// A missing hint is no error here; the example as printed dereferences it. An error is read here before attempts are
/// counted, in the example after it: a final error at the sixth attempt ends the call with `not_retryable` here, and with the
/// attempts there.
/// Choose it to compare with the guide, or to port what follows it. Not for production, the guide says so itself ("not
/// prescriptive"): aws::standard. A server may make it sleep for as long as it likes.
using guide_example =
    strategy<exponential_backoff<std::chrono::seconds{1}, std::chrono::seconds{20}>, full_jitter, guide_bucket,
             guide_classifier, max_attempts<6>, server_hint<long_hint::clamp, duration::max()>>;

}  // namespace anew::inline ANEW_ABI::smithy

/// smithy-kotlin's retries as strategies for `anew::retry`; as classes, see anew/smithy_kotlin.hpp.
namespace anew::inline ANEW_ABI::smithy_kotlin {

/// Retries as smithy-kotlin does since 2026: three attempts, 50 ms doubled up to 20 s, 1 s after throttling; a retry
/// costs 14 of 500, 5 after throttling; a server may ask for up to 5 s more.
///
/// Choose it for a service of Smithy's. Not where the bucket must survive the strategy: keep the strategy, one for all calls.
/// Source: smithy-lang/smithy-kotlin, StandardRetryTokenBucket, ExponentialBackoffWithJitter (2026)
using standard = strategy<
    by_kind_backoff<
        for_kind<error_kind::throttling, exponential_backoff<std::chrono::seconds{1}, std::chrono::seconds{20}>>,
        exponential_backoff<std::chrono::milliseconds{50}, std::chrono::seconds{20}>>,
    full_jitter, token_bucket<500>, retry_info_classifier, max_attempts<3>, clamped_hint<std::chrono::seconds{5}>>;

/// Retries as smithy-kotlin did before 2026: 10 ms times 1.5 up to 20 s; a retry costs 5 of 500, 10 after throttling,
/// time-outs and broken connections; a server's delay is ignored.
///
/// Choose it to behave as a client that has not been updated. Not for anything new: standard.
/// Source: smithy-lang/smithy-kotlin before 2026
using standard_before_2026 =
    strategy<exponential_backoff<std::chrono::milliseconds{10}, std::chrono::seconds{20}, rational{3, 2}>, full_jitter,
             token_bucket<500, retry_costs{.transient = 10, .throttling = 10, .timeout = 10, .server = 5, .client = 5}>,
             retry_info_classifier, max_attempts<3>, clamped_hint<std::chrono::seconds{0}>>;

}  // namespace anew::inline ANEW_ABI::smithy_kotlin

#endif
