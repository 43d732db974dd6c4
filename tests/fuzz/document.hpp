// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_FUZZ_DOCUMENT_HPP
#define ANEW_TESTS_FUZZ_DOCUMENT_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "anew/text/json/invalid_setting.hpp"

#include "law.hpp"
#include "small_stack.hpp"

namespace fuzz {

/// Checks a document on a small stack. A refusal is an `invalid_setting` in one line, and nothing else is thrown.
int check_document(std::uint8_t const* data, std::size_t size, auto const& check) {
  // Not copied to a string: its terminator would hide a read past the end.
  std::string_view const text{reinterpret_cast<char const*>(data), size};
  support::on_kept_small_stack([&] {
    try {
      check(text);
    } catch (anew::invalid_setting const& refused) {
      std::string_view const message{refused.what()};
      require(message.find('\n') == std::string_view::npos && message.size() < 600, "a refusal is one short line");
      require(message == (refused.path().empty() ? "the document" : refused.path()) + " " + refused.requirement() +
                             ", but is " + refused.value(),
              "a refusal says where, what it must be, and what it is");
    } catch (std::exception const& other) {
      std::fprintf(stderr, "law broken: nothing but invalid_setting is thrown: %s\n", other.what());
      std::abort();
    }
  });
  return 0;
}

}  // namespace fuzz

#endif
