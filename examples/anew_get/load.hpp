// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_LOAD_HPP
#define ANEW_GET_LOAD_HPP

#include <iosfwd>
#include <stop_token>

#include "options.hpp"
#include "text.hpp"

namespace anew_get {

/// Fetches the URL again and again, from as many threads as there are callers, which share one strategy, and prints what
/// that looks like to the server: a row for each sixth of the time, and a line for the second half. True unless nothing
/// was answered.
bool run_load(settings const& asked, std::ostream& out, paint colours, std::stop_token const& stop);

}  // namespace anew_get

#endif
