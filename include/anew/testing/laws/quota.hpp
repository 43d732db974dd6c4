// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTING_LAWS_QUOTA_HPP
#define ANEW_TESTING_LAWS_QUOTA_HPP

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/quota.hpp"
#include "anew/testing/laws/subject.hpp"

namespace anew::inline ANEW_ABI::testing {

namespace laws {

/// A quota that grants that many permits without a refusal counts as unlimited.
inline constexpr std::size_t most_permits = 4'000;

inline constexpr time_point quota_time{duration{1'000'000'000'000}};  // it stands still

/// Makes the calls without which a quota such as retry_budget grants nothing.
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

/// Released permits can be acquired again: no fewer, or permits are lost; no more, or permits are invented.
template <class T>
AssertionResult what_is_released_is_there_again() {
  return for_drained<T>([](auto const& quota, failure const& what, auto const& first) {
    auto permits = first;  // of each round its own: a permit comes back once
    for (int round = 0; round < 3; ++round) {
      release(quota, permits);
      permits = drain(quota, what);
      if (permits.size() == first.size()) continue;
      return AssertionFailure() << first.size() << " permits were released, and " << permits.size() << " are there";
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
    return AssertionResult(again == permits.size())
           << "after refusals there were " << again << " permits instead of " << permits.size();
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

/// Threads that acquire concurrently get in total as much as one thread, and can acquire it all again after the
/// release. Nothing is lost or invented while some acquire and others release.
template <class T>
AssertionResult it_is_exact_under_contention() {
  return for_drained<T>([](auto const& quota, failure const& what, auto const& first) {
    if (first.size() == most_permits) return AssertionSuccess();
    auto permits = first;
    for (int round = 0; round < 20; ++round) {
      release(quota, permits);
      std::vector<std::remove_cvref_t<decltype(permits)>> of_thread(threads);
      on_threads([&](unsigned number) { of_thread[number] = drain(quota, what); });
      std::size_t together = 0;
      for (auto const& some : of_thread) together += some.size();
      if (together != first.size()) {
        return AssertionFailure() << threads << " threads got " << together << " permits, one alone " << first.size();
      }
      on_threads([&](unsigned number) { release(quota, of_thread[number]); });
      permits = drain(quota, what);
      if (permits.size() != first.size()) return AssertionFailure() << "threads that released lost some";
      if (round % 4 != 0) continue;
      release(quota, permits);
      on_threads([&](unsigned /*number*/) {
        for (int i = 0; i < 100; ++i) {
          auto const permit = detail::try_acquire(quota, what, quota_time);
          if (permit) release(quota, {*permit});
        }
      });
      permits = drain(quota, what);
      if (permits.size() == first.size()) continue;
      return AssertionFailure() << "threads that acquired and released left " << permits.size() << " permits of "
                                << first.size();
    }
    return AssertionSuccess();
  });
}

/// A permit that is settled stands: it is granted again, unchanged, at any later time. Whatever the answer, it can be
/// returned once. A quota that asks to be asked again decides in the end.
template <class T>
AssertionResult a_settled_permit_stands() {
  return for_drained<T>([]<class Q>(Q const& quota, failure const& what, auto const& drained) {
    if constexpr (detail::SettlesPermits<Q>) {
      auto permits = drained;
      bool all = true;
      for (auto& permit : permits) {
        if (permit == typename Q::permit_type{}) continue;
        auto now = quota_time;
        auto answer = quota.settle(permit, now);
        for (int question = 0; !answer.pass && answer.wait > duration::zero(); ++question) {
          if (question == 1000) return AssertionFailure() << "it was asked 1000 times, and did not decide";
          now = detail::saturating_add(now, answer.wait);
          answer = quota.settle(permit, now);
        }
        all = all && answer.pass;
        if (!answer.pass) continue;
        permit = *answer.pass;
        if (permit == typename Q::permit_type{}) return AssertionFailure() << "it settled a permit as {}";
        for (auto const later : {duration::zero(), duration{1}, duration{3'600'000'000'000}}) {
          auto const again = quota.settle(permit, detail::saturating_add(now, later));
          if (!again.pass || *again.pass != permit) {
            return AssertionFailure() << "a permit that stood did not stand " << text(later) << " later";
          }
        }
      }
      release(quota, permits);
      auto const there = drain(quota, what).size();
      if (there > permits.size() || (all && there != permits.size())) {
        return AssertionFailure() << permits.size() << " settled permits were released, and " << there << " are there";
      }
    }
    return AssertionSuccess();
  });
}

/// One thread that uses a quota for years: its calls, and the permits that it holds.
template <Quota Q>
class quota_user {
 public:
  quota_user(Q const& quota, call_log& log) : quota_{&quota}, log_{&log} {}
  quota_user(quota_user const&) = delete;
  quota_user& operator=(quota_user const&) = delete;
  ~quota_user() { end_call(); }

  void begin_call(time_point now) {
    end_call();
    if constexpr (detail::CountsCalls<Q>) {
      log_->calls("on_call", now);
      quota_->on_call(now);
    }
    in_call_ = true;
  }
  void end_call() {
    if constexpr (detail::CountsCallsUnderWay<Q>) {
      if (in_call_) quota_->on_call_end();
    }
    in_call_ = false;
  }
  void succeed_at_once(time_point now) {
    log_->calls("on_success", now);
    quota_->on_success({});
  }
  [[nodiscard]] auto acquire(failure const& what, time_point now) {
    log_->calls("try_acquire", now);
    return detail::try_acquire(*quota_, what, now);
  }
  void fail_an_attempt(failure const& what, time_point now) {
    if constexpr (requires { quota_->on_attempt_failed(what); }) {
      log_->calls("on_attempt_failed", now);
      quota_->on_attempt_failed(what);
    }
  }
  /// By how a retry ended: it succeeded, it failed, or it was not made.
  void give_back(typename Q::permit_type const& permit, std::uint64_t how, time_point now) {
    bool const is_nothing = permit == typename Q::permit_type{};
    log_->calls("on_success, on_failure or release", now);
    if (how % 3 == 0) {
      quota_->on_success(permit);
    } else if (how % 3 == 1 && !is_nothing) {
      quota_->release(permit);
    } else if constexpr (requires { quota_->on_failure(permit); }) {
      if (!is_nothing) quota_->on_failure(permit);
    }
  }
  /// The number of retries that it grants at once, up to `most_permits`. The permits are returned.
  [[nodiscard]] std::size_t grants_at(failure const& what, time_point now) {
    std::vector<typename Q::permit_type> permits;
    while (permits.size() < most_permits) {
      auto const permit = acquire(what, now);
      if (!permit) break;
      permits.push_back(*permit);
    }
    for (auto const& permit : permits) give_back(permit, 1, now);
    return permits.size();
  }

 private:
  Q const* quota_;
  call_log* log_;
  bool in_call_ = false;
};

/// Whatever the pauses between calls, every function returns, and a quota that has a limit keeps one.
template <class T>
AssertionResult it_gets_through_years_of_use() {
  return laws::every_call_returns([](call_log& log) {
    auto const is_limited = [&log](auto const& quota, time_point now) {
      quota_user user{quota, log};
      return user.grants_at(failure{}, now) < most_permits;
    };
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      auto const quota = testing::subject<T>();
      years_of_use years{seed, quota_time};
      bool const limited = is_limited(testing::subject<T>(), quota_time);
      quota_user user{quota, log};
      std::vector<typename subject_type<T>::permit_type> held;
      for (int i = 0; i < 1'000 && !years.is_over(); ++i) {
        auto const now = years.next();
        auto const roll = years.roll();
        failure const what{.kind = every_kind[(roll >> 8U) % std::size(every_kind)]};
        user.begin_call(now);
        if (roll % 4 == 0) {
          for (int call = 0; call < 8; ++call) user.succeed_at_once(now);
          continue;
        }
        user.fail_an_attempt(what, now);
        if (auto const permit = user.acquire(what, now)) held.push_back(*permit);
        if (!held.empty() && roll % 4 != 1) {
          user.give_back(held.back(), roll >> 16U, now);
          held.pop_back();
        }
        if (i % 64 == 0 && limited && user.grants_at(failure{}, now) == most_permits) {
          return AssertionFailure() << "a new one has a limit; in use, " << text(now.time_since_epoch())
                                    << " after the clock's epoch, it grants " << most_permits
                                    << " retries at once (seed " << seed << ")";
        }
      }
    }
    return AssertionSuccess();
  });
}

}  // namespace laws

// NOLINTBEGIN(readability-identifier-naming): suites and tests are named as GoogleTest's are
/// Of every quota. Each law is asked of new ones, each kind of error of one of its own.
ANEW_LAWS(QuotaLaws, Quota)

ANEW_LAW(QuotaLaws, WhatIsReleasedIsThereAgain, what_is_released_is_there_again<TypeParam>())
ANEW_LAW(QuotaLaws, ARefusalChargesNothing, a_refusal_charges_nothing<TypeParam>())
ANEW_LAW(QuotaLaws, WhatIsChargedIsHeld, what_is_charged_is_held<TypeParam>())
ANEW_LAW(QuotaLaws, ItIsExactUnderContention, it_is_exact_under_contention<TypeParam>())
ANEW_LAW(QuotaLaws, ASettledPermitStands, a_settled_permit_stands<TypeParam>())
ANEW_LAW(QuotaLaws, ItGetsThroughYearsOfUse, it_gets_through_years_of_use<TypeParam>())
REGISTER_TYPED_TEST_SUITE_P(QuotaLaws, WhatIsReleasedIsThereAgain, ARefusalChargesNothing, WhatIsChargedIsHeld,
                            ItIsExactUnderContention, ASettledPermitStands, ItGetsThroughYearsOfUse);

// NOLINTEND(readability-identifier-naming)

}  // namespace anew::inline ANEW_ABI::testing

#endif
