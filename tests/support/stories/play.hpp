// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STORIES_PLAY_HPP
#define ANEW_TESTS_SUPPORT_STORIES_PLAY_HPP

#include <cstdint>
#include <string>

#include "anew/drivers/retry.hpp"

#include "parts.hpp"
#include "random_story.hpp"
#include "table.hpp"

/// To add a driver, write an adapter: `play(strategy, world)` makes the story's call in `world::ends`, and
/// `plays(story)` says whether the driver has words for all that happens in it. An adapter also checks what the driver
/// must not do: in the books an exception that a driver keeps looks like one that leaves it.
namespace support::stories {

struct story_sleep {
  world* w;
  void operator()(duration delay) const { w->wait(delay); }
};

/// The driver with which the others are compared in stories that nobody wrote.
struct blocking {
  static bool plays(story const& /*s*/) { return true; }
  static void play(auto const& strategy, world& w) {
    declare(strategy, w, [&](auto const& op) {
      w.ends([&]() -> answer { return anew::retry(strategy, op, story_sleep{&w}, flag_stop{w.stop}); });
    });
  }
};

/// False for a driver whose users may report a verdict alone.
template <class Driver>
inline constexpr bool tells_errors = true;

/// False for the view: what is behind it has no history.
template <class Driver>
inline constexpr bool keeps_history = true;

template <class Driver>
std::string books_of(story const& s) {
  world w{s};
  compose<keeps_history<Driver>>(w, [&](auto const& strategy) {
    for (unsigned n = 0; n < s.with.calls; ++n) {
      w.begin_call();
      Driver::play(strategy, w);
    }
  });
  EXPECT_TRUE(w.laws.hold()) << s.name;
  if (tells_errors<Driver> && *s.with.breaks == '\0') {
    EXPECT_EQ(w.laws.errors(), w.laws.failures()) << s.name;
  }
  return w.books();
}

/// Plays the whole table, and returns how many of its stories the driver can play.
template <class Driver>
int play_all() {
  int played = 0;
  for (story const& s : all) {
    if (!Driver::plays(s)) continue;
    ++played;
    EXPECT_EQ(books_of<Driver>(s), s.books) << s.name;
  }
  return played;
}

/// Compares the driver with the blocking loop in stories that nobody wrote, and returns how many it can play.
template <class Driver>
int play_random() {
  int played = 0;
  for (std::uint64_t seed = 1; seed <= 3'000; ++seed) {
    random_story const s{seed};
    if (!Driver::plays(s)) continue;
    ++played;
    auto const books = books_of<Driver>(s);
    EXPECT_EQ(books, books_of<blocking>(s)) << "seed " << seed;
    if (testing::Test::HasFailure()) break;
  }
  return played;
}

}  // namespace support::stories

#endif
