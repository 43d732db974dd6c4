// SPDX-License-Identifier: BSL-1.0
// A token that expires: the attempt that gets a 401 has it renewed, once, and asks again. Quoted by
// docs/how_to/refresh_credentials.md.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "anew/http.hpp"

using namespace std::chrono_literals;

struct response {
  int status;
  std::string body;
};

// The two services, as the example needs them: the first token has expired, and the login is busy once.
response log_in() {
  static int asked = 0;
  std::printf("log in\n");
  return ++asked == 1 ? response{503, ""} : response{200, "the second token"};
}
response ask(std::string const& token) {
  std::printf("ask with %s\n", token.c_str());
  return token == "the second token" ? response{200, "hello"} : response{401, ""};
}

// [credentials]
class credentials {
 public:
  std::string token() const {
    std::lock_guard const lock{mutex_};
    return token_;
  }

  /// Renews the token that was refused, unless another thread has done so meanwhile. Whether there is another one now.
  bool renew(std::string const& refused) {
    std::lock_guard const lock{mutex_};
    if (token_ != refused) return true;
    auto answer = anew::retry(login_, anew::idempotent(log_in));
    if (answer.status != 200) return false;
    token_ = std::move(answer.body);
    return true;
  }

 private:
  mutable std::mutex mutex_;
  std::string token_{"the first token"};
  // Its own strategy: its own budget, and a limit to how long a call waits for it.
  anew::with<anew::http::standard, anew::exponential_backoff<1ms, 10ms>, anew::deadline<2s>> login_;
};
// [/credentials]

int main() {
  anew::http::standard const strategy{};
  credentials login;

  // [call]
  auto const fetch = [&] {
    auto const token = login.token();
    auto answer = ask(token);
    if (answer.status == 401 && login.renew(token)) answer = ask(login.token());
    return answer;
  };
  response const answer = anew::retry(strategy, anew::idempotent(fetch));
  // [/call]

  std::printf("%d %s\n", answer.status, answer.body.c_str());
}
