// SPDX-License-Identifier: BSL-1.0
#include "anew/virtual/strategy_view.hpp"

#include "client.hpp"
#include "named.hpp"
#include "retrying.hpp"

namespace anew_load {

namespace {

/// Counts why calls end.
class ending_hearer final : public anew_get::hearer {
 public:
  explicit ending_hearer(endings& into) : into_{&into} {}
  void judged(anew::attempt_event const& /*event*/) override {}
  void waits(anew::retry_event const& /*event*/) override {}
  void ends(anew::end_event const& event) override { into_->count(event.reason); }

 private:
  endings* into_;
};

class named final : public calling {
  using view = anew::basic_strategy_view<reply_classifier>;

 public:
  named(settings const& s, endings& into)
      : settings_{s},
        hearer_{into},
        made_{anew_get::make_named(*s.strategy, hearer_)},
        view_{*made_.strategy, reply_classifier{[&by = *made_.strategy](anew_get::fetch_error const& e) {
                return by.classify(anew::error_ref{e}).value_or(anew::directive::fail());
              }}} {}

  std::unique_ptr<client> client_over(connections& over) override {
    return std::make_unique<retrying_client<view>>(over, view_, settings_);
  }
  [[nodiscard]] std::string describe() const override { return made_.strategy->describe(); }
  [[nodiscard]] anew_get::quota_state quota() const override { return made_.quota(); }

 private:
  settings settings_;
  ending_hearer hearer_;
  anew_get::made_strategy made_;
  view view_;
};

}  // namespace

std::unique_ptr<calling> make_named(settings const& s, endings& into) { return std::make_unique<named>(s, into); }

}  // namespace anew_load
