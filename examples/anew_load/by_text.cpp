// SPDX-License-Identifier: BSL-1.0
#include "anew/run_time/virtual/strategy_view.hpp"

#include "client.hpp"
#include "made_strategy.hpp"
#include "retrying.hpp"

namespace anew_load {

namespace {

/// Reads replies by the classifier of a strategy of anew-get.
class reply_classifier {
 public:
  using role = anew::roles::classifier;
  explicit reply_classifier(anew::retry_strategy const& by) : by_{&by} {}
  [[nodiscard]] anew::directive classify(reply const& r) const {
    auto const error = as_fetch_error(r);
    return by_->classify(anew::error_ref{error}).value_or(anew::directive::fail());
  }

 private:
  anew::retry_strategy const* by_;
};

class by_text final : public calling {
  using view = anew::basic_strategy_view<reply_classifier>;

 public:
  by_text(settings const& s, endings& into)
      : settings_{s},
        made_{anew_get::make_strategy(*s.strategy, into)},
        view_{*made_.strategy, reply_classifier{*made_.strategy}} {}

  std::unique_ptr<client> client_over(connections& over) override {
    return std::make_unique<retrying_client<view>>(over, view_, settings_, made_.attempt_limit);
  }
  [[nodiscard]] std::string describe() const override { return made_.strategy->describe(); }
  [[nodiscard]] anew_get::quota_state quota() const override { return made_.quota(); }

 private:
  settings settings_;
  anew_get::made_strategy made_;
  view view_;
};

}  // namespace

std::unique_ptr<calling> make_by_text(settings const& s, endings& into) { return std::make_unique<by_text>(s, into); }

}  // namespace anew_load
