// SPDX-License-Identifier: BSL-1.0
// What happens in a child of a process with threads: tests/laws/fork.test.cpp.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/fork_safe_mutex.hpp"
#include "anew/platform/version.hpp"

#include "length.hpp"
#include <anew/platform/internal/wide_word.hpp>
#include <anew/value/generator.hpp>

namespace platform_test {
namespace {

using anew::detail::fork_safe_lock;
using anew::detail::fork_safe_mutex;
using anew::detail::wide_word;

/// The child's exit status.
template <class Work>
int in_a_child(Work const& work) {
  pid_t const child = ::fork();
  if (child == 0) ::_exit(work());
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
  fork_safe_mutex mutex;
  int recovered = 0;
  auto const recover = [&recovered] { ++recovered; };
  mutex.lock(recover);
  EXPECT_EQ(in_a_child([&] {
              {
                fork_safe_lock const lock{mutex, recover};
              }
              {
                fork_safe_lock const lock{mutex, recover};
              }
              return recovered;
            }),
            1);
  mutex.unlock();
  EXPECT_EQ(recovered, 0);
}

TEST(ForkSafeMutex, AChildOfAParentWithoutHolderRecoversNothing) {
  fork_safe_mutex mutex;
  int recovered = 0;
  auto const recover = [&recovered] { ++recovered; };
  {
    fork_safe_lock const lock{mutex, recover};
  }
  EXPECT_EQ(in_a_child([&] {
              {
                fork_safe_lock const lock{mutex, recover};
              }
              return recovered + in_a_child([&] {
                       {
                         fork_safe_lock const lock{mutex, recover};
                       }
                       return recovered;
                     });
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

constexpr wide_word of(std::uint64_t high, std::uint64_t low) { return (wide_word{high} << 64U) | wide_word{low}; }
constexpr std::uint64_t most = ~std::uint64_t{0};

static_assert(of(most, most) + wide_word{1} == wide_word{0});
static_assert(wide_word{0} - wide_word{1} == of(most, most));
static_assert(wide_word{-1} == of(most, most));
static_assert(wide_word{most} * wide_word{most} == of(most - 1, 1));
static_assert(of(1, 0) / wide_word{3} == wide_word{0x5555'5555'5555'5555});
static_assert(of(1, 0) % wide_word{3} == wide_word{1});
static_assert(of(most, most) / of(most, most) == wide_word{1});
static_assert(of(1, 2) > of(1, 1) && of(2, 0) > of(1, most));
static_assert(static_cast<double>(of(1, 0)) == 0x1p64);
// Halfway between two doubles, and a bit above: rounded once.
static_assert(static_cast<double>(of(0x20'0000'0000'0001, 0)) == 0x20'0000'0000'0000 * 0x1p64);
static_assert(static_cast<double>(of(0x20'0000'0000'0001, 1)) == 0x20'0000'0000'0002 * 0x1p64);

#ifdef __SIZEOF_INT128__
__extension__ using native = unsigned __int128;

wide_word as_wide(native value) {
  return of(static_cast<std::uint64_t>(value >> 64U), static_cast<std::uint64_t>(value));
}

/// Half of them lie at an edge: few bits, or nearly all.
native any(anew::generator& random) {
  auto const word = [&]() -> native {
    switch (random() % 4) {
      case 0: return random() % 3;
      case 1: return most - random() % 3;
      case 2: return std::uint64_t{1} << random() % 64;
      default: return random();
    }
  };
  return (word() << 64U) | word();
}

TEST(WideWord, CalculatesAsTheCompilersTypeDoes) {
  anew::generator random{7, 1};
  for (int i = 0; i != support::length_of(100'000); ++i) {
    auto const a = any(random);
    auto const b = any(random);
    auto const by = static_cast<unsigned>(random() % 128);
    auto const x = as_wide(a);
    auto const y = as_wide(b);
    ASSERT_EQ(x + y, as_wide(a + b));
    ASSERT_EQ(x - y, as_wide(a - b));
    ASSERT_EQ(x * y, as_wide(a * b));
    ASSERT_EQ(x << by, as_wide(a << by));
    ASSERT_EQ(x >> by, as_wide(a >> by));
    ASSERT_EQ(x & y, as_wide(a & b));
    ASSERT_EQ(x | y, as_wide(a | b));
    ASSERT_EQ(~x, as_wide(~a));
    ASSERT_EQ(x < y, a < b);
    ASSERT_EQ(x == y, a == b);
    ASSERT_EQ(static_cast<std::int64_t>(x), static_cast<std::int64_t>(a));
    ASSERT_EQ(static_cast<bool>(x), static_cast<bool>(a));
    ASSERT_EQ(static_cast<double>(x), static_cast<double>(a));
    if (b == 0) continue;
    ASSERT_EQ(x / y, as_wide(a / b));
    ASSERT_EQ(x % y, as_wide(a % b));
  }
}
#endif

}  // namespace
}  // namespace platform_test
