// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_QUOTA_RETRY_COSTS_HPP
#define ANEW_POLICIES_QUOTA_RETRY_COSTS_HPP

#include <cstdint>
#include <string>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The price of one retry, by the kind of error that it follows. The defaults are those of the AWS SDKs since 2026:
/// expensive where the service is broken, cheap where it only throttles.
///
/// A kind that you do not name costs what `transient` costs, but throttling: `retry_costs{.transient = 5, .timeout = 10}`
/// costs 10 after a time-out and 5 else. A cost of zero means that retries after this kind are not limited.
struct retry_costs {
  std::uint32_t transient = 14;
  std::uint32_t throttling = 5;
  std::uint32_t timeout = transient;
  std::uint32_t server = transient;
  std::uint32_t client = transient;

  /// The same cost whatever the retry follows.
  [[nodiscard]] static constexpr retry_costs all(std::uint32_t cost) noexcept {
    return {.transient = cost, .throttling = cost, .timeout = cost, .server = cost, .client = cost};
  }

  [[nodiscard]] constexpr std::uint32_t of(error_kind kind) const noexcept {
    switch (kind) {
      case error_kind::throttling: return throttling;
      case error_kind::timeout: return timeout;
      case error_kind::server: return server;
      case error_kind::client: return client;
      case error_kind::transient: break;
    }
    return transient;
  }

  /// "transient=14,throttling=5,timeout=14,server=14,client=14".
  [[nodiscard]] std::string describe() const {
    std::string text;
    for (auto const kind : detail::every_kind) {
      text.append(text.empty() ? "" : ",").append(to_string(kind)).append("=").append(std::to_string(of(kind)));
    }
    return text;
  }

  /// The price of the most expensive retry: a bucket of that capacity can pay for a retry after every kind of error.
  [[nodiscard]] constexpr std::uint32_t dearest() const noexcept {
    std::uint32_t most = transient;
    for (auto const cost : {throttling, timeout, server, client}) most = most < cost ? cost : most;
    return most;
  }

  friend constexpr bool operator==(retry_costs const&, retry_costs const&) = default;
};

}  // namespace anew::inline ANEW_ABI

#endif
