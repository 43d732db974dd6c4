// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_EASY_HANDLE_HPP
#define ANEW_TESTS_SUPPORT_EASY_HANDLE_HPP

#include <cstddef>
#include <memory>
#include <string>

#include <curl/curl.h>

namespace support {

/// A handle of libcurl that asks no proxy and throws bodies away.
struct easy_handle {
  easy_handle() : handle{curl_easy_init(), &curl_easy_cleanup} {
    curl_easy_setopt(get(), CURLOPT_PROXY, "");
    curl_easy_setopt(get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(
        get(), CURLOPT_WRITEFUNCTION, +[](char*, std::size_t size, std::size_t count, void*) { return size * count; });
  }
  explicit easy_handle(std::string const& url) : easy_handle{} { to(url); }
  [[nodiscard]] CURL* get() const { return handle.get(); }
  void to(std::string const& url) const { curl_easy_setopt(get(), CURLOPT_URL, url.c_str()); }
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle;
};

}  // namespace support

#endif
