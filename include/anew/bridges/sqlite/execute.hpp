// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_SQLITE_EXECUTE_HPP
#define ANEW_BRIDGES_SQLITE_EXECUTE_HPP

#include <sqlite3.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/sqlite/result.hpp"

namespace anew::inline ANEW_ABI::sqlite {

/// Executes SQL without a result, and returns the extended code.
[[nodiscard]] inline result execute(sqlite3* connection, char const* sql) {
  int const code = sqlite3_exec(connection, sql, nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? code : sqlite3_extended_errcode(connection);
}

}  // namespace anew::inline ANEW_ABI::sqlite

#endif
