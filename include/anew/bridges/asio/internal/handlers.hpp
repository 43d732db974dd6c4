// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_HANDLERS_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_HANDLERS_HPP

#include <atomic>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/net.hpp"

/// The handlers that an asynchronous call passes to its attempts, timers and posts.
namespace anew::inline ANEW_ABI::detail {

/// A post without memory for it lets go of its handler.
void unless_out_of_memory(auto post) noexcept {
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
  void remember(auto const& executor) const noexcept {
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

/// The attempt that all copies of a foreign handler share. The first completion takes it; if the last copy is destroyed
/// before that, or the completion could not be stored, the attempt is gone. Until then it keeps the call's loop at work. Its copies may outlive the call, and
/// then refer to nothing of it.
template <class Attempt>
class foreign_attempt {
 public:
  using allocator_type = typename Attempt::call_type::allocator_type;

  explicit foreign_attempt(Attempt&& attempt)
      : allocator_{attempt.get()->get_allocator()},
        slot_{attempt.get()->slot_of(attempt.place())},
        work_{net::prefer(attempt.get()->get_executor(), net::execution::outstanding_work.tracked)},
        attempt_{std::move(attempt)} {}
  foreign_attempt(foreign_attempt const&) = delete;
  foreign_attempt& operator=(foreign_attempt const&) = delete;
  ~foreign_attempt() {
    if (attempt_.get() != nullptr) let_go(std::move(attempt_));
  }

  template <class... Args>
  void complete(Args&&... args) {
    if (is_done_.exchange(true, std::memory_order_acq_rel)) return;
    auto* const call = attempt_.get();
    call->on_over(attempt_.place());
    call->keep(attempt_.place(), std::forward<Args>(args)...);
    auto const work = std::exchange(work_, std::nullopt);
    net::dispatch(arrived_handler<Attempt>{std::move(attempt_)});
  }

  [[nodiscard]] allocator_type const& allocator() const noexcept { return allocator_; }
  [[nodiscard]] net::cancellation_slot slot() const noexcept {
    return is_done_.load(std::memory_order_acquire) ? net::cancellation_slot{} : slot_;
  }

 private:
  static void let_go(Attempt&& attempt) noexcept {
    Attempt gone{std::move(attempt)};
    gone.get()->on_over(gone.place());
    if (initiation::is_under_way(gone.get())) return;  // the initiating function dropped it, or threw: at home already
    detail::unless_out_of_memory([&] { net::dispatch(arrived_handler<Attempt>{std::move(gone)}); });
  }

  using home_executor = typename Attempt::call_type::home_type::executor_type;
  using tracked = decltype(net::prefer(std::declval<home_executor>(), net::execution::outstanding_work.tracked));

  std::atomic<bool> is_done_{false};
  allocator_type allocator_;
  net::cancellation_slot slot_;
  std::optional<tracked> work_;
  Attempt attempt_;
};

/// Copies share their attempt; the first copy that is called completes it, and the arguments of further calls are
/// dropped. The shared part is on the heap: the last copy may be destroyed in any thread at any time, but the handler's
/// allocator may belong to one thread.
template <class Attempt>
class foreign_handler {
 public:
  using allocator_type = typename Attempt::call_type::allocator_type;
  using cancellation_slot_type = net::cancellation_slot;

  explicit foreign_handler(Attempt&& attempt)
      : shared_{std::make_shared<foreign_attempt<Attempt>>(std::move(attempt))} {}
  [[nodiscard]] allocator_type get_allocator() const noexcept { return shared_->allocator(); }
  [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept { return shared_->slot(); }
  template <class... Args>
  void operator()(Args&&... args) const {
    auto const kept = shared_;  // the caller may destroy this copy meanwhile
    if (kept != nullptr) kept->complete(std::forward<Args>(args)...);
  }

 private:
  std::shared_ptr<foreign_attempt<Attempt>> shared_;
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
