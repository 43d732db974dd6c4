// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COROUTINE_HPP
#define ANEW_COROUTINE_HPP

/// Retries in coroutines: `co_await anew::retry(strategy, operation, sleep)`.
#include "anew/bridges/coroutine/cancelled_by.hpp"
#include "anew/bridges/coroutine/retry.hpp"
#include "anew/bridges/coroutine/task.hpp"

#endif
