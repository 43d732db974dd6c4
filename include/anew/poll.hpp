// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLL_HPP
#define ANEW_POLL_HPP

/// Calls until something becomes true: `anew::poll`.
#include "anew/poll/acceptor.hpp"
#include "anew/poll/poll.hpp"
#include "anew/poll/poll_outcome.hpp"
#include "anew/poll/wait_first.hpp"

#endif
