// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_CALL_REFUSED_HPP
#define ANEW_BASE_CALL_REFUSED_HPP

#include <exception>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

/// Thrown by a call that ended before its first attempt, so that there is no result to return: a gate or a pacer
/// refused the attempt, or a stop or the deadline came while the attempt waited for one of them. Only a strategy with a
/// gate or a pacer throws it.
class ANEW_VISIBLE call_refused : public std::exception {
 public:
  explicit call_refused(stop_reason reason) noexcept : reason_{reason} {}
  [[nodiscard]] stop_reason reason() const noexcept { return reason_; }
  [[nodiscard]] char const* what() const noexcept override {
    switch (reason_) {
      case stop_reason::cancelled: return "anew: the call was cancelled before its first attempt";
      case stop_reason::deadline: return "anew: the deadline came before the first attempt";
      case stop_reason::rate_limited: return "anew: the pacer has no room for the first attempt";
      default: return "anew: the gate refused the attempt";
    }
  }

 private:
  stop_reason reason_;
};

}  // namespace anew::inline ANEW_ABI

#endif
