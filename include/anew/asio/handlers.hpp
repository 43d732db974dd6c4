// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_HANDLERS_HPP
#define ANEW_ASIO_HANDLERS_HPP

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "anew/asio/config.hpp"
#include "anew/asio/timer_source.hpp"
#include "anew/config.hpp"

#ifdef ANEW_STANDALONE_ASIO
#include <asio/any_io_executor.hpp>
#include <asio/associated_executor.hpp>
#include <asio/cancellation_signal.hpp>
#include <asio/execution/outstanding_work.hpp>
#include <asio/prefer.hpp>
#include <asio/system_executor.hpp>
#include <asio/use_future.hpp>
#else
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution/outstanding_work.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/system_executor.hpp>
#include <boost/asio/use_future.hpp>
#endif

/// What an asynchronous call hands to its attempts, timers and posts, and where those run.
namespace anew::detail {

/// One of those that keep a call alive. Abandoned, it lets go of it. There is one handler of an attempt, and a copy takes
/// its place: an operation that passes on what it thinks of as a token, `timer.async_wait(token)`, copies it, and so does
/// a `std::function`. A count of copies would have to be atomic, because the attempt may end in another thread meanwhile.
template <class Call>
class call_ref {
 public:
  explicit call_ref(Call* call) noexcept : call_{call} {}
  call_ref(call_ref&& other) noexcept : call_{std::exchange(other.call_, nullptr)} {}
  call_ref(call_ref const& other) noexcept : call_{std::exchange(other.call_, nullptr)} {}
  call_ref& operator=(call_ref const&) = delete;
  call_ref& operator=(call_ref&&) = delete;
  ~call_ref() {
    if (call_ != nullptr) call_->drop();
  }
  [[nodiscard]] Call* get() const noexcept { return call_; }
  void release() noexcept { call_ = nullptr; }

 private:
  mutable Call* call_;
};

/// The call that is inside its operation's initiating function in this thread, and those around it. An operation that
/// completes there, against Asio's rules, must not make the caller's handler run inside the function that it called.
class initiation {
 public:
  explicit initiation(void const* call) noexcept : call_{call}, outer_{innermost} { innermost = this; }
  /// For a first attempt that no call stands for: then it stands for itself.
  initiation() noexcept : call_{this}, outer_{innermost} { innermost = this; }
  initiation(initiation const&) = delete;
  initiation& operator=(initiation const&) = delete;
  ~initiation() { innermost = outer_; }

  [[nodiscard]] static bool is_under_way(void const* call) noexcept {
    for (auto const* one = innermost; one != nullptr; one = one->outer_) {
      if (one->call_ == call) return true;
    }
    return false;
  }

 private:
  static inline constinit thread_local initiation const* innermost = nullptr;
  void const* call_;
  initiation const* outer_;
};

/// True for an executor that stands for the whole system: that of a handler which does not care where it runs, such as a
/// future's. A call that waited there would leave the loop that its operation lives on.
template <class Executor>
inline constexpr bool is_anywhere = std::is_same_v<Executor, net::system_executor>;
// Asio has no public name for it, and asking it for its context would start the system's threads.
template <class T, class Blocking>
inline constexpr bool is_anywhere<net::detail::promise_executor<T, Blocking>> = true;

template <class Handler>
concept HasAnExecutor = std::is_same_v<net::associated_executor_t<Handler, net::system_executor>,
                                       net::associated_executor_t<Handler, net::any_io_executor>> &&
                        !is_anywhere<net::associated_executor_t<Handler>>;

/// Nobody said where the waits of a call take place.
struct no_timers {};

/// Where the handlers of a call run and its timer comes from: what was said, else the handler's executor.
template <class Timers, class Handler>
class home_of {
 public:
  static constexpr bool knows_executor = true;
  using their_executor = std::remove_cvref_t<decltype(std::declval<Timers const&>().get_executor())>;
  using handlers_executor = net::associated_executor_t<Handler, their_executor>;
  using executor_type = std::conditional_t<is_anywhere<handlers_executor>, their_executor, handlers_executor>;
  using timer_type = std::remove_cvref_t<decltype(std::declval<Timers const&>().make_timer())>;

