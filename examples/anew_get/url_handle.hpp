// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_URL_HANDLE_HPP
#define ANEW_GET_URL_HANDLE_HPP

#include <new>
#include <string>

#include <curl/curl.h>

namespace anew_get {

/// A URL as libcurl reads it.
struct url_handle {
  url_handle() : get{curl_url()} {
    if (get == nullptr) throw std::bad_alloc{};
  }
  ~url_handle() { curl_url_cleanup(get); }
  url_handle(url_handle const&) = delete;
  url_handle& operator=(url_handle const&) = delete;

  /// Empty if the URL has no such part.
  [[nodiscard]] std::string part(CURLUPart which, unsigned flags = 0) const {
    char* text = nullptr;
    if (curl_url_get(get, which, &text, flags) != CURLUE_OK) return {};
    std::string const copy{text};
    curl_free(text);
    return copy;
  }

  CURLU* get;
};

}  // namespace anew_get

#endif
