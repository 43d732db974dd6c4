// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STORIES_RANDOM_STORY_HPP
#define ANEW_TESTS_SUPPORT_STORIES_RANDOM_STORY_HPP

#include <random>
#include <string>

#include "pinned.hpp"
#include "story.hpp"

namespace support::stories {

/// A story that nobody wrote: all that a story can say, drawn by a seed.
struct random_story : public support::pinned {
  explicit random_story(std::uint64_t seed) : engine_{seed} {
    auto const where = static_cast<in>(below(7));
    script_ = word();
    for (auto n = below(6); n != 0; --n) script_.append(" ").append(word());
    if (!one_in(4)) script_ += " ok";
    quota_ = where == in::rest ? list(1200) : where != in::nested || one_in(2) ? list(1) : "";
    settle_ = list(300);
    gate_ = list(200);
    pacer_ = list(150);
    foreseen_ = one_in(4) ? "0 1" : "";
    story_.where = where;
    story_.script = script_.c_str();
    auto& with = story_.with;
    with.attempts = 1 + below(5);
    if (one_in(3)) with.deadline = 50 + static_cast<int>(below(2000));
    if (one_in(3)) with.limit = 50 + static_cast<int>(below(500));
    with.quota = quota_.c_str();
    with.settle = settle_.c_str();
    with.gate = gate_.c_str();
    with.pacer = pacer_.c_str();
    with.foreseen = foreseen_.c_str();
    with.is = static_cast<how>(one_in(2) ? below(5) : 0);
    with.stopped = one_in(20);
    with.test_mode = one_in(10) ? 1 + static_cast<unsigned>(below(3)) : 0;
    with.start = one_in(4) ? -100'000 : 1'000;
    with.calls = one_in(8) ? 2 : 1;
    with.first = one_in(2) ? static_cast<int>(below(300)) : 0;
  }
  operator story const&() const noexcept { return story_; }  // NOLINT(*-explicit-*)

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(engine_() % n); }
  bool one_in(unsigned n) { return below(n) == 0; }
  std::string word() {
    static constexpr char const* whats[]{"again", "again", "net", "net", "net", "late", "no", "good", "ok"};
    std::string s = whats[below(9)];
    if (s != "ok" && one_in(3)) s += one_in(6) ? "?" : "!";
    if (one_in(4)) s += "^" + std::to_string(below(one_in(4) ? 70'000 : 900));
    if (one_in(4)) s += "+" + std::to_string(below(one_in(4) ? 8'000 : 300));
    if (one_in(6)) s += "~" + std::to_string(below(150));
    if (one_in(20)) s += "#";
    if (one_in(20)) s += "%";
    if (one_in(8)) s += "-";
    return s;
  }
  std::string list(unsigned most) {
    std::string s;
    for (auto n = below(5); n != 0; --n) s += one_in(6) ? "-1 " : one_in(2) ? "0 " : std::to_string(below(most)) + " ";
    return s;
  }
  std::mt19937_64 engine_;
  std::string script_, quota_, settle_, gate_, pacer_, foreseen_;
  story story_{"random", in::plain, {}, "", ""};
};

}  // namespace support::stories

#endif