  explicit home_of(Timers&& timers) : timers_{std::move(timers)} {}
  [[nodiscard]] static executor_type executor_of(Timers const& timers,
                                                 [[maybe_unused]] Handler const& handler) noexcept {
    if constexpr (is_anywhere<handlers_executor>) {
      return timers.get_executor();
    } else {
      return net::get_associated_executor(handler, timers.get_executor());
    }
  }
  [[nodiscard]] executor_type executor(Handler const& handler) const noexcept { return executor_of(timers_, handler); }
  [[nodiscard]] timer_type make_timer(Handler const& /*handler*/) const { return timers_.make_timer(); }

 private:
  Timers timers_;
};

template <HasAnExecutor Handler>
class home_of<no_timers, Handler> {
 public:
  static constexpr bool knows_executor = true;
  using executor_type = net::associated_executor_t<Handler>;
  using timer_type = typename steady_timers<executor_type>::timer_type;

  explicit home_of(no_timers /*none*/) noexcept {}
  [[nodiscard]] static executor_type executor_of(no_timers /*none*/, Handler const& handler) noexcept {
    return net::get_associated_executor(handler);
  }
  [[nodiscard]] static executor_type executor(Handler const& handler) noexcept {
    return net::get_associated_executor(handler);
  }
  [[nodiscard]] static timer_type make_timer(Handler const& handler) {
    return steady_timers<executor_type>{executor(handler)}.make_timer();
  }
};

/// For a handler that has none: where the operation's own I/O takes place. An operation asks a handler for its executor and
/// says which it takes else, its I/O object's; that is remembered.
template <class Handler>
  requires(!HasAnExecutor<Handler>)
class home_of<no_timers, Handler> {
 public:
  static constexpr bool knows_executor = false;
  using executor_type = net::any_io_executor;
  using timer_type = typename steady_timers<executor_type>::timer_type;

  explicit home_of(no_timers /*none*/) noexcept {}
  [[nodiscard]] executor_type executor(Handler const& /*handler*/) const noexcept {
    return seen_ ? seen_ : executor_type{net::system_executor{}};
  }
  [[nodiscard]] timer_type make_timer(Handler const& handler) const {
    return steady_timers<executor_type>{executor(handler)}.make_timer();
  }
  template <class Executor>
  void remember(Executor const& executor) {
    if constexpr (!is_anywhere<Executor> && std::is_convertible_v<Executor const&, executor_type>) {
      if (!seen_) seen_ = executor;
    }
  }

 private:
  executor_type seen_;
};

/// What every handler of a call is associated with.
template <class Call>
class call_handler {
 public:
  using allocator_type = typename Call::allocator_type;
  using executor_type = typename Call::home_type::executor_type;

  explicit call_handler(call_ref<Call>&& call) noexcept : call_{std::move(call)} {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return call_.get()->get_allocator(); }
  [[nodiscard]] executor_type get_executor() const noexcept { return call_.get()->get_executor(); }

 protected:
  call_ref<Call> call_;
};

template <class Call>
class wait_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()(net_error_code const& error) {
    this->call_.get()->on_wait(std::move(this->call_), static_cast<bool>(error));
  }
};
template <class Call>
class resume_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()() { this->call_.get()->on_wait(std::move(this->call_), false); }
};
template <class Call>
class late_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()() { this->call_.get()->on_late(std::move(this->call_)); }
};
template <class Call>
class end_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()() { this->call_.get()->on_end(std::move(this->call_)); }
};
template <class Call>
class limit_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()(net_error_code const& error) {
    this->call_.get()->on_limit(std::move(this->call_), static_cast<bool>(error));
  }
};

