// SPDX-License-Identifier: BSL-1.0
// section: Calling retry / An operation that can be called once
// The operation moves away what it sends, so it is callable only as an rvalue, and a second attempt would have nothing to
// send. Declare that it cannot run twice, or keep the body and send a copy or a view of it.
// expect-error: anew::retry(strategy, operation) requires an operation that can be called again; this operation
#include <cstddef>
#include <string>
#include <utility>

#include "anew/anew.hpp"

std::size_t send(std::string body) { return body.size(); }

struct upload {
  std::string body;
  std::size_t operator()() && { return send(std::move(body)); }
};

int main() {
// [fix]
#ifdef ANEW_REJECT  // wrong
  std::size_t const size = anew::retry(anew::strategy<>{}, upload{"picture"});
#else  // right
  std::size_t const size = anew::retry(anew::strategy<>{}, anew::one_shot(upload{"picture"}));
#endif
  // [/fix]
  return size == 0 ? 1 : 0;
}
