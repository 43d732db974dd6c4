// SPDX-License-Identifier: BSL-1.0
// The smallest program: a client of HTTP whose first two attempts fail. Quoted in README.md.
// [all]
#include <cstdio>
#include <map>
#include <string>
#include <system_error>

#include "anew/http.hpp"

struct response {  // whatever your client returns
  int status;
  std::map<std::string, std::string> headers;
  std::string body;
};

response get(unsigned attempt) {  // your client goes here; the example's client fails twice
  std::printf("attempt %u\n", attempt);
  if (attempt == 1) throw std::system_error{make_error_code(std::errc::connection_reset)};
  if (attempt == 2) return {503, {{"Retry-After", "1"}}, ""};
  return {200, {}, "hello"};
}

int main() {
  anew::http::standard const strategy{};  // keep it: its calls share one budget for retries

  auto const fetch = [](anew::attempt& attempt) { return get(attempt.number()); };
  response const answer = anew::retry(strategy, anew::idempotent(fetch));  // a GET may run twice

  std::printf("%d %s\n", answer.status, answer.body.c_str());
}
// [/all]
