// SPDX-License-Identifier: BSL-1.0
// A policy of your own, and the laws that every policy of its role obeys, as a test program of GoogleTest's.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <tuple>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/testing/laws.hpp"

using namespace std::chrono_literals;

// [policies]
// Waits a little longer each time: 1, 1 + 1/2, 1 + 1/2 + 1/3, … times the base.
class harmonic_backoff {
 public:
  using role = anew::roles::backoff;
  harmonic_backoff(anew::duration base, anew::duration cap) : base_{base}, cap_{cap} {}

  [[nodiscard]] anew::duration delay(std::uint32_t retry) const {
    auto sum = anew::duration::zero();
    for (std::uint32_t n = 1; n <= retry && n <= 1'000 && sum < cap_; ++n) {
      sum = base_ / n > cap_ - sum ? cap_ : sum + base_ / n;
    }
    return sum;
  }
  [[nodiscard]] anew::duration cap() const { return cap_; }

 private:
  anew::duration base_;
  anew::duration cap_;
};

// One retry at a time, of all calls together.
struct one_lane {
  using role = anew::roles::quota;
  using permit_type = bool;  // false: nothing
  [[nodiscard]] std::optional<bool> try_acquire(anew::failure const&) const {
    return busy.test_and_set() ? std::nullopt : std::optional{true};
  }
  void on_success(bool held) const { release(held); }
  void on_failure(bool held) const { release(held); }
  void release(bool held) const {
    if (held) busy.clear();
  }
  mutable std::atomic_flag busy{};
};

struct outage {
  bool is_planned;
};
struct patient_with_outages {
  using role = anew::roles::classifier;
  [[nodiscard]] static anew::directive classify(outage const& what) {
    return what.is_planned ? anew::directive::fail() : anew::directive::retry(anew::error_kind::server);
  }
};
// [/policies]

// [laws]
using namespace anew::testing;

// A policy that needs values is made by make(), and so is one that should be tested with many.
struct gentle {
  static auto make() { return harmonic_backoff{50ms, 20s}; }
};
struct without_end {
  static auto make() { return harmonic_backoff{1h, anew::duration::max()}; }
};
using both = testing::Types<gentle, without_end>;  // a macro takes no comma
INSTANTIATE_TYPED_TEST_SUITE_P(Harmonic, BackoffLaws, both);
INSTANTIATE_TYPED_TEST_SUITE_P(Harmonic, GrowingBackoffLaws, both);

INSTANTIATE_TYPED_TEST_SUITE_P(OneLane, QuotaLaws, testing::Types<one_lane>);

// The laws of classifiers need errors to classify.
struct outages : patient_with_outages {
  static auto errors() { return std::tuple{outage{false}, outage{true}}; }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Outages, ClassifierLaws, testing::Types<outages>);
// [/laws]

// [draft]
// The first draft, which forgot the cap. The laws are functions too.
struct first_draft {
  using role = anew::roles::backoff;
  [[nodiscard]] anew::duration delay(std::uint32_t retry) const { return 10ms * retry; }
  [[nodiscard]] anew::duration cap() const { return 20s; }
};

void show_what_is_wrong_with_the_draft() {
  auto const result = anew::testing::laws::delays_are_within_the_cap(first_draft{});
  std::printf("The draft: %s\n", result ? "is right" : result.message());
}
// [/draft]

int main(int argc, char** argv) {
  GTEST_FLAG_SET(brief, true);  // for short output; gtest_main's main() will do as well
  GTEST_FLAG_SET(print_time, false);
  testing::InitGoogleTest(&argc, argv);
  show_what_is_wrong_with_the_draft();
  std::fflush(stdout);
  return RUN_ALL_TESTS();
}
