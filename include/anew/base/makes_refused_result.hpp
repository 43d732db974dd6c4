// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_MAKES_REFUSED_RESULT_HPP
#define ANEW_BASE_MAKES_REFUSED_RESULT_HPP

#include "anew/base/platform/compiler.hpp"
#include "anew/base/refused_result.hpp"

namespace anew::inline ANEW_ABI {

/// True where `refused_result<R>::make(reason)` exists: your own driver returns that value for a call that ends before
/// its first attempt. For every other result it throws or delivers `call_refused{reason}`.
template <class R>
inline constexpr bool makes_refused_result = detail::MakesRefusedResult<R>;

}  // namespace anew::inline ANEW_ABI

#endif
