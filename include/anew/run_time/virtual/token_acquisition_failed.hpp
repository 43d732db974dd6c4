// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_TOKEN_ACQUISITION_FAILED_HPP
#define ANEW_RUN_TIME_VIRTUAL_TOKEN_ACQUISITION_FAILED_HPP

#include <stdexcept>
#include <string>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

/// Thrown by the throwing functions of `anew::retry_strategy` if there is no token, and therefore no retry. It states
/// why.
class ANEW_VISIBLE token_acquisition_failed : public std::runtime_error {
 public:
  explicit token_acquisition_failed(stop_reason reason, duration wait_before_end = duration::zero())
      : std::runtime_error{std::string{"anew: no retry token: "}.append(to_string(reason))},
        wait_before_end_{wait_before_end},
        reason_{reason} {}

  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }

  /// How long the call should wait before it ends. Zero unless a quota asks for it: anew/policies/quota/long_poll.hpp.
  [[nodiscard]] duration wait_before_end() const noexcept { return wait_before_end_; }

 private:
  duration wait_before_end_;
  stop_reason reason_;
};

}  // namespace anew::inline ANEW_ABI

#endif
