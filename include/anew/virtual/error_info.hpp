// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_VIRTUAL_ERROR_INFO_HPP
#define ANEW_VIRTUAL_ERROR_INFO_HPP

#include "anew/platform/compiler.hpp"
#include "anew/value/failure.hpp"

namespace anew::inline ANEW_ABI {

/// A base for exceptions that say whose fault they are, whatever else they derive from: Smithy's `ErrorInfo`, for exceptions
/// whose type is found out at run time. `struct not_found : std::runtime_error, anew::error_info { ... };`
///
/// What is the server's fault is not retried for that alone: whether it is safe to, `anew::retry_info` says. A classifier
/// with a clause for `error_info` may think otherwise.
class ANEW_VISIBLE error_info {
 public:
  error_info() = default;
  error_info(error_info const&) = default;
  error_info(error_info&&) = default;
  error_info& operator=(error_info const&) = default;
  error_info& operator=(error_info&&) = default;
  virtual ~error_info() = default;

  [[nodiscard]] virtual error_fault fault() const = 0;
};

}  // namespace anew::inline ANEW_ABI

#endif
