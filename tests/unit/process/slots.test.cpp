// SPDX-License-Identifier: BSL-1.0
// Slots of processes, by turns of processes that live, end, fork and are killed. Time is a parameter.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/bridges/process/concurrency_budget.hpp"

#include "process_support.hpp"
#include "rejection.hpp"
#include "sanitized.hpp"
#include "together.hpp"

namespace process_slots_test {
namespace {

using anew::detail::process_slots, anew::detail::quota_mapping;
using support::in_a_child, support::place_of_its_own, support::waiting_child;

constexpr std::int64_t ms = 1'000'000;

/// An opening of a file of slots, with a time that the test sets.
struct opening {
  explicit opening(place_of_its_own const& place, std::uint64_t limit = 2)
      : most{limit}, mapping{place.path(), "slots", 0, anew::detail::all_kept_files()}, slots{mapping} {}

  std::uint32_t claim(std::int64_t now = start) {
    return slots.claim([this](std::uint64_t) { return most; }, [now] { return now; });
  }
  static constexpr std::int64_t start = 1'000'000'000'000;

  std::uint64_t most;
  quota_mapping mapping;
  process_slots slots;
};

/// A process that has so many retries and calls under way, as many as it answers.
waiting_child holder_of(place_of_its_own const& place, int retries, int calls = 0) {
  return waiting_child{[&] {
    auto* const there = new opening{place, 1000};
    for (int i = 0; i != calls; ++i) there->slots.begin_call();
    int held = 0;
    while (held != retries && there->claim() != 0) ++held;
    return held;
  }};
}

struct ProcessSlots : testing::Test {
  place_of_its_own const place{};
};
struct ProcessSlotsHere : ProcessSlots {
  opening here{place};
};

TEST_F(ProcessSlots, TwoOpeningsShareOneLimit) {
  opening one{place};
  opening two{place};
  EXPECT_NE(one.slots.file().slot(), two.slots.file().slot());
  auto const first = one.claim();
  auto const second = two.claim();
  EXPECT_NE(first, 0U);
  EXPECT_NE(second, 0U);
  EXPECT_EQ(one.claim(), 0U);
  EXPECT_EQ(two.claim(), 0U);
  EXPECT_EQ(one.slots.sum().retries, 2U);
  one.slots.give_back(first);
  EXPECT_NE(two.claim(), 0U);
  EXPECT_EQ(one.claim(), 0U);
}

// Another process takes the last place between the first look and the claim.
TEST_F(ProcessSlots, WhoIsLastStepsBackAndTriesAgainWhenAPlaceIsFree) {
  for (bool const is_given_back : {false, true}) {
    opening one{place, 1};
    opening two{place, 1};
    int asked = 0;
    std::uint32_t held = 0;
    auto const limit = [&](std::uint64_t) {
      ++asked;
      if (asked == 1) held = two.claim();
      if (asked == 2 && is_given_back) two.slots.give_back(held);
      return 1U;
    };
    EXPECT_EQ(one.slots.claim(limit, [] { return opening::start; }) != 0, is_given_back);
    EXPECT_NE(held, 0U);
    if (is_given_back) {
      EXPECT_EQ(asked, 4);
    }
    EXPECT_EQ(one.slots.sum().retries, 1U);
  }
}

TEST_F(ProcessSlots, CallsOfAllRaiseTheLimit) {
  opening one{place};
  opening two{place};
  auto const half = [](std::uint64_t calls) { return calls / 2; };
  auto const now = [] { return opening::start; };
  one.slots.begin_call();
  EXPECT_EQ(one.slots.claim(half, now), 0U);
  two.slots.begin_call();
  EXPECT_NE(one.slots.claim(half, now), 0U);
  EXPECT_EQ(one.slots.claim(half, now), 0U);
  EXPECT_EQ(one.slots.sum().calls, 2U);
  two.slots.end_call();
  EXPECT_EQ(one.slots.sum().calls, 1U);
}

TEST_F(ProcessSlots, WhatWasNotBegunDoesNotEnd) {
  opening one{place};
  one.slots.end_call();
  one.slots.give_back(1);
  EXPECT_EQ(one.slots.sum().calls, 0U);
  EXPECT_EQ(one.slots.sum().retries, 0U);
  one.slots.begin_call();
  one.slots.give_back(1);
  EXPECT_EQ(one.slots.sum().calls, 1U);
}

TEST_F(ProcessSlots, WhoClosesTheFileGivesEverythingBack) {
  opening one{place};
  {
    opening two{place};
    EXPECT_NE(two.claim(), 0U);
    EXPECT_NE(two.claim(), 0U);
    two.slots.begin_call();
    EXPECT_EQ(one.claim(), 0U);
  }
  EXPECT_EQ(one.slots.sum().retries, 0U);
  EXPECT_EQ(one.slots.sum().calls, 0U);
}

// A refusal looks for the dead, unless somebody looked less than 10 ms ago.
TEST_F(ProcessSlotsHere, PermitsOfADeadProcessAreBackAtARefusal) {
  auto holder = holder_of(place, 2);
  ASSERT_EQ(holder.answer(), 2);
  auto now = opening::start + 1000 * ms;
  EXPECT_EQ(here.claim(now), 0U);  // it lives: nothing comes back
  EXPECT_EQ(here.slots.sum().retries, 2U);
  holder.kill();
  EXPECT_EQ(here.claim(now + 10 * ms - 1), 0U);
  EXPECT_EQ(here.slots.sum().retries, 2U);
  EXPECT_NE(here.claim(now + 10 * ms), 0U);
  EXPECT_EQ(here.slots.sum().retries, 1U);
}

TEST_F(ProcessSlots, CallsOfADeadProcessEndWithinASecond) {
  opening here{place, 100};
  auto caller = holder_of(place, 0, 10);
  caller.kill();
  auto now = opening::start + 5000 * ms;
  EXPECT_TRUE(here.slots.sum().calls == 10);
  static_cast<void>(here.slots.take_back_from_the_dead(now, 0));
  EXPECT_EQ(here.slots.sum().calls, 0U);

  auto another = holder_of(place, 0, 1);
  another.kill();
  EXPECT_NE(here.claim(now + 1000 * ms - 1), 0U);  // granted, and somebody looked less than a second ago
  EXPECT_EQ(here.slots.sum().calls, 1U);
  EXPECT_NE(here.claim(now + 1000 * ms), 0U);
  EXPECT_EQ(here.slots.sum().calls, 0U);
}

TEST_F(ProcessSlotsHere, ALookInTheFutureDoesNotStopLooking) {
  auto holder = holder_of(place, 2);
  ASSERT_EQ(holder.answer(), 2);
  static_cast<void>(here.slots.take_back_from_the_dead(opening::start + 1'000'000 * ms, 10 * ms));
  holder.kill();
  EXPECT_NE(here.claim(opening::start), 0U);
}

// However a process ends: by _exit, which runs no destructor, too.
TEST_F(ProcessSlotsHere, AnEndWithoutDestructorsGivesEverythingBack) {
  EXPECT_EQ(in_a_child([&] {
              auto* const there = new opening{place};
              return there->claim() != 0 && there->claim() != 0 ? 7 : 0;
            }),
            7);
  EXPECT_EQ(here.slots.sum().retries, 2U);
  EXPECT_NE(here.claim(opening::start + 10 * ms), 0U);
}

// Killed while it claims, before it could step back: the slot says more than the limit.
TEST_F(ProcessSlotsHere, AClaimThatWasNotTakenBackGoesWithItsProcess) {
  auto holder = holder_of(place, 100);
  ASSERT_EQ(here.slots.sum().retries, 100U);
  EXPECT_EQ(here.claim(opening::start + 100 * ms), 0U);
  holder.kill();
  EXPECT_NE(here.claim(opening::start + 200 * ms), 0U);
}

TEST_F(ProcessSlots, ASlotOfTheDeadIsTakenEmpty) {
  auto holder = holder_of(place, 1, 1);
  ASSERT_EQ(holder.answer(), 1);
  holder.kill();
  opening here{place};
  EXPECT_EQ(here.slots.file().slot(), 1U);
  EXPECT_EQ(here.slots.sum().retries, 0U);
  EXPECT_EQ(here.slots.sum().calls, 0U);
}

TEST_F(ProcessSlotsHere, AForkedChildTakesASlotOfItsOwn) {
  auto const held = here.claim();
  ASSERT_NE(held, 0U);
  here.slots.begin_call();
  auto const own = here.slots.file().slot();
  EXPECT_EQ(in_a_child([&] {
              if (here.slots.file().slot() != 0) return 1;
              here.slots.give_back(held);  // its parent's
              here.slots.end_call();
              if (here.slots.sum().retries != 1 || here.slots.sum().calls != 1) return 2;
              auto const mine = here.claim();
              if (mine == 0 || mine == held) return 3;
              if (here.slots.file().slot() == own || here.slots.file().slot() == 0) return 4;
              here.slots.give_back(held);
              if (here.slots.sum().retries != 2) return 5;
              if (here.claim() != 0) return 6;
              here.slots.give_back(mine);
              return here.slots.sum().retries == 1 ? 0 : 7;
            }),
            0);
  EXPECT_EQ(here.slots.file().slot(), own);
  EXPECT_EQ(here.slots.sum().retries, 1U);
  EXPECT_EQ(here.slots.sum().calls, 1U);
}

// The child that ends, or closes what it inherited, must not free its parent's slot.
TEST_F(ProcessSlots, AParentsSlotSurvivesItsChildren) {
  auto here = std::make_unique<opening>(place);
  opening other{place};
  ASSERT_NE(here->claim(), 0U);
  ASSERT_NE(here->claim(), 0U);
  EXPECT_EQ(in_a_child([&] { return here.reset(), 0; }), 0);
  EXPECT_EQ(in_a_child([&] { return static_cast<int>(here->claim()); }), 0);
  EXPECT_EQ(in_a_child([] { return 0; }), 0);
  EXPECT_EQ(other.claim(opening::start + 1000 * ms), 0U);
  EXPECT_EQ(other.slots.sum().retries, 2U);
}

// The child has the file's description open for as long as it lives, unless it closes it at the fork.
TEST_F(ProcessSlotsHere, AChildDoesNotKeepItsDeadParentsSlotAlive) {
  int end[2];
  int lives[2];
  ASSERT_EQ(::pipe(end) + ::pipe(lives), 0);
  waiting_child parent{[&] {
    auto* const there = new opening{place};
    if (there->claim() == 0 || there->claim() == 0) return 0;
    char byte = 0;
    if (::fork() == 0) {
      ::alarm(support::watchdog);
      ::close(end[1]);
      static_cast<void>(::write(lives[1], &byte, 1) + ::read(end[0], &byte, 1));  // until the test has looked
      ::_exit(0);
    }
    ::close(end[1]);
    return ::read(lives[0], &byte, 1) == 1 ? 1 : 0;
  }};
  ASSERT_EQ(parent.answer(), 1);
  parent.kill();
  EXPECT_NE(here.claim(opening::start + 1000 * ms), 0U);
  for (int const each : {end[0], end[1], lives[0], lives[1]}) ::close(each);
}

// It opens the file again while it is forked, whatever became of its name; a child of another user can not.
TEST_F(ProcessSlots, AChildWorksOnWhateverBecameOfItsFile) {
  struct {
    char const* what;
    std::function<bool()> happens;
    bool its_children_too;
  } const rows[]{
      {"nothing", [] { return true; }, true},
      {"another user", [] { return ::geteuid() != 0 || ::setuid(12345) == 0; }, ::geteuid() != 0},
      {"another root", [] { return ::geteuid() != 0 || ::chroot("/proc") == 0; }, ::geteuid() != 0},
      {"removed", [&] { return ::unlink(place.path().c_str()) == 0; }, true},
      {"another file", [&] { return place.write(""), true; }, true},
  };
  opening here{place, 3};
  ASSERT_NE(here.claim(), 0U);
  for (auto const& row : rows) {
    EXPECT_EQ(in_a_child([&] {
                if (!row.happens()) return 1;
                bool const goes_on = in_a_child([&] { return here.claim() != 0 ? 1 : 0; }) == 1;
                if (goes_on != row.its_children_too) return 2;
                if (!here.slots.why_without([] { return opening::start; }).empty()) return 3;
                if (here.claim() == 0 || here.claim(opening::start + 10 * ms) == 0 || here.claim() != 0) return 4;
                return in_a_child([&] { return here.slots.file().slot() == 0 && here.claim() == 0 ? 0 : 5; });
              }),
              0)
        << row.what;
    EXPECT_TRUE(here.slots.take_back_from_the_dead(opening::start + 1000 * ms, 0));
    EXPECT_EQ(here.slots.sum().retries, 1U);
  }
}

TEST_F(ProcessSlots, AsManyProcessesAsSlotsAndNoMore) {
  std::vector<std::unique_ptr<opening>> all;
  for (std::uint32_t i = 0; i != process_slots::most; ++i) {
    all.push_back(std::make_unique<opening>(place, process_slots::most));
    ASSERT_NE(all.back()->claim(), 0U) << i;
  }
  auto const refusal = [&] {
    return support::rejection_of<anew::process::file_error>([&] { opening const one_more{place}; });
  };
  EXPECT_EQ(refusal(),
            "anew::process: " + place.path() + ": 256 processes have it open, and there is no slot for another");
  EXPECT_EQ(all.front()->slots.sum().retries, process_slots::most);
  EXPECT_EQ(in_a_child([&] {  // a child that finds no slot asks again a second later
              if (all.front()->claim() != 0) return 1;
              if (all.front()->slots.why_without([] { return opening::start; }) !=
                  "256 processes have it open, and there is no slot for another") {
                return 3;
              }
              all.front()->most = 1000;
              return all.front()->claim(opening::start + 999 * ms) != 0 ? 2 : 0;
            }),
            0);
  all[17].reset();
  EXPECT_EQ(refusal(), "accepted");
}

TEST_F(ProcessSlots, AChildThatFoundNoSlotAsksAgain) {
  std::vector<std::unique_ptr<opening>> all;
  for (std::uint32_t i = 0; i + 1 != process_slots::most; ++i) all.push_back(std::make_unique<opening>(place, 1000));
  auto last = std::make_unique<waiting_child>([&] {
    opening* const there = new opening{place};
    return there->claim() != 0 ? 1 : 0;
  });
  ASSERT_EQ(last->answer(), 1);
  // The child of the test cannot kill: it is told by a pipe that the last one is gone.
  int ask[2];
  int answer[2];
  ASSERT_EQ(::pipe(ask) + ::pipe(answer), 0);
  pid_t const child = ::fork();
  if (child == 0) {
    ::alarm(support::watchdog);
    auto& here = *all.front();
    here.most = 1000;
    char byte = here.claim(opening::start) == 0 ? 'r' : 'g';
    static_cast<void>(::write(answer[1], &byte, 1) + ::read(ask[0], &byte, 1));
    if (here.claim(opening::start + 999 * ms) != 0) ::_exit(1);
    ::_exit(here.claim(opening::start + 1000 * ms) != 0 ? 0 : 2);
  }
  char byte = 0;
  EXPECT_EQ(::read(answer[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'r');
  last->kill();
  EXPECT_EQ(::write(ask[1], &byte, 1), 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  for (int const end : {ask[0], ask[1], answer[0], answer[1]}) ::close(end);
}

/// How many descriptors of this process refer to a file.
int descriptors_of(std::string const& path) {
  int count = 0;
  for (int i = 0; i != 256; ++i) {
    char target[256];
    auto const length = ::readlink(("/proc/self/fd/" + std::to_string(i)).c_str(), target, sizeof(target));
    count += length > 0 && path == std::string(target, static_cast<std::size_t>(length)) ? 1 : 0;
  }
  return count;
}

/// Another file under the number of that opening's descriptor, as after a program has closed all descriptors.
void take_its_number(opening& from, std::string const& path) {
  int const other = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  EXPECT_EQ(::dup2(other, from.slots.file().descriptor()), from.slots.file().descriptor());
  ::close(other);
}

TEST_F(ProcessSlots, WhoLostItsDescriptorTakesANewSlot) {
  place_of_its_own const foreign;
  for (bool const is_reused : {false, true}) {
    opening here{place};
    auto const before = here.claim();
    ASSERT_NE(before, 0U);
    auto const number = here.slots.file().descriptor();
    is_reused ? take_its_number(here, foreign.path()) : static_cast<void>(::close(number));
    opening other{place};  // now has the slot
    EXPECT_EQ(other.slots.file().slot(), here.slots.file().slot());
    ASSERT_NE(other.claim(), 0U);
    auto const after = here.claim(opening::start + 10 * ms);
    EXPECT_NE(after, 0U);
    EXPECT_NE(other.slots.file().slot(), here.slots.file().slot());
    EXPECT_EQ(here.claim(opening::start + 20 * ms), 0U);
    EXPECT_EQ(other.claim(opening::start + 30 * ms), 0U);  // the new lock holds
    here.slots.give_back(before);                          // of a slot that is another's
    EXPECT_EQ(here.slots.sum().retries, 2U);
    here.slots.give_back(after);
    EXPECT_EQ(here.slots.sum().retries, 1U);
    if (is_reused) {
      EXPECT_EQ(descriptors_of(foreign.path()), 1);
      ::close(number);
    }
  }
}
TEST_F(ProcessSlots, WhoLostItsDescriptorEmptiesNoSlotOfAnother) {
  place_of_its_own const foreign;
  auto here = std::make_unique<opening>(place);
  auto const number = here->slots.file().descriptor();
  take_its_number(*here, foreign.path());
  opening other{place};  // now has the slot
  ASSERT_NE(other.claim(), 0U);
  opening another{place};
  ASSERT_NE(another.claim(), 0U);
  // All locks of the foreign file are free, and tell nothing.
  EXPECT_FALSE(here->slots.take_back_from_the_dead(opening::start + 1000 * ms, 0));
  EXPECT_EQ(other.slots.sum().retries, 2U);
  here.reset();
  EXPECT_EQ(other.slots.sum().retries, 2U);
  EXPECT_EQ(descriptors_of(foreign.path()), 1);
  ::close(number);
}
TEST_F(ProcessSlots, AChildClosesNoDescriptorOfAnotherFile) {
  place_of_its_own const foreign;
  opening here{place};
  auto const number = here.slots.file().descriptor();
  take_its_number(here, foreign.path());
  EXPECT_EQ(in_a_child([&] {
              if (descriptors_of(foreign.path()) != 1) return 1;
              return here.claim() != 0 && descriptors_of(foreign.path()) == 1 ? 0 : 2;
            }),
            0);
  ::close(number);
}
TEST_F(ProcessSlots, WhoseNumberAnotherOpeningHasLeavesItToThat) {
  auto here = std::make_unique<opening>(place);
  auto const number = here->slots.file().descriptor();
  ::close(number);
  opening other{place};
  ASSERT_EQ(other.slots.file().descriptor(), number);
  EXPECT_FALSE(here->slots.file().is_open());
  here.reset();
  EXPECT_TRUE(other.slots.file().is_open());
}

// A program that closed all its descriptors finds the file by its path, or says why not.
TEST_F(ProcessSlotsHere, AWorkerThatLostTheFileSaysWhy) {
  auto const why_after = [&](auto const& happens) {
    auto const work = [&] {
      ::close(here.slots.file().descriptor());
      if (!happens()) return std::string{"did not happen"};
      support::together(2, [&](unsigned /*index*/) {  // one may ask why while the other looks for the file again
        for (int second = 0; second != 100; ++second) {
          static_cast<void>(here.slots.why_without([&] { return opening::start + second * 1000 * ms; }));
        }
      });
      return here.slots.why_without([] { return opening::start; });
    };
    return support::text_of_a_child(work);
  };
  EXPECT_EQ(why_after([] { return true; }), "");
  if (::geteuid() == 0) {
    EXPECT_EQ(why_after([] { return ::setuid(12345) == 0; }), "open: Permission denied");
  }
  EXPECT_EQ(why_after([&] { return ::unlink(place.path().c_str()) == 0; }), "open: No such file or directory");
  place.write("");
  EXPECT_EQ(why_after([] { return true; }), "was removed, and another file has its name");
  EXPECT_EQ(here.slots.why_without([] { return opening::start; }), "");
}

/// Whether that description is another one than the one that has the first slot.
bool is_locked_for_all(int descriptor) {
  struct ::flock range{};
  range.l_type = F_WRLCK;
  range.l_start = 1;
  range.l_len = 1;
  return ::fcntl(descriptor, F_OFD_GETLK, &range) == 0 && range.l_type == F_WRLCK;
}

// Wherever the other threads are: no descriptor is missed, and no lock is left to wait for. ThreadSanitizer does not
// follow forks of processes with threads: under it, what a fork does before and after is called without one.
TEST_F(ProcessSlotsHere, ForksWhileOtherThreadsOpenAndClose) {
  std::atomic<bool> is_over{false};
  auto const work = [&] {
    while (!is_over) static_cast<void>(std::make_unique<opening>(place));
  };
  std::thread one{work};
  std::thread two{work};
  for (int i = 0; i != 40; ++i) {
    if (support::watches_threads) {
      anew::detail::before_fork();
      auto const open_ones = descriptors_of(place.path());
      for (int look = 0; look != 10; ++look) EXPECT_EQ(descriptors_of(place.path()), open_ones);
      anew::detail::after_fork();
      continue;
    }
    EXPECT_EQ(in_a_child([&] {
                if (here.slots.file().slot() != 0 || descriptors_of(place.path()) > 3) return 1;
                if (!is_locked_for_all(here.slots.file().descriptor())) return 2;
                opening mine{place};
                return mine.claim() != 0 ? 0 : 3;
              }),
              0);
  }
  is_over = true;
  one.join();
  two.join();
}

// Whatever stands in the slots, it only moves the budget.
TEST_F(ProcessSlots, ContentsAreNotTrusted) {
  auto here = std::make_unique<opening>(place, 5);
  auto* const words = static_cast<std::uint64_t*>(here->mapping.body());
  for (std::size_t i = 0; i != anew::detail::quota_file::body_size / 8; ++i) words[i] = ~std::uint64_t{0};
  EXPECT_EQ(here->claim(), 0U);  // the others are dead and have nothing now; its own says too much
  here->slots.begin_call();
  here->slots.end_call();
  EXPECT_EQ(here->slots.sum().retries, 0xFFFF'FFFFU);
  opening after{place, 5};
  EXPECT_EQ(after.claim(), 0U);
  here.reset();
  EXPECT_NE(after.claim(), 0U);
}

}  // namespace
}  // namespace process_slots_test
