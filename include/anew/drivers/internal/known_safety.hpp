// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_INTERNAL_KNOWN_SAFETY_HPP
#define ANEW_DRIVERS_INTERNAL_KNOWN_SAFETY_HPP

#include <type_traits>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"

/// An operation may know whether its last attempt took effect, which no classifier can.
namespace anew::inline ANEW_ABI::detail {

/// `op.known_safety(read)` is the safety of another attempt, of which the classifier said `read`. An operation inside a
/// declaration is asked too.
template <class Op>
inline constexpr bool knows_its_safety = requires(Op const& op) { op.known_safety(retry_safety::yes); };
template <class Op>
  requires requires { typename Op::declared; } && (!requires(Op const& op) { op.known_safety(retry_safety::yes); })
inline constexpr bool knows_its_safety<Op> = knows_its_safety<typename Op::declared>;

/// The verdict of a classifier, with what the operation knows.
template <class Op>
  requires(!knows_its_safety<std::remove_cv_t<Op>>)
constexpr directive const& as_known_by(Op& /*operation*/, directive const& read) noexcept {
  return read;
}
template <class Op>
  requires knows_its_safety<std::remove_cv_t<Op>>
constexpr directive as_known_by(Op& operation, directive const& read) noexcept {
  if constexpr (requires { operation.known_safety(retry_safety::yes); }) {
    return read.with_safety(operation.known_safety(read.what().safety));
  } else {
    return detail::as_known_by(operation.operation, read);
  }
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
