// SPDX-License-Identifier: BSL-1.0
// A token that expires: the attempt that gets a 401 has it renewed, once, and asks again. Quoted by
// docs/how_to/refresh_credentials.md.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>

#include "anew/http.hpp"

using namespace std::chrono_literals;

struct response {
  int status;
  std::string body;
};

// The two services, as the example needs them: the first token has expired, and the login is busy once.
response post(char const* path, anew::duration /*timeout*/) {
  static int asked = 0;
  std::printf("%s\n", path);
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
    std::lock_guard const one_at_a_time{renewing_};
    if (token() != refused) return true;
    if (std::chrono::steady_clock::now() < next_try_) return false;
    auto const log_in = [](anew::attempt& attempt) { return post("/log_in", attempt.limit(1s)); };
    auto const renewed = anew::retry(login_, anew::idempotent(log_in));
    std::lock_guard const lock{mutex_};
    if (renewed.status == 200)
      token_ = renewed.body;
    else
      next_try_ = std::chrono::steady_clock::now() + 5s;  // the threads that wait do not try it again
    return renewed.status == 200;
  }

 private:
  mutable std::mutex mutex_;
  std::mutex renewing_;
  std::string token_{"the first token"};
  std::chrono::steady_clock::time_point next_try_;
  // Its own strategy, and so its own budget.
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
