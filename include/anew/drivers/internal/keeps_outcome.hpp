// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_KEEPS_OUTCOME_HPP
#define ANEW_DRIVERS_INTERNAL_KEEPS_OUTCOME_HPP

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A strategy of one call that keeps and judges the outcome of each attempt itself, in place of a classifier: that of a
/// polling call, and that of the smithy-kotlin retryer.
///
/// | expression, `s` const      | meaning                                                                    |
/// |----------------------------|----------------------------------------------------------------------------|
/// | `s.hold(make)`             | stores the attempt's result, which `make()` returns, as a `kept_type`      |
/// | `s.hold_exception(thrown)` | stores its exception                                                       |
/// | `s.judge()`                | the directive for what is stored                                           |
/// | `s.judge_late()`           | the directive for an attempt that passed its timeout; nothing is stored    |
/// | `s.tell(call, step)`       | notifies listeners of the next step, and returns it                        |
/// | `s.give(call)`             | the result of the call, or its exception                                   |
/// | `s.complete(call)`         | the same as a tuple, the arguments of a completion                         |
template <class S>
concept KeepsOutcome = requires { typename S::kept_type; };
/// One whose attempts a coroutine ends when their time is over.
template <class S>
concept EndsLateAttempts = requires { requires S::ends_late_attempts; };

}  // namespace anew::inline ANEW_ABI::detail

#endif
