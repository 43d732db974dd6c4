// SPDX-License-Identifier: BSL-1.0
// What a pacer does to a call: it makes attempts wait, the first one too, or refuses them; and gets each ticket back.
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/gate/circuit_breaker.hpp"
#include "anew/sharing/shared.hpp"
#include "anew/testing/advancing_sleeper.hpp"
#include "anew/testing/manual_clock.hpp"

#include "driver_support.hpp"

namespace retry_pacer_test {
namespace {

using namespace std::chrono_literals;
using anew::duration;
using anew::testing::advancing_sleeper;
using anew::testing::manual_clock;
using support::recorder;
using story = std::vector<std::string>;

/// Answers as it is told and lets through when it is told nothing. An attempt that waits holds a ticket of its own.
class scripted_pacer {
 public:
  using role = anew::roles::pacer;
  using ticket_type = int;
  struct books {
    std::vector<duration> waits;  ///< one for each question: 0 lets through, below 0 refuses
    std::size_t asked = 0;
    int last = 0;
    std::vector<anew::time_point> asked_at;
    story told;
  };
  explicit scripted_pacer(books& in) : books_{&in} {}

  [[nodiscard]] anew::pace ask(int& ticket, anew::time_point now) const {
    books_->asked_at.push_back(now);
    auto const index = books_->asked++;
    auto const wait = index < books_->waits.size() ? books_->waits[index] : duration::zero();
    if (wait < 0s) return {.refused = true};
    if (wait == 0s) {
      tell("granted", ticket);
      ticket = 0;
      return {};
    }
    if (ticket == 0) ticket = ++books_->last;
    return {.wait = wait};
  }
  void on_success(anew::time_point) const { books_->told.emplace_back("success"); }
  void on_failure(anew::failure const& what, anew::time_point) const {
    books_->told.emplace_back(to_string(what.kind));
  }
  void release(int ticket) const { tell("release", ticket); }

 private:
  void tell(char const* what, int ticket) const {
    books_->told.push_back(std::string{what} + " " + std::to_string(ticket));
  }
  books* books_;
};
static_assert(anew::Pacer<scripted_pacer>);

struct fixture {
  scripted_pacer::books pacer{};
  manual_clock clock{};
  recorder::heard heard{};
  template <class... More>
  auto strategy(More... more) {
    return anew::compose(scripted_pacer{pacer}, manual_clock{clock}, anew::retry_all{}, anew::no_jitter{},
                         anew::constant_backoff<1s>{}, recorder{heard}, std::move(more)...);
  }
};

TEST(Pacer, ATokenThatIsThrownAwayGivesItsTicketBack) {
  fixture f;
  f.pacer.waits = {3s};
  auto const strategy = f.strategy();
  {
    auto token = strategy.acquire_initial_token();
    EXPECT_EQ(strategy.admit(token, strategy.now()).wait, 3s);
    auto const moved = std::move(token);
    EXPECT_TRUE(f.pacer.told.empty());
  }
  EXPECT_EQ(f.pacer.told, story{"release 1"});
}

TEST(Pacer, IsSharedByStrategies) {
  scripted_pacer::books books;
  anew::shared const one{scripted_pacer{books}};
  auto const first = anew::compose(one, anew::retry_all{}, anew::no_backoff{});
  auto const second = anew::compose(one, anew::retry_all{}, anew::no_backoff{}, anew::max_attempts<2>{});
  EXPECT_TRUE(anew::retry(first, [] { return true; }));
  EXPECT_FALSE(anew::retry(second, [] { return false; }));
  EXPECT_EQ(books.told, (story{"granted 0", "success", "granted 0", "transient", "granted 0", "transient"}));
}

}  // namespace
}  // namespace retry_pacer_test
