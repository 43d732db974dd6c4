// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_MODEL_STRIPE_HPP
#define ANEW_TESTS_MODEL_STRIPE_HPP

#include "anew/base/platform/compiler.hpp"

// What the library's own header has besides comes from there.
#define thread_number number_of_the_one_thread
#include "../../../../../../../include/anew/base/platform/internal/stripe.hpp"
#undef thread_number

namespace model {

/// The stripe of the next operation. An operation asks for it before its first step, so no other thread comes between.
inline unsigned stripe_of_next_operation = 0;

}  // namespace model

namespace anew::inline ANEW_ABI::detail {

inline unsigned thread_number() noexcept { return model::stripe_of_next_operation; }

}  // namespace anew::inline ANEW_ABI::detail

#endif
