// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_TIMER_HANDLER_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_TIMER_HANDLER_HPP

#include <memory>
#include <new>
#include <tuple>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/net.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A timer that is made where it is first needed. `std::optional` would move it there, and Asio's move takes the lock of
/// its reactor.
template <class Timer>
class lazy_timer {
 public:
  lazy_timer() noexcept {}  // NOLINT(modernize-use-equals-default): nothing is in the union
  lazy_timer(lazy_timer const&) = delete;
  lazy_timer& operator=(lazy_timer const&) = delete;
  ANEW_INLINE ~lazy_timer() {
    if (is_made_) [[unlikely]]
      end();
  }

  /// `home.make_timer(handler)` at the first call.
  template <class Home, class Handler>
  Timer& get(Home const& home, Handler const& handler) {
    if (!is_made_) {
      ::new (static_cast<void*>(&timer_)) Timer(home.make_timer(handler));
      is_made_ = true;
    }
    return timer_;
  }
  void cancel() {
    if (is_made_) timer_.cancel();
  }
  /// Cancels a wait whose handler the call has let go.
  ANEW_INLINE void forget() {
    if constexpr (requires { timer_.forget(); }) {
      timer_.forget();
    } else {
      timer_.cancel();
    }
  }

 private:
  ANEW_COLD void end() noexcept { timer_.~Timer(); }

  union {
    Timer timer_;
  };
  bool is_made_ = false;
};

/// The handler of a timer that the end of an attempt cancels. A cancelled timer takes a turn of the loop to come back, for
/// which a result should not wait: the call lets go of the handler, which then comes back alone.
/// One wait of a timer. Only handlers of the call's executor look into it.
template <class Call>
struct timer_wait {
  Call* call;               ///< a reference to it; null once the call has let go
  timer_wait<Call>** kept;  ///< where the call keeps its pointer to this
};
/// The call's side of a wait, where it waits.
template <class Call>
class timer_wait_of {
 public:
  timer_wait_of() = default;
  timer_wait_of(timer_wait_of const&) = delete;
  timer_wait_of& operator=(timer_wait_of const&) = delete;
  ~timer_wait_of() = default;

  [[nodiscard]] bool is_pending() const noexcept { return wait_ != nullptr; }
  /// Lets go of the timer's handler. Requires another reference to the call.
  void let_go() noexcept {
    if (auto* const wait = std::exchange(wait_, nullptr)) call_ref<Call>{std::exchange(wait->call, nullptr)};
  }
  [[nodiscard]] timer_wait<Call>*& place() noexcept { return wait_; }

 private:
  timer_wait<Call>* wait_ = nullptr;
};

/// Calls a function of the call with whether the timer was cancelled, unless the call has let go. Its memory is not that of
/// the caller's handler, which the caller may free when its handler is called, nor of the two blocks that Asio keeps for
/// each thread's operations: the call and its attempt use them.
template <auto Function, class Call, class... About>
class timer_handler {
  using wait = timer_wait<Call>;
  using memory = net::detail::recycling_allocator<wait, net::detail::thread_info_base::cancellation_signal_tag>;

 public:
  using allocator_type = net::recycling_allocator<void>;
  using executor_type = typename Call::home_type::executor_type;

  timer_handler(call_ref<Call>&& call, timer_wait_of<Call>& of_call, About... about)
      : executor_{call.get()->get_executor()}, wait_{memory{}.allocate(1)}, about_{about...} {
    std::construct_at(wait_, wait{call.release(), &of_call.place()});
    of_call.place() = wait_;
  }
  timer_handler(timer_handler&& other) noexcept
      : executor_{std::move(other.executor_)},
        wait_{std::exchange(other.wait_, nullptr)},
        about_{std::move(other.about_)} {}
  /// A copy takes over, as with `call_ref`.
  timer_handler(timer_handler const& other) noexcept
      : executor_{other.executor_}, wait_{std::exchange(other.wait_, nullptr)}, about_{other.about_} {}
  timer_handler& operator=(timer_handler const&) = delete;
  timer_handler& operator=(timer_handler&&) = delete;
  ~timer_handler() {
    if (wait_ != nullptr) call_ref<Call>{take()};
  }

  [[nodiscard]] static allocator_type get_allocator() noexcept { return {}; }
  [[nodiscard]] executor_type get_executor() const noexcept { return executor_; }

  void operator()(net_error_code const& error = {}) {
    auto* const call = take();
    if (call == nullptr) return;
    std::apply([&](About... about) { (call->*Function)(call_ref<Call>{call}, about..., static_cast<bool>(error)); },
               about_);
  }

 private:
  Call* take() noexcept {
    auto* const mine = std::exchange(wait_, nullptr);
    auto* const call = mine->call;
    if (call != nullptr) *mine->kept = nullptr;
    memory{}.deallocate(mine, 1);
    return call;
  }

  executor_type executor_;
  mutable wait* wait_;
  ANEW_NO_UNIQUE_ADDRESS std::tuple<About...> about_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
