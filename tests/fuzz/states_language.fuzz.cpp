// SPDX-License-Identifier: BSL-1.0

// What must hold of the Retry field of a state, for every input. The whole input is the text, read on a small stack.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "anew/ports/states_language.hpp"
#include "anew/presets/step_functions.hpp"

#include "law.hpp"
#include "small_stack.hpp"

namespace {

using fuzz::require;

void check(std::string_view text) try {
  auto const read = anew::step_functions::read_retriers(text);
  anew::step_functions::strategy const strategy{read};
  auto token = strategy.acquire_initial_token();
  for (std::size_t i = 0; i != read.size(); ++i) {
    for (auto const& name : read[i].error_equals) {
      auto const by = read.find(name);
      auto next = strategy.refresh_retry_token(std::move(token), std::string_view{name});
      require(by || !next, "what no retrier matches is not retried");
      if (!next) {
        token = strategy.acquire_initial_token();
        continue;
      }
      token = *std::move(next);
      require(token.delay() >= anew::duration::zero(), "no delay is negative");
      auto const& most = read[*by].max_delay;
      require(!most || token.delay() <= *most, "no delay passes its maximum");
      require(token.retries_of(*by) <= read[*by].max_attempts, "no retrier retries too often");
    }
  }
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  // Not copied to a string: its terminator would hide a read past the end.
  auto const work = [text = std::string_view{reinterpret_cast<char const*>(data), size}] { check(text); };
  support::on_small_stack(work);
  return 0;
}
