// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_REFUSED_RESULT_HPP
#define ANEW_BASE_REFUSED_RESULT_HPP

#include <concepts>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"

namespace anew::inline ANEW_ABI {

/// Makes the result of a call that is refused before its first attempt, so that it need not throw `call_refused`.
/// Specialise it for results that can carry an error:
///
///     template <> struct anew::refused_result<answer> {
///       static answer make(anew::stop_reason why) { return answer::error(my_error::not_tried); }
///     };
template <class R>
struct refused_result {};

namespace detail {

template <class R>
concept MakesRefusedResult = requires(stop_reason why) {
  { refused_result<R>::make(why) } -> std::convertible_to<R>;
};

}  // namespace detail

}  // namespace anew::inline ANEW_ABI

#endif
