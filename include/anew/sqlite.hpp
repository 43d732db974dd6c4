// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_SQLITE_HPP
#define ANEW_SQLITE_HPP

/// SQLite: what its codes mean, and transactions that are repeated as a whole.
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/sqlite/in_transaction.hpp"
#include "anew/bridges/sqlite/result.hpp"

#endif
