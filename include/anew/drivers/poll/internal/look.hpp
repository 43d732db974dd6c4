// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_DRIVERS_POLL_INTERNAL_LOOK_HPP
#define ANEW_DRIVERS_POLL_INTERNAL_LOOK_HPP

#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/drivers/internal/guarded.hpp"
#include "anew/drivers/next_step.hpp"
#include "anew/drivers/poll/internal/watch.hpp"
#include "anew/drivers/poll/poll_outcome.hpp"

/// One look of a polling call.
namespace anew::inline ANEW_ABI::detail {

/// How a result is read: by its error too, unless the operation declares that it has none.
template <bool ReadsErrors>
struct reads_result {
  static directive judge(auto const& view, auto const& came) { return view.template judge_result<ReadsErrors>(came); }
  template <class Hear, class R>
  static void hear(Hear const& hear, R const& came) {
    if constexpr (PolledByError<R> && ReadsErrors) {
      if (!is_success(came)) return hear(error_of(came));
    }
    hear(came);
  }
};

/// A polling call that keeps its last result or exception: `Told` is an outcome, or a reference to one. It keeps outcomes
/// for drivers that ask for it (anew/drivers/internal/read_result.hpp).
template <class W, class As, class R, class Reader, class Told = poll_outcome<R>>
class kept_poll : public polling_view<W, As> {
  using view = polling_view<W, As>;

 public:
  using kept_type = R;

  kept_poll(W waiter, As accept) : view{static_cast<W&&>(waiter), static_cast<As&&>(accept)}, kept_{} {}
  kept_poll(W waiter, As accept, Told told)
    requires std::is_reference_v<Told>
      : view{static_cast<W&&>(waiter), static_cast<As&&>(accept)}, kept_{told} {}

  static poll_outcome<R> nothing() { return {}; }

  /// Stores what a look returned or threw.
  template <class Make>
  void hold(Make&& make) const {
#if ANEW_EXCEPTIONS
    kept_.told.exception_ = nullptr;
#endif
    kept_.told.result_.emplace_from(std::forward<Make>(make));
  }
#if ANEW_EXCEPTIONS
  void hold_exception(std::exception_ptr thrown) const {
    kept_.told.result_.reset();
    kept_.told.exception_ = std::move(thrown);
  }
#endif
  /// The directive for it.
  [[nodiscard]] directive judge() const {
#if ANEW_EXCEPTIONS
    if (kept_.told.exception_) return this->judge_exception(kept_.told.exception_);
#endif
    return Reader::judge(static_cast<view const&>(*this), std::as_const(*kept_.told.result_));
  }

  /// Calls `hear` with what a request that failed returned or threw.
  void with_error(auto const& hear) const {
    if (!this->request_failed()) return;
#if ANEW_EXCEPTIONS
    if (kept_.told.exception_) return hear(kept_.told.exception_);
#endif
    Reader::hear(hear, std::as_const(*kept_.told.result_));
  }

  next_step tell(auto const& call, next_step step) const {
    auto const* const last =
        kept_.told.result_.has_value() ? __builtin_addressof(std::as_const(*kept_.told.result_)) : nullptr;
    return view::tell(call, step, last);
  }
  /// How the call ended.
  poll_outcome<R>&& give(auto const& call) const {
    kept_.told.reason_ = call.reason();
    kept_.told.attempts_ = call.attempts();
    kept_.told.elapsed_ = this->elapsed();
    return std::move(kept_.told);
  }
  std::tuple<poll_outcome<R>> complete(auto const& call) const { return {give(call)}; }

 private:
  struct place {
    Told told;
  };
  mutable place kept_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
