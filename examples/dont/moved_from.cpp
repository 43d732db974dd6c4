// SPDX-License-Identifier: BSL-1.0
// To move a strategy moves its bucket, and leaves an empty one.
#include <utility>

#include "given.hpp"

bool request() { return ++requests, false; }

using bucket = anew::token_bucket<500>;

int main() {
  {
    // [dont]
    anew::strategy<anew::no_backoff, bucket, anew::retry_all> mine{};
    auto const theirs = std::move(mine);
    auto const outcome = anew::retry_outcome(mine, request);  // has nothing to pay with
    // [/dont]
    print("DON'T", outcome);
    std::printf("      balance %u of 500\n", theirs.quota().balance());
  }
  {
    // [do]
    anew::shared<bucket> const budget{};
    auto const mine = anew::compose(budget, anew::no_backoff{}, anew::retry_all{});
    auto const theirs = anew::compose(budget, anew::no_backoff{}, anew::retry_all{});
    auto const outcome = anew::retry_outcome(mine, request);
    // [/do]
    print("DO", outcome);
    std::printf("      balance %u of 500\n", theirs.quota().policy().balance());
  }
}
