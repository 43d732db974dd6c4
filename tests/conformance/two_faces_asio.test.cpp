// SPDX-License-Identifier: BSL-1.0
// The same of calls on Asio's event loop: a strategy as its own type and behind the virtual interface.
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "anew/policies/limits/attempt_timeout.hpp"

#include "async_script.hpp"
#include "manual_timers.hpp"
#include "two_faces.hpp"

namespace {

using namespace two_faces;
namespace net = anew::net;

/// A call in its own time. An operation takes a while, and where an attempt has a limit, it never ends at times: only its
/// slot ends it.
template <class FarSide>
struct asynchronous_attempt {
  using result = typename FarSide::result;
  world* w;
  support::manual_time* time;
  void operator()(anew::attempt& self, auto handler) {
    w->tell(self.number());
    w->tell(self.limit());
    std::exception_ptr thrown;
    result came{};
    bool const never = self.composed_limit() != anew::duration::max() && w->any(5) == 0;
    anew::duration const takes = never ? anew::duration{1'000h} : std::chrono::milliseconds{w->any(60)};
    try {
      throw_at_times(*w);
      came = FarSide::draw(*w);
    } catch (...) {
      thrown = std::current_exception();
    }
    auto const timer = std::make_shared<support::manual_time::timer>(time->timers().make_timer());
    timer->expires_after(takes);
    if (auto slot = net::get_associated_cancellation_slot(handler); slot.is_connected())
      slot.assign([timer](net::cancellation_type_t /*type*/) { timer->cancel(); });
    timer->async_wait([timer, thrown, came, handler = std::move(handler)](anew::net_error_code code) mutable {
      net::get_associated_cancellation_slot(handler).clear();
      if (code) thrown = std::make_exception_ptr(anew::net_system_error{code});
      std::move(handler)(thrown, came);
    });
  }
};

struct by_async_retry {
  template <class FarSide, class S>
  void operator()(S const& strategy, world& w) const {
    using result = typename FarSide::result;
    net::io_context context;
    support::manual_time time{context.get_executor()};
    bool is_over = false;
    auto operation = anew::initiates<void(std::exception_ptr, result)>(asynchronous_attempt<FarSide>{&w, &time});
    anew::async_retry(time.timers(), strategy, operation, [&](std::exception_ptr const& thrown, result const& came) {
      tell_exception(w, thrown);
      if (thrown == nullptr) w.tell(FarSide::number(came));
      is_over = true;
    });
    for (context.poll(); !is_over && time.pending() != 0; context.poll()) {
      auto const step = time.until_next();
      w.tell(step);
      w.clock.advance(step);
      time.advance(step);
      context.restart();
    }
    w.tell(is_over ? 1 : 0);
  }
};

template <class Composition>
class TwoFacesOnAsio : public ::testing::Test {};
/// Those in which time, permits, limits or events differ; the others are asked of the drivers that block.
using compositions =
    ::testing::Types<usual, breaker, reserving, concurrent, limited, pushed_back, observed, web, aws_2026, workflow>;
TYPED_TEST_SUITE(TwoFacesOnAsio, compositions);

TYPED_TEST(TwoFacesOnAsio, AsyncRetry) { EXPECT_EQ((first_difference<TypeParam>(by_async_retry{})), ""); }

TEST(TwoFacesOnAsioWritten, AsyncRetry) {
  for (auto const* const text : written_compositions) {
    SCOPED_TRACE(text);
    written::text = text;
    EXPECT_EQ(first_difference<written>(by_async_retry{}), "");
  }
}

}  // namespace
