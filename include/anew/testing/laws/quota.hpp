// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_QUOTA_HPP
#define ANEW_TESTING_LAWS_QUOTA_HPP

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "anew/concept/quota.hpp"
#include "anew/duration.hpp"
#include "anew/failure.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::testing {

namespace laws {

/// A quota that grants so many without a refusal has no limit that counts here.
inline constexpr std::size_t most_permits = 4'000;

inline constexpr time_point quota_time{duration{1'000'000'000'000}};  // it stands still

/// What a quota that lives on calls needs before it grants anything.
template <Quota Q>
void make_calls(Q const& quota) {
  if constexpr (detail::CountsCalls<Q>) {
    for (int call = 0; call < 100; ++call) quota.on_call(quota_time);
  }
}

/// Acquires until it is refused.
template <Quota Q>
std::vector<typename Q::permit_type> drain(Q const& quota, failure const& what) {
  std::vector<typename Q::permit_type> permits;
  while (permits.size() < most_permits) {
    auto const permit = detail::try_acquire(quota, what, quota_time);
    if (!permit) break;
    permits.push_back(*permit);
  }
  return permits;
}

template <Quota Q>
void release(Q const& quota, std::vector<typename Q::permit_type> const& permits) {
  for (auto const& permit : permits) {
    if (permit != typename Q::permit_type{}) quota.release(permit);  // as a driver does it
  }
}

/// Calls `look(quota, failure, permits)` with a drained quota, for each kind of error.
template <class T, class Look>
AssertionResult for_drained(Look const& look) {
  for (auto const kind : every_kind) {
    auto const quota = testing::subject<T>();
    failure const what{.kind = kind};
    make_calls(quota);
    auto const permits = drain(quota, what);
    if (auto result = look(quota, what, permits); !result) {
      return result << ", for errors of the kind " << to_string(kind);
    }
  }
  return AssertionSuccess();
}

/// What is released may be acquired again: no less, or permits are lost; no more, or they are made of nothing.
template <class T>
AssertionResult what_is_released_is_there_again() {
  return for_drained<T>([](auto const& quota, failure const& what, auto const& permits) {
    for (int round = 0; round < 3; ++round) {
      release(quota, permits);
      if (auto const again = drain(quota, what).size(); again != permits.size()) {
        return AssertionFailure() << permits.size() << " permits were released, and " << again << " are there";
      }
    }
    return AssertionSuccess();
  });
}

/// A refusal charges nothing, however often it is given.
template <class T>
AssertionResult a_refusal_charges_nothing() {
  return for_drained<T>([](auto const& quota, failure const& what, auto const& permits) {
    if (permits.size() == most_permits) return AssertionSuccess();
    for (int refusal = 0; refusal < 1000; ++refusal) {
      if (!detail::try_acquire(quota, what, quota_time)) continue;
      return AssertionFailure() << "after a refusal it granted a permit without having got one back";
    }
    release(quota, permits);
    auto const again = drain(quota, what).size();
    if (again == permits.size()) return AssertionSuccess();
    return AssertionFailure() << "after refusals there were " << again << " permits in the place of " << permits.size();
  });
}

/// A permit `{}` holds nothing, and so is never given back: a quota that has a limit hands out no such permit.
template <class T>
AssertionResult what_is_charged_is_held() {
  return for_drained<T>([]<class Q>(Q const& /*quota*/, failure const& /*what*/, auto const& permits) {
    if (permits.size() == most_permits) return AssertionSuccess();
    for (auto const& permit : permits) {
      if (permit != typename Q::permit_type{}) continue;
      return AssertionFailure() << "it has a limit, and hands out a permit {}, which means nothing";
    }
    return AssertionSuccess();
  });
}

/// Threads that acquire at once get together what one alone gets; and all of it is there again when they release.
template <class T>
AssertionResult it_is_exact_under_contention() {
  return for_drained<T>([](auto const& quota, failure const& what, auto const& permits) {
    if (permits.size() == most_permits) return AssertionSuccess();
    for (int round = 0; round < 20; ++round) {
      release(quota, permits);
      std::vector<std::remove_cvref_t<decltype(permits)>> of_thread(threads);
      on_threads([&](unsigned number) { of_thread[number] = drain(quota, what); });
      std::size_t together = 0;
      for (auto const& some : of_thread) together += some.size();
      if (together != permits.size()) {
        return AssertionFailure() << threads << " threads got " << together << " permits, one alone " << permits.size();
      }
      on_threads([&](unsigned number) { release(quota, of_thread[number]); });
      if (drain(quota, what).size() != permits.size()) return AssertionFailure() << "threads that released lost some";
    }
    return AssertionSuccess();
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every quota. Each law is asked of new ones, each kind of error of one of its own.
template <class T>
class QuotaLaws : public ::testing::Test {
  static_assert(Quota<subject_type<T>>);
};
TYPED_TEST_SUITE_P(QuotaLaws);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(QuotaLaws);

TYPED_TEST_P(QuotaLaws, WhatIsReleasedIsThereAgain) { EXPECT_TRUE(laws::what_is_released_is_there_again<TypeParam>()); }
TYPED_TEST_P(QuotaLaws, ARefusalChargesNothing) { EXPECT_TRUE(laws::a_refusal_charges_nothing<TypeParam>()); }
TYPED_TEST_P(QuotaLaws, WhatIsChargedIsHeld) { EXPECT_TRUE(laws::what_is_charged_is_held<TypeParam>()); }
TYPED_TEST_P(QuotaLaws, ItIsExactUnderContention) { EXPECT_TRUE(laws::it_is_exact_under_contention<TypeParam>()); }
REGISTER_TYPED_TEST_SUITE_P(QuotaLaws, WhatIsReleasedIsThereAgain, ARefusalChargesNothing, WhatIsChargedIsHeld,
                            ItIsExactUnderContention);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::testing

#endif
