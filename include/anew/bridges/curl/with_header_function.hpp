// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_CURL_WITH_HEADER_FUNCTION_HPP
#define ANEW_BRIDGES_CURL_WITH_HEADER_FUNCTION_HPP

#include <type_traits>
#include <utility>

#include <curl/curl.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/policies/operation/internal/declared_operation.hpp"

namespace anew::inline ANEW_ABI::curl {

/// A preparation whose call has a header callback. See `with_header_function()`.
template <class Prepare>
struct with_header_function_operation : anew::detail::declared_operation<Prepare> {
  curl_write_callback header_function;
  void* header_data;
};

/// Gives a call a header callback: libcurl's own `CURLOPT_HEADERFUNCTION` and `CURLOPT_HEADERDATA`, which `multi_retry` takes.
template <class Prepare>
[[nodiscard]] auto with_header_function(Prepare&& prepare, curl_write_callback function, void* data)
    -> with_header_function_operation<std::decay_t<Prepare>> {
  return {{std::forward<Prepare>(prepare)}, function, data};
}

}  // namespace anew::inline ANEW_ABI::curl

#endif
