// SPDX-License-Identifier: BSL-1.0
// What happens in a call of retry_sender(): the stories of stories/table.hpp.
#include <exception>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "stories/play.hpp"
#include "support/minimal_sender.hpp"
#define ANEW_SENDERS minimal
#include "anew/sender.hpp"

namespace ex = minimal;

namespace sender_stories_test {

using namespace support::stories;

struct place {
  world* w;
  ex::inplace_stop_source stop{};
  void tell_stop() {
    if (w->stop.requested) stop.request_stop();
  }
};

/// A timer is over as soon as it is begun.
struct story_scheduler {
  place* in;
};
struct timer_sender {
  using sender_concept = ex::sender_tag;
  place* in;
  duration delay;
  template <class Receiver>
  struct operation {
    place* in;
    duration delay;
    Receiver to;
    void start() noexcept {
      auto receiver = std::move(to);
      if (ex::get_stop_token(ex::get_env(receiver)).stop_requested()) return ex::set_stopped(std::move(receiver));
      in->w->wait(delay);
      in->tell_stop();
      ex::set_value(std::move(receiver));
    }
  };
  auto connect(auto receiver) const { return operation<decltype(receiver)>{in, delay, std::move(receiver)}; }
};
inline auto schedule_after(story_scheduler on, duration delay) { return timer_sender{on.in, delay}; }

/// Completes at once, with a value that is kept.
template <class R>
struct sender_of {
  using sender_concept = ex::sender_tag;
  using completion_signatures = ex::completion_signatures<ex::set_value_t(R)>;
  R kept;
  template <class Receiver>
  struct operation {
    R kept;
    Receiver to;
    void start() noexcept {
      auto receiver = std::move(to);  // what completes destroys this object
      ex::set_value(std::move(receiver), R{kept});
    }
  };
  auto connect(auto receiver) const { return operation<decltype(receiver)>{kept, std::move(receiver)}; }
};

template <class Act>
struct sends {
  place* in;
  auto operator()(anew::attempt& self) const {
    struct tells_stop {
      place* in;
      ~tells_stop() { in->tell_stop(); }
    } const at_the_end{in};
    return sender_of{Act{in->w}(self)};
  }
};

struct receiver {
  using receiver_concept = ex::receiver_tag;
  struct environment {
    ex::inplace_stop_token token;
    [[nodiscard]] auto query(ex::get_stop_token_t /*query*/) const noexcept { return token; }
  };
  place* in;
  std::optional<answer>* result;
  std::exception_ptr* thrown;
  [[nodiscard]] environment get_env() const noexcept { return {in->stop.get_token()}; }
  void set_value(answer const& a) && noexcept { *result = a; }
  void set_error(std::error_code code) && noexcept { ADD_FAILURE() << code; }
  void set_error(std::exception_ptr const& e) && noexcept { *thrown = e; }
  void set_stopped() && noexcept {
    *thrown = std::make_exception_ptr(anew::call_refused{anew::stop_reason::cancelled});
  }
};

struct adaptor {
  /// A sender that is stopped before it is started is not started, and a scheduler does not throw.
  static bool plays(story const& s) {
    return s.where != in::nested && !sleeper_throws(s) && !stops_before_first(s) && !begins_stopped(s) && !s.with.deaf;
  }
  template <class S>
  static void play(S const& strategy, world& w) {
    if constexpr (!is_nested<S>) {
      place at{&w};
      declare(strategy, w, sends<act>{&at}, sends<act_by_value>{&at}, [&](auto const& op) {
        std::optional<answer> result;
        std::exception_ptr thrown;
        w.ends([&] {
          auto call =
              ex::connect(anew::retry_sender{strategy, story_scheduler{&at}, op}, receiver{&at, &result, &thrown});
          ex::start(call);
          if (thrown) std::rethrow_exception(thrown);
          return result.value();
        });
      });
    }
  }
};

TEST(SenderStories, OfRetrySender) { EXPECT_GT(play_all<adaptor>(), 140); }
TEST(SenderStories, ThatNobodyWrote) { EXPECT_GT(play_random<adaptor>(), 2'000); }

}  // namespace sender_stories_test
