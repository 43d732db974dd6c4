// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SENDER_INTERNAL_EX_HPP
#define ANEW_BRIDGES_SENDER_INTERNAL_EX_HPP

#include "anew/base/platform/compiler.hpp"

/// The library of senders in use: NVIDIA's stdexec, or the namespace that ANEW_SENDERS names, declared before this header
/// is included, with the names of the standard (sender, connect, set_value_t, completion_signatures_of_t,
/// inplace_stop_source, ...) and schedule_after.
#ifdef ANEW_SENDERS
namespace anew::inline ANEW_ABI::detail::ex {
using namespace ::ANEW_SENDERS;
}
#elif __has_include(<stdexec/execution.hpp>)
#include <exec/timed_scheduler.hpp>
#include <stdexec/execution.hpp>
namespace anew::inline ANEW_ABI::detail::ex {
using namespace ::stdexec;
using ::exec::schedule_after;
}  // namespace anew::inline ANEW_ABI::detail::ex
#else
#error "anew/sender.hpp requires stdexec, or ANEW_SENDERS, the namespace of another library of senders"
#endif

#endif
