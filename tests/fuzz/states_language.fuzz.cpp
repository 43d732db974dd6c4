// SPDX-License-Identifier: BSL-1.0

// What must hold of the Retry field of a state, for every input. The whole input is the text, read on a small stack.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "anew/ports/states_language.hpp"
#include "anew/presets/step_functions.hpp"

#include "document.hpp"

namespace {

using fuzz::require;

void check(std::string_view text) {
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
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  return fuzz::check_document(data, size, check);
}
