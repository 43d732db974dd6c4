// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_ON_EXIT_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_ON_EXIT_HPP

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Calls a function at the end of a scope, also after an exception, unless it was dismissed.
template <class Function>
class on_exit {
 public:
  explicit on_exit(Function end) noexcept : end_{static_cast<Function&&>(end)} {}
  on_exit(on_exit const&) = delete;
  on_exit& operator=(on_exit const&) = delete;
  ~on_exit() {
    if (is_due_) end_();
  }
  void dismiss() noexcept { is_due_ = false; }

 private:
  Function end_;
  bool is_due_ = true;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
