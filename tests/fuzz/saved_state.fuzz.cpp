// SPDX-License-Identifier: BSL-1.0

// What must hold of the reader of saved states for every input. The whole input is the state; once more it is one
// with its size and checksum set right, so that mutations get past them.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies.hpp"
#include "anew/state/saved_state.hpp"

#include "law.hpp"

namespace {

using namespace std::chrono_literals;
using anew::saved_state;
using anew::time_point;
using fuzz::require;

constexpr time_point now{1'000'000h};

/// As it was, or with the numbers of the state: whatever was restored is accepted when it is saved again.
template <class P>
void restore_into(P const& policy, saved_state const& state) {
  auto const before = anew::snapshot(policy, now);
  if (anew::restore(policy, state, now)) {
    auto const after = anew::snapshot(policy, now);
    require(static_cast<bool>(anew::restore(policy, after, now)), "what was restored is a state of the policy");
    require(anew::snapshot(policy, now) == after, "a state that is restored where it is from changes nothing");
  } else {
    require(anew::snapshot(policy, now) == before, "what is refused changes nothing");
  }
}

void check(std::span<std::byte const> bytes) {
  auto const state = saved_state::from_bytes(bytes);
  require(state == saved_state::from_bytes(bytes), "the same bytes have the same meaning");
  if (!state.error().empty()) {
    require(state.parts().empty(), "what is wrong has no parts");
    return;
  }
  auto const written = state.to_bytes();
  require(written.size() == bytes.size() && std::equal(written.begin(), written.end(), bytes.begin()),
          "what is read is written as the same bytes");
  require(saved_state::from_hex(state.to_hex()) == state, "text holds the same");
  restore_into(anew::token_bucket<500>{}, state);
  restore_into(anew::refilling_bucket<10, 100ms>{}, state);
  restore_into(anew::retry_budget<>{}, state);
  restore_into(anew::retry_throttle<>{}, state);
  restore_into(anew::circuit_breaker<>{}, state);
  restore_into(anew::rate_breaker<>{}, state);
  restore_into(anew::cool_down<>{}, state);
  restore_into(anew::client_rate_limiter<>{}, state);
  restore_into(anew::strategy<anew::token_bucket<500>, anew::circuit_breaker<>, anew::client_rate_limiter<>>{}, state);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  std::span<std::byte const> const bytes{reinterpret_cast<std::byte const*>(data), size};
  check(bytes);
  static_cast<void>(saved_state::from_hex({reinterpret_cast<char const*>(data), size}));

  if (size < anew::detail::state_layout::header_bytes) return 0;
  std::vector<std::byte> mended(bytes.begin(), bytes.end());
  if (mended.size() >= 20) mended.resize(mended.size() - 8);
  auto const whole = mended.size() + 8;
  for (unsigned i = 0; i != 4; ++i) mended[8 + i] = static_cast<std::byte>(whole >> (8 * i));
  auto const sum = anew::detail::state_layout::checksum(mended);
  for (unsigned i = 0; i != 8; ++i) mended.push_back(static_cast<std::byte>(sum >> (8 * i)));
  check(mended);
  return 0;
}
