// SPDX-License-Identifier: BSL-1.0
// What the page calls: it puts a request into room(n), asks ask(n), and finds the answer's size() bytes there.
#include <cstddef>
#include <string>

#include "answer.hpp"

namespace {

std::string asked;
std::string answered;

}  // namespace

extern "C" {
[[clang::export_name("room")]] char* playground_room(std::size_t bytes) {
  asked.resize(bytes);
  return asked.data();
}
[[clang::export_name("ask")]] char const* playground_ask() {
  answered = playground::answer(asked);
  return answered.data();
}
[[clang::export_name("size")]] std::size_t playground_size() { return answered.size(); }
}
