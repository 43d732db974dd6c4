// SPDX-License-Identifier: BSL-1.0
// Meant: the first retry waits for the first entry. Retries count from 1.
#include <cstdint>

#include "given.hpp"

struct table {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t n) const {
    static constexpr anew::duration delays[] = {10ms, 100ms, 1s};
    return delays[n < 2 ? n : 2];
  }
};

int main() { print(anew::retry_outcome(anew::strategy<table, anew::no_jitter, anew::retry_all>{}, fails, tell)); }
