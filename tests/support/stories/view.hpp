// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_STORIES_VIEW_HPP
#define ANEW_TESTS_SUPPORT_STORIES_VIEW_HPP

#include <string_view>

#include "anew/run_time/virtual/strategy_view.hpp"
#include "anew/run_time/virtual/virtual_strategy.hpp"

#include "play.hpp"

namespace support::stories {

/// The blocking loop over the virtual interface.
struct view {
  /// An error that counts as a success in a stopped attempt: a view says success, the others say cancelled.
  static bool plays(story const& s) {
    std::string_view const script{s.script};
    bool const stops = s.with.stopped || script.find_first_of("#%") != script.npos;
    return !s.with.deaf && !(stops && script.find("good") != script.npos);
  }
  template <class S>
  static void play(S const& strategy, world& w) {
    anew::virtual_strategy<S, value> const behind{strategy};
    play_view(anew::strategy_view{behind}, w);
  }

 private:
  static void play_view(anew::strategy_view const& strategy, world& w) {
    auto const play = [&](auto const& op) {
      w.ends(
          [&]() -> support::stories::answer { return anew::retry(strategy, op, story_sleep{&w}, flag_stop{w.stop}); });
    };
    act const op{&w};
    if (w.of.where == in::plain && w.of.with.is == how::valued) return play(anew::idempotent(act_by_value{&w}));
    if (w.of.where != in::told) return play(anew::idempotent(op));
    if (w.of.with.is == how::undeclared) return play(op);
    if (w.of.with.is == how::once) return play(anew::one_shot(op));
    if (w.of.with.is == how::rewound) return play(anew::rewinding(anew::idempotent(op), put_back{&w}));
    play(anew::idempotent(op));
  }
};

template <>
inline constexpr bool keeps_history<view> = false;

}  // namespace support::stories

#endif
