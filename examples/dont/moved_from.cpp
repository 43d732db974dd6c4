// SPDX-License-Identifier: BSL-1.0
// To move a strategy moves its bucket, and leaves one that still answers.
#include <utility>

#include "given.hpp"

bool request() { return ++requests, false; }

using bucket = anew::token_bucket<500>;

int main() {
  {
    // [dont]
    anew::strategy<anew::no_backoff, bucket, anew::retry_all> mine{};
    auto const theirs = std::move(mine);
    bool const done = anew::retry(mine, request);  // pays from a bucket that nobody else sees
    // [/dont]
    std::printf("DON'T balance %u of 500%s\n", theirs.quota().balance(), done ? ", done" : "");
  }
  {
    // [do]
    anew::shared<bucket> const budget{};
    auto const mine = anew::compose(budget, anew::no_backoff{}, anew::retry_all{});
    auto const theirs = anew::compose(budget, anew::no_backoff{}, anew::retry_all{});
    bool const done = anew::retry(mine, request);
    // [/do]
    std::printf("DO    balance %u of 500%s\n", theirs.quota().policy().balance(), done ? ", done" : "");
  }
}
