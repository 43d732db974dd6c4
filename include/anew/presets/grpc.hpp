// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_GRPC_HPP
#define ANEW_PRESETS_GRPC_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/internal/given.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/policies/backoff/at_least.hpp"
#include "anew/policies/backoff/exponential.hpp"
#include "anew/policies/classifier/grpc_status.hpp"
#include "anew/policies/hint/clamped.hpp"
#include "anew/policies/jitter/full.hpp"
#include "anew/policies/jitter/proportional.hpp"
#include "anew/policies/limits/max_attempts.hpp"
#include "anew/policies/quota/retry_throttle.hpp"
#include "anew/policies/quota/unlimited.hpp"
#include "anew/strategy/strategy.hpp"

/// Retries as a gRPC client does by its service config, for every transport whose errors have gRPC's status codes.
/// Source of every number: gRPC proposal A6, "gRPC Retry Design"; its example is the default of each parameter.
namespace anew::inline ANEW_ABI::grpc {

/// No client makes more attempts, whatever the service config says (A6, "Limits on Retries and Hedges").
inline constexpr std::uint32_t most_attempts = 5;

namespace detail {

template <std::int64_t MaxAttempts>
inline constexpr bool attempts_are_at_least_two = MaxAttempts >= 2;

/// Beyond the client's maximum it is that; below two, A6 refuses the policy.
template <std::int64_t MaxAttempts>
consteval std::int64_t clamped_attempts() {
  static_assert(attempts_are_at_least_two<MaxAttempts>,
                "anew::grpc::retry_policy<MaxAttempts> requires MaxAttempts >= 2; it counts the first attempt too. Did "
                "you mean anew::never?");
  if constexpr (!attempts_are_at_least_two<MaxAttempts>) return 2;
  return MaxAttempts < most_attempts ? MaxAttempts : most_attempts;
}

}  // namespace detail

/// How A6 waits since August 2024: plus or minus 20 % of the capped backoff, at the cap too, so up to 1.2 times MaxBackoff.
/// grpc-go has done so since late 2024 and grpc-java since 2025.
template <static_duration InitialBackoff, static_duration MaxBackoff, rational Multiplier = rational{2}>
using backoff = raised_cap_backoff<exponential_backoff<InitialBackoff, MaxBackoff, Multiplier>, rational{1, 5}>;

/// Choose this to behave as a current gRPC client with A6's example: 4 attempts, U(0.8, 1.2) * min(100 ms * 2^(n-1), 1 s)
/// before retry n, UNAVAILABLE only, no retries while failures outnumber a tenth of the successes (10 tokens, 0.1).
///
/// Not where clients are many and fail together: the waits of all lie within 40 % of each other; retry_policy_2017, or
/// aws::standard. Nor for streaming calls that have answered: A6 commits those, an operation must not report them as failed.
///
/// Differences from gRPC: a pushback of more than a minute ends the call (`with<retry_policy<>, pushback_hint<1h>>` permits
/// more); the retry after one that was pushed back waits what it would have waited, where gRPC begins again at the
/// initial backoff; no transparent retries, which only a channel can make.
template <std::int64_t MaxAttempts = 4, static_duration InitialBackoff = std::chrono::milliseconds{100},
          static_duration MaxBackoff = std::chrono::seconds{1}, rational Multiplier = rational{2},
          code_set RetryableStatusCodes = codes(status_code::unavailable)>
using retry_policy =
    strategy<backoff<InitialBackoff, MaxBackoff, Multiplier>, proportional_jitter<rational{1, 5}>, retry_throttle<10>,
             status_classifier<RetryableStatusCodes>, anew::max_attempts<detail::clamped_attempts<MaxAttempts>()>,
             pushback_hint<std::chrono::minutes{1}>>;

/// Choose this to behave as a gRPC client of before A6's change in August 2024 (grpc-proposal #452), as grpc-node still
/// does in 2025: U(0, min(100 ms * 2^(n-1), 1 s)), the rest as above. It also spreads many clients better. Not where a
/// retry must not follow at once.
template <std::int64_t MaxAttempts = 4, static_duration InitialBackoff = std::chrono::milliseconds{100},
          static_duration MaxBackoff = std::chrono::seconds{1}, rational Multiplier = rational{2},
          code_set RetryableStatusCodes = codes(status_code::unavailable)>
using retry_policy_2017 =
    strategy<exponential_backoff<InitialBackoff, MaxBackoff, Multiplier>, full_jitter, retry_throttle<10>,
             status_classifier<RetryableStatusCodes>, anew::max_attempts<detail::clamped_attempts<MaxAttempts>()>,
             pushback_hint<std::chrono::minutes{1}>>;

/// A retry policy known at run time, in the words of the service config.
struct retry_policy_settings {
  std::uint32_t max_attempts = 4;  ///< the first one included; beyond `most_attempts` it is that
  duration initial_backoff = std::chrono::milliseconds{100};
  duration max_backoff = std::chrono::seconds{1};
  rational backoff_multiplier = rational{2};
  code_set retryable_status_codes = codes(status_code::unavailable);
  duration longest_pushback = std::chrono::minutes{1};  ///< not in the service config: what this client permits
  std::uint32_t most_attempts = grpc::most_attempts;    ///< the client's own maximum
};

/// The throttle of one server, in the words of the service config.
struct retry_throttling_settings {
  std::uint32_t max_tokens = 10;
  rational token_ratio = rational{1, 10};
};

/// The quota that these settings describe. gRPC has one for each server, for all its methods: `shared{make_throttle(...)}`.
[[nodiscard]] inline retry_throttle<run_time_count> make_throttle(retry_throttling_settings const& settings) {
  return retry_throttle{settings.max_tokens, settings.token_ratio};
}

/// The strategy that these settings describe, with your own quota: `make_throttle(...)`, a `shared` one, or none.
/// Throws `std::invalid_argument` where A6 does not permit a setting.
template <class Quota = unlimited_quota>
[[nodiscard]] auto make_retry_policy(retry_policy_settings const& settings, Quota quota = Quota{}) {
  constexpr auto self = "grpc::retry_policy";
  anew::detail::require(settings.max_attempts >= 2, self, "maxAttempts must be at least 2", settings.max_attempts);
  anew::detail::require(settings.most_attempts >= 2, self, "the client's maximum must be at least 2",
                        settings.most_attempts);
  anew::detail::require(settings.initial_backoff > duration::zero(), self, "initialBackoff must be above zero",
                        settings.initial_backoff);
  anew::detail::require(settings.max_backoff > duration::zero(), self, "maxBackoff must be above zero",
                        settings.max_backoff);
  return compose(
      raised_cap_backoff{exponential_backoff{anew::detail::smaller(settings.initial_backoff, settings.max_backoff),
                                             settings.max_backoff, settings.backoff_multiplier},
                         rational{1, 5}},
      proportional_jitter<rational{1, 5}>{}, std::move(quota), status_classifier{settings.retryable_status_codes},
      anew::max_attempts{anew::detail::smaller(settings.max_attempts, settings.most_attempts)},
      pushback_hint{settings.longest_pushback});
}

}  // namespace anew::inline ANEW_ABI::grpc

#endif
