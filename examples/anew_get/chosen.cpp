// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "behind_interface.hpp"
#include "chosen.hpp"
#include "named.hpp"

namespace anew_get {

// [read]
anew::strategy_reading<chosen_strategy> read_chosen(std::string_view text, hearer& who, retry_quota quota) {
  using namespace std::chrono_literals;
  return anew::read_strategy<vocabulary>(text, anew::words::exponential::policy_type{50ms, 20s, anew::rational{2}},
                                         std::move(quota), anew::http_statuses{},
                                         anew::server_hint{anew::long_hint::stop}, feed{who});
}
// [/read]

namespace {

made_strategy make_chosen(std::string const& text, hearer& who, std::optional<shared_quota> const& quota) {
  auto read = read_chosen(text, who, quota_for(quota));
  if (!read) throw strategy_error{in_lines(read.error(), text)};
  bool const names_a_quota = !read->quota().visit([]<class Q>(Q const&) { return std::is_same_v<Q, retry_quota>; });
  if (quota && names_a_quota) throw strategy_error{"the text names a quota, and so does --quota; omit one of them"};
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

made_strategy make_strategy(std::string const& name_or_text, hearer& who, std::optional<shared_quota> const& quota) {
  return is_strategy_name(name_or_text) ? make_named(name_or_text, who) : make_chosen(name_or_text, who, quota);
}

made_strategy make_strategy(std::string const& name_or_text, std::optional<shared_quota> const& quota) {
  nobody who;
  return make_strategy(name_or_text, who, quota);
}

}  // namespace anew_get
