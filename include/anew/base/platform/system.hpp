// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_SYSTEM_HPP
#define ANEW_BASE_PLATFORM_SYSTEM_HPP

/// Everything that anew asks of an operating system; no other header of the library asks it for anything. In namespace
/// `anew::detail::platform`:
///
/// | name | what |
/// |---|---|
/// | `lazy_now` | a point in time of the steady clock, in nanoseconds |
/// | `now()` | the steady clock's time |
/// | `has_clock` | false where `now()` only explains |
/// | `sleep_until(end)` | blocks the thread until then; a signal or an early timer does not shorten it |
/// | `wakeable_sleep` | the same, which another thread can end; where the library has `std::stop_token` |
/// | `entropy(word)` | 64 random bits of the system; false where it gives none |
/// | `at_fork(handler)` | has `handler` run in each forked child; nothing where there is no fork |
/// | `yield()` | lets other threads run |
///
/// `mutex` has a header of its own, internal/mutex.hpp. POSIX systems share a header, and each other system has one. All
/// of them are included always, and are empty elsewhere, so that one file can be made of all headers.

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/moment.hpp"
#include "anew/base/platform/internal/posix.hpp"
#include "anew/base/platform/internal/windows.hpp"

#endif
