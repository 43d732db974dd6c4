// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SENDER_HPP
#define ANEW_SENDER_HPP

/// Retries of P2300's senders: `retry_sender()`. Needs NVIDIA's stdexec, or ANEW_SENDERS, the namespace of a library with the same names.
#include "anew/bridges/sender/retry_sender.hpp"

#endif
