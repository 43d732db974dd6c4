// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_ENDED_CALL_HPP
#define ANEW_BRIDGES_CURL_ENDED_CALL_HPP

#include <cstdint>
#include <exception>

#include <curl/curl.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/bridges/curl/transfer.hpp"

namespace anew::inline ANEW_ABI::curl {

/// The argument of a call's callback. `last` is the transfer of the last attempt; if `attempts` is 0 (a gate refused
/// the call, a stop came first) there was no transfer.
struct ended_call {
  CURL* handle = nullptr;
  transfer last{};
  stop_reason reason = stop_reason::succeeded;
  std::uint32_t attempts = 0;
  std::exception_ptr thrown{};  ///< what the preparation, the classifier or the rewinding threw: it ended the call

  [[nodiscard]] bool has_value() const noexcept { return reason == stop_reason::succeeded; }
};

}  // namespace anew::inline ANEW_ABI::curl

#endif
