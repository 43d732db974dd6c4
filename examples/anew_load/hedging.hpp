// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_HEDGING_HPP
#define ANEW_LOAD_HEDGING_HPP

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "anew/asio.hpp"
#include "anew/bridges/curl/transfer.hpp"
#include "anew/hedge.hpp"

#include "client.hpp"
#include "connection.hpp"

namespace anew_load {

/// The hedging that the options ask for, where they do. All calls learn together.
class chosen_hedging {
 public:
  static constexpr std::int64_t most_extra = 1;
  using fixed = decltype(anew::hedge_after{anew::duration{1}});
  using learned = decltype(anew::hedge_at_quantile{anew::quantile_parameters{}});

  explicit chosen_hedging(hedge_choice const& choice) {
    if (auto const* const delay = std::get_if<after_delay>(&choice)) fixed_.emplace(delay->delay);
    if (auto const* const quantile = std::get_if<at_quantile>(&choice)) {
      using namespace std::chrono_literals;
      learned_.emplace(anew::quantile_parameters{quantile->percent, 100, 1ms, 50us, 10s, 200});
    }
  }

  [[nodiscard]] bool is_on() const noexcept { return fixed_ || learned_; }
  [[nodiscard]] anew::duration delay() const noexcept { return fixed_ ? fixed_->delay() : learned_->delay(); }
  [[nodiscard]] std::uint32_t max_extra() const noexcept { return 1; }
  [[nodiscard]] anew::when_pushed_back pushback() const noexcept { return anew::when_pushed_back::wait; }
  void on_answer(anew::duration took) const noexcept {
    if (learned_) learned_->on_answer(took);
  }
  void on_late() const noexcept {
    if (learned_) learned_->on_late();
  }
  [[nodiscard]] std::string describe() const {
    return fixed_ ? fixed_->describe() : learned_ ? learned_->describe() : std::string{};
  }

 private:
  std::optional<fixed> fixed_;
  std::optional<learned> learned_;
};

/// The same for one thread, which counts how often a second request was due.
class counted_hedging {
 public:
  static constexpr std::int64_t most_extra = chosen_hedging::most_extra;

  counted_hedging(chosen_hedging const& by, std::uint64_t& due) : by_{&by}, due_{&due} {}
  [[nodiscard]] anew::duration delay() const noexcept { return by_->delay(); }
  [[nodiscard]] std::uint32_t max_extra() const noexcept { return by_->max_extra(); }
  [[nodiscard]] anew::when_pushed_back pushback() const noexcept { return by_->pushback(); }
  void on_answer(anew::duration took) const noexcept { by_->on_answer(took); }
  void on_late() const noexcept {
    ++*due_;
    by_->on_late();
  }

 private:
  chosen_hedging const* by_;
  std::uint64_t* due_;
};
static_assert(anew::Hedging<counted_hedging>);

// [hedged]
/// The request of a hedged call, which may be under way twice.
class hedged_fetch {
 public:
  hedged_fetch(connections& over, errand what, anew::duration limit, std::uint64_t& made)
      : over_{&over}, what_{what}, limit_{limit}, made_{&made} {}

  template <class Token>
  auto operator()(anew::attempt& attempt, Token&& token) {
    bool const is_second = under_way_ != 0;
    if (is_second) ++*made_;
    return async_fetch(*over_, what_, attempt.connection(), attempt.limit(limit_), std::forward<Token>(token),
                       beside{&under_way_, is_second});
  }

 private:
  connections* over_;
  errand what_;
  anew::duration limit_;
  std::uint64_t* made_;
  std::uint32_t under_way_ = 0;  // stays where it is: the call has moved this object to where it remains
};

template <class Strategy>
class hedging_client final : public client {
 public:
  hedging_client(connections& over, Strategy const& strategy, chosen_hedging const& hedging, settings const& s)
      : over_{over},
        strategy_{strategy},
        hedging_{hedging, due_},
        limit_{s.attempt_timeout.value_or(anew::duration::max())} {}

  void call(caller& who) override {
    anew::async_hedge(strategy_, hedging_, anew::idempotent(hedged_fetch{over_, who.what(), limit_, made_}),
                      hedged_reply{who, over_.io().get_executor(), won_});
  }
  // [/hedged]
  [[nodiscard]] hedge_counts hedges() const override { return {made_, due_ > made_ ? due_ - made_ : 0, won_}; }

 private:
  class hedged_reply : public on_reply {
   public:
    hedged_reply(caller& to, executor_type on, std::uint64_t& won) noexcept : on_reply{to, on}, won_{&won} {}
    void operator()(reply const& last) const {
      if (last.is_second && last.is_good()) ++*won_;
      on_reply::operator()(last);
    }

   private:
    std::uint64_t* won_;
  };

  connections& over_;
  Strategy const& strategy_;
  std::uint64_t made_ = 0;
  std::uint64_t due_ = 0;
  std::uint64_t won_ = 0;
  counted_hedging hedging_;
  anew::duration limit_;
};

}  // namespace anew_load

#endif
