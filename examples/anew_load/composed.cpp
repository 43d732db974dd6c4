// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "chosen.hpp"
#include "client.hpp"
#include "hedging.hpp"
#include "retrying.hpp"

namespace anew_load {

namespace {

using namespace std::chrono_literals;

// [usual]
/// The strategy if no other is asked for, composed by the compiler.
using usual = anew::strategy<anew::exponential_backoff<50ms, 20s>, anew::full_jitter, anew::token_bucket<500>,
                             anew::http_statuses, anew::max_attempts<3>, anew_get::feed>;
// [/usual]

class usual_calling final : public calling {
 public:
  usual_calling(settings const& s, endings& into)
      : settings_{s}, strategy_{anew::http_statuses{}, anew_get::feed{into}} {}

  std::unique_ptr<client> client_over(connections& over) override {
    return std::make_unique<retrying_client<usual>>(over, strategy_, settings_);
  }
  [[nodiscard]] std::string describe() const override { return anew::describe(strategy_); }
  [[nodiscard]] anew_get::quota_state quota() const override { return anew_get::state_of(strategy_.quota()); }

 private:
  settings settings_;
  usual strategy_;
};

class hedged_calling final : public calling {
  using chosen = anew_get::strategy_of<anew_get::hedged_vocabulary>;

 public:
  hedged_calling(settings const& s, endings& into)
      : settings_{s},
        strategy_{anew_get::read_chosen<anew_get::hedged_vocabulary>(s.strategy.value_or("full_jitter"), into)
                      .value()},  // has been read before
        hedging_{s.hedge} {}

  std::unique_ptr<client> client_over(connections& over) override {
    return std::make_unique<hedging_client<chosen>>(over, strategy_, hedging_, settings_);
  }
  [[nodiscard]] std::string describe() const override { return anew::describe(strategy_) + " " + hedging_.describe(); }
  [[nodiscard]] bool hedges() const override { return true; }
  [[nodiscard]] anew_get::quota_state quota() const override { return anew_get::state_of(strategy_.quota()); }

 private:
  settings settings_;
  chosen strategy_;
  chosen_hedging hedging_;
};

}  // namespace

std::unique_ptr<calling> make_usual(settings const& s, endings& into) {
  return std::make_unique<usual_calling>(s, into);
}
std::unique_ptr<calling> make_hedged(settings const& s, endings& into) {
  return std::make_unique<hedged_calling>(s, into);
}

}  // namespace anew_load
