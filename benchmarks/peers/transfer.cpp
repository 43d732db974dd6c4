// SPDX-License-Identifier: BSL-1.0
// Fetches each URL on one libcurl handle, without retries or through anew:
//   transfer bare|anew URL...
// Prints nothing. The exit code is 1 where the last answer to a URL is not 200.
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include <curl/curl.h>

#include "anew/anew.hpp"
#include "anew/curl.hpp"

namespace {

using namespace std::chrono_literals;

std::size_t drop(char* /*data*/, std::size_t size, std::size_t count, void* /*to*/) { return size * count; }

anew::strategy<anew::constant_backoff<1ms>, anew::no_jitter, anew::token_bucket<500>, anew::curl::classifier<>,
               anew::max_attempts<4>> const strategy{};

}  // namespace

int main(int argc, char** argv) {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  auto* const easy = curl_easy_init();
  if (easy == nullptr || argc < 2) return 2;
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &drop);
  bool const retries = std::string_view{argv[1]} == "anew";
  int failed = 0;
  for (int i = 2; i < argc; ++i) {
    curl_easy_setopt(easy, CURLOPT_URL, argv[i]);
    long status = 0;
    if (retries) {
      auto const fetch = [&](anew::attempt& attempt) {
        return anew::curl::perform(easy, attempt, anew::idempotent_call);
      };
      status = anew::retry(strategy, anew::idempotent(fetch)).http_status;
    } else if (curl_easy_perform(easy) == CURLE_OK) {
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    }
    if (status != 200) ++failed;
  }
  curl_easy_cleanup(easy);
  curl_global_cleanup();
  return failed == 0 ? 0 : 1;
}
