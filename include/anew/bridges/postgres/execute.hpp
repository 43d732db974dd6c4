// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_POSTGRES_EXECUTE_HPP
#define ANEW_BRIDGES_POSTGRES_EXECUTE_HPP

#include <libpq-fe.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/postgres/result.hpp"

namespace anew::inline ANEW_ABI::postgres {

/// PQexec as an operation: sends nothing over a connection that is known to be broken. Blocks, whatever the attempt's
/// limit.
[[nodiscard]] inline result execute(PGconn* connection, char const* sql) {
  if (PQstatus(connection) != CONNECTION_OK) return result::not_sent(connection);
  return result{connection, PQexec(connection, sql)};
}

}  // namespace anew::inline ANEW_ABI::postgres

#endif
