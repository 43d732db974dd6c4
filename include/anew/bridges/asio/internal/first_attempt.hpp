// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_FIRST_ATTEMPT_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_FIRST_ATTEMPT_HPP

#include <functional>
#include <type_traits>
#include <utility>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/initiates.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/home.hpp"
#include "anew/bridges/asio/internal/net.hpp"
#include "anew/bridges/asio/internal/read_completion.hpp"
#include "anew/bridges/asio/internal/retry_call.hpp"
#include "anew/drivers/declarations.hpp"
#include "anew/drivers/internal/decide.hpp"
#include "anew/drivers/internal/observed.hpp"

/// A first attempt without a call around it: if nothing needs an address, nothing is allocated until it has failed.
namespace anew::inline ANEW_ABI::detail {

/// An operation that may be moved at any time: it is empty, lives elsewhere, or is declared so.
template <class Op>
inline constexpr bool is_movable_at_any_time = std::is_empty_v<Op>;
template <class Op>
inline constexpr bool is_movable_at_any_time<std::reference_wrapper<Op>> = true;
template <class Op>
inline constexpr bool is_movable_at_any_time<kept_by_copy_operation<Op>> = operation_can_be_copied<Op>;
template <class Op>
  requires requires { typename Op::declared; }
inline constexpr bool is_movable_at_any_time<Op> =
    is_movable_at_any_time<typename Op::declared> && !requires(Op& op) { op.rewind(); };

/// Where nothing of the call must keep its address; the `attempt&` need not if the operation is kept_by_copy.
template <class Op, class S, class Timers, class Handler>
inline constexpr bool begins_without_a_call =
    is_movable_at_any_time<Op> && !SaysItsSignature<undeclared_t<Op>> &&
    (form_of<undeclared_t<Op>>() == operation_form::initiates ||
     (form_of<undeclared_t<Op>>() == operation_form::initiates_with_attempt && is_declared_kept_by_copy<Op>)) &&
    PureInitialToken<S> && !HasAdmission<S> && !HasDeadline<S> && !HasAttemptTimeout<S> && !FollowsEachCall<S> &&
    home_of<Timers, Handler>::knows_executor;

template <class Strategy, class Op, class Timers, class Handler, class Signature>
class first_attempt;

template <class Strategy, class Op, class Timers, class Handler, class... Args>
class first_attempt<Strategy, Op, Timers, Handler, void(Args...)> {
 public:
  using call = retry_call<Strategy, Op, Timers, Handler, void(Args...)>;
  using home_type = typename call::home_type;
  using S = typename Strategy::type;
  using executor_type = typename home_type::executor_type;
  using allocator_type = typename call::allocator_type;
  using cancellation_slot_type = net::cancellation_slot;

  ANEW_INLINE static void begin(Handler&& handler, Timers&& timers, Strategy&& strategy, Op const& operation) {
    initiation_of_first_attempt const frame;
    std::conditional_t<is_declared_kept_by_copy<Op>, Op const, Op> called =
        operation;  // declared to be the same as const
    first_attempt self{std::move(handler), std::move(timers), std::move(strategy), operation, &frame};
    if constexpr (is_told_of_attempt<form_of<undeclared_t<Op>>()>) {
      attempt told{attempt::parts{}};
      detail::undeclared(called)(told, std::move(self));
    } else {
      detail::undeclared(called)(std::move(self));
    }
  }

  first_attempt(first_attempt&&) = default;
  /// A copy takes over, as with `call_ref`.
  first_attempt(first_attempt const& other) : first_attempt{std::move(const_cast<first_attempt&>(other))} {}
  first_attempt& operator=(first_attempt&&) = delete;
  first_attempt& operator=(first_attempt const&) = delete;
  ~first_attempt() = default;

  [[nodiscard]] executor_type get_executor() const noexcept { return home_type::executor_of(timers_, handler_); }
  [[nodiscard]] allocator_type get_allocator() const noexcept {
    return net::get_associated_allocator(handler_, net::recycling_allocator<void>{});
  }
  [[nodiscard]] static cancellation_slot_type get_cancellation_slot() noexcept { return {}; }

  ANEW_INLINE void operator()(Args... args) {
    bool const is_inside = initiation::is_under_way(frame_);
    if (!is_inside && is_plain_success(args...)) [[likely]] {
      no_report nobody;
      auto const& strategy = strategy_.get();
      detail::succeeded(strategy, nobody, strategy.acquire_initial_token(time_point{}), 1);
      return std::move(handler_)(std::move(args)...);
    }
    call::go_on(handler_, std::move(timers_), std::move(strategy_), std::move(operation_), is_inside,
                std::move(args)...);
  }

 private:
  first_attempt(Handler&& handler, Timers&& timers, Strategy&& strategy, Op const& operation, initiation const* frame)
      : handler_{std::move(handler)},
        timers_{std::move(timers)},
        strategy_{std::move(strategy)},
        operation_{operation},
        frame_{frame} {}

  /// A success that no classifier reads.
  template <class... Arg>
  ANEW_INLINE static bool is_plain_success([[maybe_unused]] Arg const&... args) {
    if constexpr (value_reader_of<S, Op, Args...>() != value_reader::none) return false;
    if constexpr (call::shape == completion_shape::error_code || call::shape == completion_shape::exception) {
      return !std::get<0>(std::tie(args...));
    }
    return true;
  }

  Handler handler_;
  ANEW_NO_UNIQUE_ADDRESS Timers timers_;
  ANEW_NO_UNIQUE_ADDRESS Strategy strategy_;
  ANEW_NO_UNIQUE_ADDRESS Op operation_;
  initiation const* frame_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
