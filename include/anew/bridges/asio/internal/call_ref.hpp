// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_CALL_REF_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_CALL_REF_HPP

#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/internal/immovable.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/net.hpp"

/// The references that keep an asynchronous call alive, and the call that is inside a function of its operation.
namespace anew::inline ANEW_ABI::detail {

/// In place of an attempt, in a reference that keeps the call alive and no more.
struct no_place {};
/// In place of a number, for a call with room for one attempt. Only inlined or cold functions take it: g++ spends
/// instructions on an empty argument.
struct only_place {};

/// A reference that keeps a call alive, or an attempt, which has a place in its call. Destroyed unused, it releases the
/// call, or reports that the attempt is gone: its result can no longer be known. A copy takes over the reference: an
/// operation that passes its token on as an lvalue, `timer.async_wait(token)`, copies it and calls only the copy.
template <class Call, class Place = no_place>
class call_ref {
 public:
  using call_type = Call;

  explicit call_ref(Call* call, Place place = {}) noexcept : call_{call}, place_{place} {}
  call_ref(call_ref&& other) noexcept : call_{other.release()}, place_{other.place_} {}
  call_ref(call_ref const& other) noexcept : call_{other.release()}, place_{other.place_} {}
  call_ref& operator=(call_ref const&) = delete;
  call_ref& operator=(call_ref&&) = delete;
  ANEW_INLINE ~call_ref() {
    if constexpr (std::is_same_v<Place, no_place>) {
      if (call_ != nullptr) call_->drop();
    } else if (call_ != nullptr) [[unlikely]] {
      call_->on_gone(place_);
    }
  }

  [[nodiscard]] Call* get() const noexcept { return call_; }
  [[nodiscard]] Place place() const noexcept { return place_; }
  ANEW_INLINE Call* release() const noexcept { return std::exchange(call_, nullptr); }
  /// Continues the call without its attempt.
  [[nodiscard]] ANEW_INLINE call_ref<Call> take() noexcept { return call_ref<Call>{release()}; }

 private:
  mutable Call* call_;
  ANEW_NO_UNIQUE_ADDRESS Place place_;
};

/// The call that is inside a function of its operation in this thread (the initiating function, or the handler in the
/// attempt's cancellation slot), and the calls around it. An operation that completes there, against Asio's rules, must
/// not run the caller's handler inside the function that it called.
class initiation : pinned::immovable<initiation> {
 public:
  [[nodiscard]] static bool is_under_way(void const* call) noexcept { return find(call) != nullptr; }

 protected:
  ANEW_INLINE explicit initiation(void const* call) noexcept : call_{call}, outer_{innermost} { innermost = this; }
  ~initiation() = default;

  [[nodiscard]] static initiation* find(void const* call) noexcept {
    for (auto* one = innermost; one != nullptr; one = one->outer_) {
      if (one->call_ == call) return one;
    }
    return nullptr;
  }
  ANEW_INLINE void leave() const noexcept { innermost = outer_; }

 private:
  static inline constinit thread_local initiation* innermost = nullptr;
  void const* call_;
  initiation* outer_;
};

/// For a first attempt without a call: it stands for itself.
struct initiation_of_first_attempt : initiation {
  initiation_of_first_attempt() noexcept : initiation{this} {}
  initiation_of_first_attempt(initiation_of_first_attempt const&) = delete;
  initiation_of_first_attempt& operator=(initiation_of_first_attempt const&) = delete;
  ~initiation_of_first_attempt() { leave(); }
};

/// For a call. Two things wait until the operation's function returns: the end of a call whose attempt went away, and a
/// stop that could not be passed to the attempt yet.
class initiation_of_call : public initiation {
 public:
  ANEW_INLINE explicit initiation_of_call(void const* call) noexcept : initiation{call} {}
  initiation_of_call(initiation_of_call const&) = delete;
  initiation_of_call& operator=(initiation_of_call const&) = delete;
  ANEW_INLINE ~initiation_of_call() {
    leave();
    if (kept_ != nullptr) [[unlikely]]
      let_go();
  }

  /// The innermost frame of this thread for `call`, if any. It may belong to an earlier call in the same memory, which
  /// ended in another thread meanwhile; its type tells them apart.
  [[nodiscard]] static initiation_of_call* of(void const* call) noexcept {
    return static_cast<initiation_of_call*>(initiation::find(call));
  }
  /// Keeps a reference until the function has returned; false if it already keeps one.
  template <class Call>
  bool keep(Call* call) noexcept {
    if (kept_ != nullptr) return false;
    kept_ = call;
    stop_ = net::cancellation_type::none;
    let_go_ = [](void* kept, net::cancellation_type_t stop) {
      auto* const one = static_cast<Call*>(kept);
      one->on_left(call_ref<Call>{one}, stop);
    };
    return true;
  }
  template <class Call>
  void keep(call_ref<Call>&& call, net::cancellation_type_t stop) noexcept {
    auto one = std::move(call);
    if (keep(one.get())) one.release();
    stop_ = stop;
  }

 private:
  ANEW_COLD void let_go() const { let_go_(kept_, stop_); }

  void* kept_ = nullptr;
  void (*let_go_)(void*, net::cancellation_type_t);  // these two of a call that is kept
  net::cancellation_type_t stop_;
};

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
  Timer& get(auto const& home, auto const& handler) {
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
    if (!is_made_) return;
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
class timer_wait_of : pinned::immovable<timer_wait_of<Call>> {
 public:
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
