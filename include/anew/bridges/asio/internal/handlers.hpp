// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_HANDLERS_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_HANDLERS_HPP

#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/net.hpp"

/// The handlers that an asynchronous call passes to its attempts, timers and posts.
namespace anew::inline ANEW_ABI::detail {

/// A post without memory for it lets go of its handler.
template <class Post>
void unless_out_of_memory(Post post) noexcept {
#if ANEW_EXCEPTIONS
  try {
    post();
  } catch (...) {  // NOLINT(bugprone-empty-catch)
  }
#else
  post();
#endif
}

/// The associations that all handlers of a call share. Those of attempts have no executor if the call has none: see
/// `home_of`.
template <class Call, class Ref = call_ref<Call>, bool KnowsExecutor = true>
class call_handler {
 public:
  using allocator_type = typename Call::allocator_type;
  explicit call_handler(Ref&& call) noexcept : call_{std::move(call)} {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return call_.get()->get_allocator(); }

 protected:
  Ref call_;
};
template <class Call, class Ref>
class call_handler<Call, Ref, true> : public call_handler<Call, Ref, false> {
 public:
  using executor_type = typename Call::home_type::executor_type;
  using call_handler<Call, Ref, false>::call_handler;
  [[nodiscard]] executor_type get_executor() const noexcept { return this->call_.get()->get_executor(); }
};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-aliasing"  // g++ 12 at -O3 takes a member's call for one of another type
#endif
/// For a post or a timer: calls a function of the call, with the place or the number that it is about, and with whether the
/// timer was cancelled.
template <auto Function, class Call, class... About>
class event_handler : public call_handler<Call> {
 public:
  explicit event_handler(call_ref<Call>&& call, About... about) noexcept
      : call_handler<Call>{std::move(call)}, about_{about...} {}
  void operator()(net_error_code const& error = {}) {
    auto& call = *this->call_.get();
    std::apply(
        [&](About... about) {
          if constexpr (std::is_invocable_v<decltype(Function), Call&, call_ref<Call>, About..., bool>) {
            (call.*Function)(std::move(this->call_), about..., static_cast<bool>(error));
          } else {
            (call.*Function)(std::move(this->call_), about...);
          }
        },
        about_);
  }

 private:
  ANEW_NO_UNIQUE_ADDRESS std::tuple<About...> about_;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// The completion handler of an attempt.
template <class Attempt, bool KnowsExecutor = Attempt::call_type::home_type::knows_executor>
class attempt_handler : public call_handler<typename Attempt::call_type, Attempt, KnowsExecutor> {
 public:
  using cancellation_slot_type = net::cancellation_slot;
  using call_handler<typename Attempt::call_type, Attempt, KnowsExecutor>::call_handler;
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
    return this->call_.get()->slot_of(this->call_.place());
  }
  template <class Executor>
  void remember(Executor const& executor) const noexcept {
    if (this->call_.get() != nullptr) this->call_.get()->remember(executor);
  }
  template <class... Args>
  void operator()(Args&&... args) {
    this->call_.get()->on_attempt(std::move(this->call_), std::forward<Args>(args)...);
  }
};

/// For an attempt whose completion is already in its call: it came from another thread, or inside a function that must
/// return first. With no completion, the attempt goes away, on the executor of its call.
template <class Attempt>
class arrived_handler : public call_handler<typename Attempt::call_type, Attempt> {
 public:
  using call_handler<typename Attempt::call_type, Attempt>::call_handler;
  void operator()() { this->call_.get()->on_arrived(std::move(this->call_)); }
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
