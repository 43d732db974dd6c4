// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_ASIO_INTERNAL_HANDLERS_HPP
#define ANEW_ASIO_INTERNAL_HANDLERS_HPP

#include <memory>
#include <utility>

#include "anew/asio/internal/call_ref.hpp"
#include "anew/asio/internal/net.hpp"
#include "anew/platform/compiler.hpp"

/// The handlers that an asynchronous call passes to its attempts, timers and posts.
namespace anew::inline ANEW_ABI::detail {

/// The associations that all handlers of a call share.
template <class Call, class Ref = call_ref<Call>>
class call_handler {
 public:
  using allocator_type = typename Call::allocator_type;
  using executor_type = typename Call::home_type::executor_type;

  explicit call_handler(Ref&& call) noexcept : call_{std::move(call)} {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return call_.get()->get_allocator(); }
  [[nodiscard]] executor_type get_executor() const noexcept { return call_.get()->get_executor(); }

 protected:
  Ref call_;
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

/// The completion handler of an attempt. It has no executor if the call has none: see `home_of`.
template <class Attempt, bool KnowsExecutor = Attempt::call_type::home_type::knows_executor>
class attempt_handler : public call_handler<typename Attempt::call_type, Attempt> {
 public:
  using cancellation_slot_type = net::cancellation_slot;
  using call_handler<typename Attempt::call_type, Attempt>::call_handler;
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return this->call_.slot(); }
  template <class... Args>
  void operator()(Args&&... args) {
    this->call_.complete(std::forward<Args>(args)...);
  }
};
template <class Attempt>
class attempt_handler<Attempt, false> {
 public:
  using allocator_type = typename Attempt::call_type::allocator_type;
  using cancellation_slot_type = net::cancellation_slot;

  explicit attempt_handler(Attempt&& call) noexcept : call_{std::move(call)} {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return call_.get()->get_allocator(); }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return call_.slot(); }
  template <class Executor>
  void remember(Executor const& executor) const noexcept {
    if (call_.get() != nullptr) call_.get()->remember(executor);
  }
  template <class... Args>
  void operator()(Args&&... args) {
    call_.complete(std::forward<Args>(args)...);
  }

 private:
  Attempt call_;
};

/// For an attempt whose completion is already in its call: it came from another thread, or inside a function that must
/// return first.
template <class Attempt>
class arrived_handler : public call_handler<typename Attempt::call_type, Attempt> {
 public:
  using call_handler<typename Attempt::call_type, Attempt>::call_handler;
  void operator()() { this->call_.arrive(); }
};

/// Memory that is freed unless an object is constructed in it.
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

/// The handler in the cancellation slot of the caller's handler. The signal and the call may be destroyed in either
/// order.
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

}  // namespace anew::inline ANEW_ABI::detail

namespace ANEW_ASIO {  // NOLINT(modernize-concat-nested-namespaces): it is a macro

template <class Attempt, class Executor>
struct associated_executor<::anew::detail::attempt_handler<Attempt, false>, Executor> {
  using type = Executor;
  static type get(::anew::detail::attempt_handler<Attempt, false> const& /*handler*/) noexcept { return type(); }
  static type get(::anew::detail::attempt_handler<Attempt, false> const& handler, Executor const& executor) noexcept {
    handler.remember(executor);
    return executor;
  }
};

}  // namespace ANEW_ASIO

#endif
