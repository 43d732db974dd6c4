// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_STOP_VIEW_HPP
#define ANEW_BASE_STOP_VIEW_HPP

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A type-erased stop token, which an `attempt` asks. A `call_engine` makes one from the token that you pass to
/// `start()`; write one yourself if your stop request is not a token:
///
///     anew::stop_view{&window, [](void const* of) { return static_cast<window_type const*>(of)->is_closed(); }};
///
/// It refers to the token, which must outlive the attempt. By default it never stops. Cost: three words, one indirect
/// call for each question.
struct stop_view {
  void const* token = nullptr;
  bool (*requested)(void const*) = nullptr;  ///< asked with `token`; must not throw
  bool is_standard = false;                  ///< `token` is a `std::stop_token`
};

}  // namespace anew::inline ANEW_ABI

#endif
