// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_ERROR_INFO_HPP
#define ANEW_RUN_TIME_VIRTUAL_ERROR_INFO_HPP

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// A base for exceptions that state whose fault they are, whatever else they derive from: Smithy's `ErrorInfo`, for
/// exceptions whose type is known only at run time. `struct not_found : std::runtime_error, anew::error_info { ... };`
///
/// A server's fault alone is not a reason to retry: `anew::retry_info` says whether a retry is safe. A classifier with
/// a clause for `error_info` may decide otherwise.
class ANEW_VISIBLE error_info {
 public:
  error_info() = default;
  error_info(error_info const&) = default;
  error_info& operator=(error_info const&) = default;
  virtual ~error_info() = default;

  [[nodiscard]] virtual error_fault fault() const = 0;
};

}  // namespace anew::inline ANEW_ABI

#endif
