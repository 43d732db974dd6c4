// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_OWN_BODY_HPP
#define ANEW_BRIDGES_CURL_OWN_BODY_HPP

#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI::curl {

namespace detail {

struct own_body_tag {};

}  // namespace detail

/// Declares, instead of an `upload`, that the handle's own options give the same body to each attempt:
/// `CURLOPT_POSTFIELDS`, `CURLOPT_COPYPOSTFIELDS`, `CURLOPT_MIMEPOST`, or a read function that you reset yourself.
inline constexpr detail::own_body_tag own_body{};

}  // namespace anew::inline ANEW_ABI::curl

#endif
