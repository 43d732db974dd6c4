// SPDX-License-Identifier: BSL-1.0
// What happens in a child of a process with threads: tests/laws/fork.test.cpp.
#include <cstdint>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/base/platform/system.hpp"
#include "anew/base/platform/version.hpp"

#include "process_support.hpp"

namespace platform_test {
namespace {

using anew::detail::fork_safe_lock, anew::detail::fork_safe_mutex;
using support::in_a_child;

/// A mutex, and how often it was recovered.
struct counted_mutex {
  fork_safe_mutex mutex;
  int recovered = 0;
  void lock_and_unlock() {
    fork_safe_lock const lock{mutex, [this] { ++recovered; }};
  }
};

TEST(Platform, HasEntropy) {
  std::uint64_t words[2]{};
  for (auto& word : words) EXPECT_TRUE(anew::detail::platform::entropy(word));
  EXPECT_NE(words[0], words[1]);
}

TEST(ForkSafeMutex, ExcludesOthers) {
  fork_safe_mutex mutex;
  int recovered = 0;
  auto const recover = [&recovered] { ++recovered; };
  {
    fork_safe_lock const lock{mutex, recover};
    std::thread{[&] { EXPECT_FALSE(mutex.try_lock(recover)); }}.join();
  }
  std::thread{[&] {
    ASSERT_TRUE(mutex.try_lock(recover));
    fork_safe_lock const lock{mutex, anew::detail::already_locked{}};
  }}.join();
  EXPECT_TRUE(mutex.try_lock(recover));
  mutex.unlock();
  EXPECT_EQ(recovered, 0);
}

// The thread that forks holds it, which stands for any other: the child's mutex is a new one.
TEST(ForkSafeMutex, AChildTakesItOverAndRecoversOnce) {
  counted_mutex held;
  held.mutex.lock([] { FAIL(); });
  EXPECT_EQ(in_a_child([&] { return held.lock_and_unlock(), held.lock_and_unlock(), held.recovered; }), 1);
  held.mutex.unlock();
  EXPECT_EQ(held.recovered, 0);
}

TEST(ForkSafeMutex, AChildOfAParentWithoutHolderRecoversNothing) {
  counted_mutex free;
  free.lock_and_unlock();
  EXPECT_EQ(in_a_child([&] {
              free.lock_and_unlock();
              return free.recovered + in_a_child([&] { return free.lock_and_unlock(), free.recovered; });
            }),
            0);
}

TEST(Version, IsTheOneOfTheProject) { EXPECT_STREQ(ANEW_VERSION_STRING, ANEW_PROJECT_VERSION); }

TEST(Version, StringIsMadeOfItsNumbers) {
  EXPECT_EQ(ANEW_VERSION_STRING, std::to_string(ANEW_VERSION_MAJOR) + "." + std::to_string(ANEW_VERSION_MINOR) + "." +
                                     std::to_string(ANEW_VERSION_PATCH));
}

#define ANEW_TEST_TEXT_2(x) #x
#define ANEW_TEST_TEXT(x) ANEW_TEST_TEXT_2(x)

TEST(Version, NamesTheNamespaceThatHoldsEverything) {
  std::string const name = ANEW_TEST_TEXT(ANEW_ABI);
  std::string version{"v"};  // appended to: g++ 12 warns at -O3 of what operator+ does
  version.append(std::to_string(ANEW_VERSION_MAJOR)).append("_").append(std::to_string(ANEW_VERSION_MINOR));
  EXPECT_EQ(name.substr(0, version.size()), version) << name;
  EXPECT_EQ(name.find("_no_exceptions") != std::string::npos, ANEW_EXCEPTIONS == 0) << name;
#if defined(__cpp_rtti)
  EXPECT_EQ(name.find("_no_rtti"), std::string::npos) << name;
#else
  EXPECT_NE(name.find("_no_rtti"), std::string::npos) << name;
#endif
}

}  // namespace
}  // namespace platform_test
