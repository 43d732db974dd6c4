// SPDX-License-Identifier: BSL-1.0
// What happens in a call of async_retry: the stories of stories/table.hpp, on a source of timers that do not wait.
#include <optional>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "anew/asio.hpp"
#include "anew/base/refused_result.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/net.hpp"

#include "stories/play.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/any_io_executor.hpp>
#include <asio/append.hpp>
#include <asio/bind_cancellation_slot.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#else
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#endif

namespace asio_stories_test {

namespace net = anew::net;
using namespace support::stories;

/// What an attempt completes with: it can say that the call was refused.
struct reply : answer {
  std::optional<anew::stop_reason> refused{};
};

}  // namespace asio_stories_test

template <>
struct anew::refused_result<asio_stories_test::reply> {
  static asio_stories_test::reply make(anew::stop_reason why) { return {{0, asio_stories_test::fault{}}, why}; }
};

namespace asio_stories_test {

/// A source of timers that are over as soon as they are waited for. The call's slot is told of a stop.
struct story_timers {
  world* w;
  net::cancellation_signal* signal;
  net::any_io_executor executor;
  struct timer {
    world* w;
    net::cancellation_signal* signal;
    net::any_io_executor executor;
    void expires_after(duration delay) const { w->wait(delay); }
    void async_wait(auto handler) const {
      net::post(executor, net::append(std::move(handler), anew::net_error_code{}));
      if (w->stop.requested) signal->emit(net::cancellation_type::terminal);
    }
    static void cancel() {}
  };
  [[nodiscard]] net::any_io_executor get_executor() const { return executor; }
  [[nodiscard]] timer make_timer() const { return {w, signal, executor}; }
};

struct asynchronous {
  /// Its operations do not throw, it needs no timer for a delay of nothing, and it has a timer for the limit of an
  /// attempt: its own tests say what these do. A stop before the call reaches no slot.
  static bool plays(story const& s) {
    bool const throws =
        std::string_view{s.script}.find_first_of("!?") != std::string_view::npos || *s.with.breaks != '\0';
    return !throws && s.where != in::nested && s.where != in::timed && !begins_stopped(s) && !stops_before_first(s) &&
           !s.with.deaf && s.with.test_mode == 0 && s.with.is != how::valued;
  }
  template <class S>
  static void play(S const& strategy, world& w) {
    if constexpr (!is_nested<S>) {
      net::io_context context;
      net::cancellation_signal signal;
      std::optional<reply> last;
      auto const op = anew::initiates<void(reply)>([&](anew::attempt& self, auto handler) {
        net::post(context, net::append(std::move(handler), reply{w.attempt(self)}));
        if (w.stop.requested) signal.emit(net::cancellation_type::terminal);
      });
      declare(strategy, w, op, op, [&](auto const& declared) {
        anew::async_retry(story_timers{&w, &signal, context.get_executor()}, strategy, declared,
                          net::bind_cancellation_slot(signal.slot(), [&](reply r) { last = r; }));
        context.run();
      });
      w.ends([&]() -> answer {
        if (last->refused) throw anew::call_refused{*last->refused};
        return *last;
      });
    }
  }
};

TEST(AsioStories, OfAnAsynchronousCall) { EXPECT_GT(play_all<asynchronous>(), 75); }
TEST(AsioStories, OfAnAsynchronousCallThatNobodyWrote) { EXPECT_GT(play_random<asynchronous>(), 500); }

}  // namespace asio_stories_test
