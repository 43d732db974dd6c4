// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLL_HPP
#define ANEW_POLL_HPP

/// Calls until something becomes true: `anew::poll`.
#include "anew/drivers/poll/acceptor.hpp"
#include "anew/drivers/poll/poll.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"

#endif
