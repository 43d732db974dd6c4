// SPDX-License-Identifier: BSL-1.0
// The same of calls on Asio's event loop: a strategy as its own type and behind the virtual interface.
#include <cstdint>
#include <exception>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "async_script.hpp"
#include "two_faces.hpp"

namespace {

using namespace two_faces;
namespace net = anew::net;

/// Waits are over at once, and take the time of the face.
class told_timers {
 public:
  class timer {
   public:
    timer(net::any_io_executor executor, world& w) : executor_{std::move(executor)}, world_{&w} {}
    void expires_after(anew::duration wait) {
      world_->tell(wait);
      world_->clock.advance(wait);
    }
    template <class Handler>
    void async_wait(Handler handler) {
      net::post(executor_, net::append(std::move(handler), anew::net_error_code{}));
    }
    static void cancel() {}

   private:
    net::any_io_executor executor_;
    world* world_;
  };

  told_timers(net::any_io_executor executor, world& w) : executor_{std::move(executor)}, world_{&w} {}
  [[nodiscard]] net::any_io_executor get_executor() const { return executor_; }
  [[nodiscard]] timer make_timer() const { return {executor_, *world_}; }

 private:
  net::any_io_executor executor_;
  world* world_;
};

/// Completes with an exception or a result, as a coroutine of Asio's does.
struct by_async_retry {
  template <class FarSide, class S>
  void operator()(S const& strategy, world& w) const {
    using result = typename FarSide::result;
    net::io_context context;
    auto const once = attempt_at<FarSide>(w);
    auto operation = [&context, once](anew::attempt& self, auto&& token) {
      std::exception_ptr thrown;
      result came{};
      try {
        came = once(self);
      } catch (...) {
        thrown = std::current_exception();
      }
      return net::post(context, net::append(std::forward<decltype(token)>(token), thrown, came));
    };
    anew::async_retry(told_timers{context.get_executor(), w}, strategy, std::move(operation),
                      [&w](std::exception_ptr const& thrown, result const& came) {
                        tell_exception(w, thrown);
                        if (thrown == nullptr) w.tell(FarSide::number(came));
                      });
    context.run();
  }
};

template <class Composition>
class TwoFacesOnAsio : public ::testing::Test {};
using compositions = ::testing::Types<usual, breaker, cooling, bounded, reserving, budgeted, concurrent, limited,
                                      starting_over, pushed_back, observed, at_once, sockets, web, predicate, named,
                                      aws_2026, aws_2020, workflow, nested_usual>;
TYPED_TEST_SUITE(TwoFacesOnAsio, compositions);

TYPED_TEST(TwoFacesOnAsio, AsyncRetry) { EXPECT_EQ((first_difference<TypeParam>(by_async_retry{})), ""); }

}  // namespace