/// What an attempt completes. Without an executor of its own where the call has none: see `home_of`.
template <class Call, bool KnowsExecutor = Call::knows_executor>
class attempt_handler : public call_handler<Call> {
 public:
  using cancellation_slot_type = net::cancellation_slot;
  using call_handler<Call>::call_handler;
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    return this->call_.get()->get_cancellation_slot();
  }
  template <class... Args>
  void operator()(Args&&... args) {
    this->call_.get()->on_attempt(std::move(this->call_), std::forward<Args>(args)...);
  }
};
template <class Call>
class attempt_handler<Call, false> {
 public:
  using allocator_type = typename Call::allocator_type;
  using cancellation_slot_type = net::cancellation_slot;

  explicit attempt_handler(call_ref<Call>&& call) noexcept : call_{std::move(call)} {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return call_.get()->get_allocator(); }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    return call_.get()->get_cancellation_slot();
  }
  template <class Executor>
  void remember(Executor const& executor) const noexcept {
    if (call_.get() != nullptr) call_.get()->remember(executor);
  }
  template <class... Args>
  void operator()(Args&&... args) {
    call_.get()->on_attempt(std::move(call_), std::forward<Args>(args)...);
  }

 private:
  call_ref<Call> call_;
};

/// What a callback API completes that knows nothing of executors: the attempt is over where the call is at home, and until
/// then its loop has work.
template <class Call>
class foreign_call_handler {
 public:
  using allocator_type = typename Call::allocator_type;

  explicit foreign_call_handler(call_ref<Call>&& call) noexcept
      : work_{net::prefer(call.get()->get_executor(), net::execution::outstanding_work.tracked)},
        call_{std::move(call)} {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return call_.get()->get_allocator(); }

 private:
  using home_executor = typename Call::home_type::executor_type;
  decltype(net::prefer(std::declval<home_executor>(), net::execution::outstanding_work.tracked)) work_;

 protected:
  call_ref<Call> call_;
};
template <class Call>
class foreign_handler : public foreign_call_handler<Call> {
 public:
  using cancellation_slot_type = net::cancellation_slot;
  using foreign_call_handler<Call>::foreign_call_handler;
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    return this->call_.get()->get_cancellation_slot();
  }
  template <class... Args>
  void operator()(Args&&... args) {
    this->call_.get()->on_foreign(std::move(this->call_), std::forward<Args>(args)...);
  }
};
template <class Call>
class arrived_handler : public call_handler<Call> {
 public:
  using call_handler<Call>::call_handler;
  void operator()() { this->call_.get()->on_arrived(std::move(this->call_)); }
};

/// Memory that is given back unless something is made in it.
template <class Allocator, class T>
struct undo_allocation {
  Allocator& allocator;
  T* memory;
  undo_allocation(Allocator& by, T* made) noexcept : allocator{by}, memory{made} {}
  undo_allocation(undo_allocation const&) = delete;
  undo_allocation& operator=(undo_allocation const&) = delete;
  ~undo_allocation() {
    if (memory != nullptr) std::allocator_traits<Allocator>::deallocate(allocator, memory, 1);
  }
};

/// Stands in the cancellation slot of the caller's handler. The signal and the call may go in either order.
template <class Call>
class cancel_link {
 public:
  explicit cancel_link(Call* one) noexcept : call{one} { call->link = this; }
  cancel_link(cancel_link const&) = delete;
  cancel_link& operator=(cancel_link const&) = delete;
  ~cancel_link() {
    if (call != nullptr) call->link = nullptr;
  }
  void operator()(net::cancellation_type_t type) {
    if (call != nullptr) call->cancel(type);
  }

  Call* call;
};

}  // namespace anew::detail

#ifdef ANEW_STANDALONE_ASIO
namespace asio {
#else
namespace boost::asio {
#endif

template <class Call, class Executor>
struct associated_executor<::anew::detail::attempt_handler<Call, false>, Executor> {
  using type = Executor;
  static type get(::anew::detail::attempt_handler<Call, false> const& /*handler*/) noexcept { return type(); }
  static type get(::anew::detail::attempt_handler<Call, false> const& handler, Executor const& executor) noexcept {
    handler.remember(executor);
    return executor;
  }
};

#ifdef ANEW_STANDALONE_ASIO
}  // namespace asio
#else
}  // namespace boost::asio
#endif

#endif
