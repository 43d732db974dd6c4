// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLL_HPP
#define ANEW_POLL_HPP

/// Calls until something becomes true: `anew::poll`.
#include "anew/call/poll/acceptor.hpp"
#include "anew/call/poll/poll.hpp"
#include "anew/call/poll/poll_outcome.hpp"
#include "anew/call/poll/wait_first.hpp"

#endif
