// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROCESS_HPP
#define ANEW_PROCESS_HPP

/// Quotas that all processes of a host share, in a file that survives a killed process.
#include "anew/bridges/process/concurrency_budget.hpp"
#include "anew/bridges/process/file_error.hpp"
#include "anew/bridges/process/remove.hpp"
#include "anew/bridges/process/retry_budget.hpp"
#include "anew/bridges/process/token_bucket.hpp"

#endif
