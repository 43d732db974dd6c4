// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POSTGRES_HPP
#define ANEW_POSTGRES_HPP

/// PostgreSQL by libpq: what an SQLSTATE means, and transactions that are repeated as a whole.
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/postgres/in_transaction.hpp"
#include "anew/bridges/postgres/result.hpp"

#endif
