// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <variant>

#include "client.hpp"
#include "hedging.hpp"
#include "policies.hpp"
#include "retrying.hpp"
#include "strategy_text.hpp"

namespace anew_load {

namespace {

using namespace std::chrono_literals;

/// Counts why calls end.
class counts_endings {
 public:
  using role = anew::roles::observer;
  explicit counts_endings(endings& into) : into_{&into} {}
  void on_end(anew::end_event const& event) const { into_->count(event.reason); }
  [[nodiscard]] static std::string describe() { return ""; }

 private:
  endings* into_;
};

anew_get::parts chosen_parts(settings const& s) {
  if (!s.strategy) return {};
  auto read = anew_get::read_strategy(*s.strategy);  // has been read before: there is nothing wrong with it
  return std::move(std::get<anew_get::strategy_choice>(read).policies);
}

anew_get::parts parts_of(settings const& s) {
  auto made = chosen_parts(s);
  if (s.deadline) made.deadline = anew_get::chosen_deadline{anew::deadline{*s.deadline}};
  return made;
}

reply_classifier classifier_of(anew_get::parts const& made) {
  return reply_classifier{
      [by = anew_get::fetch_classifier{made.statuses}](anew_get::fetch_error const& e) { return by.classify(e); }};
}

// [usual]
/// What is meant where nothing is asked for, composed by the compiler.
using usual = anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::token_bucket<500>,
                             reply_classifier, anew::max_attempts<3>, counts_endings>;
// [/usual]

auto make_strategy(settings const& /*asked*/, endings& into, std::type_identity<usual> /*which*/) {
  return usual{classifier_of({}), counts_endings{into}};
}

/// The same from parts that are chosen at run time.
struct chosen {};
auto make_strategy(settings const& s, endings& into, chosen /*which*/) {
  auto made = parts_of(s);
  auto classifier = classifier_of(made);
  return anew_get::compose_of(std::move(made), std::move(classifier), counts_endings{into});
}

anew_get::quota_state state_of(anew_get::chosen_quota const& quota) { return quota.state(); }
template <class Quota>
anew_get::quota_state state_of(Quota const& quota) {
  return {true, static_cast<std::uint32_t>(quota.balance()), static_cast<std::uint32_t>(quota.capacity())};
}

template <class Which>
class composed final : public calling {
 public:
  composed(settings const& s, endings& into)
      : settings_{s}, strategy_{make_strategy(s, into, Which{})}, hedging_{s.hedge} {}

  std::unique_ptr<client> client_over(connections& over) override {
    if (hedging_.is_on()) {
      return std::make_unique<hedging_client<strategy_type>>(over, strategy_, hedging_, settings_);
    }
    return std::make_unique<retrying_client<strategy_type>>(over, strategy_, settings_);
  }
  [[nodiscard]] std::string describe() const override {
    auto text = anew_get::describe(parts_of(settings_));
    if (hedging_.is_on()) text.append(" ").append(hedging_.describe());
    return text;
  }
  [[nodiscard]] bool hedges() const override { return hedging_.is_on(); }
  [[nodiscard]] anew_get::quota_state quota() const override { return state_of(strategy_.quota()); }

 private:
  using strategy_type = decltype(make_strategy(std::declval<settings const&>(), std::declval<endings&>(), Which{}));

  settings settings_;
  strategy_type strategy_;
  chosen_hedging hedging_;
};

}  // namespace

std::unique_ptr<calling> make_composed(settings const& s, endings& into) {
  if (!s.strategy && !s.deadline) return std::make_unique<composed<std::type_identity<usual>>>(s, into);
  return std::make_unique<composed<chosen>>(s, into);
}

}  // namespace anew_load
