// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_PREPARATION_HPP
#define ANEW_BRIDGES_CURL_PREPARATION_HPP

#include <concepts>
#include <type_traits>

#include <curl/curl.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/roles/operation.hpp"

namespace anew::inline ANEW_ABI::curl {

/// A preparation, run before each attempt: `f(anew::attempt&)` or `f()`, which returns nothing or a `CURLcode`. It may
/// be wrapped in `idempotent()`, `one_shot()`, `rewinding()` and `with_header_function()`. libcurl makes the transfer
/// itself.
template <class F>
concept Preparation =
    Operation<F> && (std::is_void_v<anew::detail::result_of<F>> || std::same_as<anew::detail::result_of<F>, CURLcode>);

}  // namespace anew::inline ANEW_ABI::curl

#endif
