// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <string>
#include <utility>

#include "behind_interface.hpp"
#include "chosen.hpp"
#include "named.hpp"

namespace anew_get {

// [read]
anew::strategy_reading<chosen_strategy> read_chosen(std::string_view text, hearer& who) {
  using namespace std::chrono_literals;
  return anew::read_strategy<vocabulary>(text, anew::words::exponential::policy_type{50ms, 20s, anew::rational{2}},
                                         anew::token_bucket{500}, anew::http_statuses{},
                                         anew::server_hint{anew::long_hint::stop}, feed{who});
}
// [/read]

namespace {

made_strategy make_chosen(std::string const& text, hearer& who) {
  auto read = read_chosen(text, who);
  if (!read) throw strategy_error{in_lines(read.error(), text)};
  auto const& deadline = read->deadline();
  auto const total = deadline.total();
  auto const longest_hint = read->hint().visit([]<class Hint>(Hint const& hint) {
    if constexpr (requires { hint.longest(); }) return hint.longest();
    return anew::duration::max();  // none ends the call
  });
  bool const makes_a_last_try = deadline.fit(anew::duration::max(), total) == total;
  auto made = behind_interface(*std::move(read), false);
  if (total != anew::duration::max()) {
    made.deadline = total;
    made.makes_a_last_try = makes_a_last_try;
  }
  made.longest_hint = longest_hint;
  return made;
}

/// Hears nothing.
class nobody final : public hearer {
  void judged(anew::attempt_event const& /*event*/) override {}
  void waits(anew::retry_event const& /*event*/) override {}
  void ends(anew::end_event const& /*event*/) override {}
};

}  // namespace

made_strategy make_strategy(std::string const& name_or_text, hearer& who) {
  return is_strategy_name(name_or_text) ? make_named(name_or_text, who) : make_chosen(name_or_text, who);
}

made_strategy make_strategy(std::string const& name_or_text) {
  nobody who;
  return make_strategy(name_or_text, who);
}

}  // namespace anew_get
