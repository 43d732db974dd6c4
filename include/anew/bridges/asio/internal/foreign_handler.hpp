// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_ASIO_INTERNAL_FOREIGN_HANDLER_HPP
#define ANEW_BRIDGES_ASIO_INTERNAL_FOREIGN_HANDLER_HPP

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "anew/base/platform/compiler.hpp"
#include "anew/bridges/asio/internal/call_ref.hpp"
#include "anew/bridges/asio/internal/handlers.hpp"
#include "anew/bridges/asio/internal/net.hpp"

/// A handler for callback APIs without executors: its copies share one attempt, and any thread may call a copy.
namespace anew::inline ANEW_ABI::detail {

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

#endif
