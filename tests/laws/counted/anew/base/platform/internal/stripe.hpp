// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_LAWS_COUNTED_STRIPE_HPP
#define ANEW_TESTS_LAWS_COUNTED_STRIPE_HPP

#include "anew/base/platform/compiler.hpp"

// What the library's own header has besides comes from there.
#define thread_number number_of_the_one_thread
#include "../../../../../../../include/anew/base/platform/internal/stripe.hpp"
#undef thread_number

namespace anew::inline ANEW_ABI::detail {

/// Another stripe for each operation, as if another thread made it.
inline unsigned thread_number() noexcept {
  static constinit thread_local unsigned number = 0;
  return ++number;
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
