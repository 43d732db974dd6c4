// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_DOWNLOADS_HPP
#define ANEW_GET_DOWNLOADS_HPP

#include "interruptible.hpp"
#include "options.hpp"
#include "signals.hpp"

namespace anew_get {

/// Fetches all URLs into where they belong. The exit code.
[[nodiscard]] int fetch_all(settings const& s, interruptible const& writing, signal_watch const& signals);

}  // namespace anew_get

#endif
