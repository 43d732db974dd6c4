// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_INTERNAL_CHOICE_OF_NESTING_HPP
#define ANEW_RUN_TIME_INTERNAL_CHOICE_OF_NESTING_HPP

#include <optional>

#include "anew/base/failure.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/stop_reason.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/sharing/internal/grants.hpp"
#include "anew/roles/nesting.hpp"
#include "anew/roles/roles.hpp"
#include "anew/run_time/internal/choice_base.hpp"

namespace anew::inline ANEW_ABI {

namespace detail {

/// The scope of an attempt; active where a guard was chosen.
class chosen_scope {
 public:
  template <class Nesting, class Q>
  chosen_scope(Nesting const& nesting, Q const& quota) {
    nesting.visit([&]<class N>(N const& /*guard*/) {
      if constexpr (!is_absent<N>) scope_.emplace(N::lent_by(quota));
    });
  }

 private:
  std::optional<nesting_scope> scope_;
};

}  // namespace detail

/// Among guards: `nesting_guard` of either kind, or `absent`.
template <class... Ps>
class choice<roles::nesting, Ps...> : public detail::choice_base<roles::nesting, Ps...> {
 public:
  using detail::choice_base<roles::nesting, Ps...>::choice_base;
  using permit_type = detail::held_by_choice<Ps...>;
  static constexpr stop_reason refusal = stop_reason::nested;  // refusal_now() returns the chosen guard's reason

  [[nodiscard]] stop_reason refusal_now() const {
    return this->visit_or(refusal, []<class N>(N const& /*guard*/) { return N::refusal; });
  }
  template <class Q>
  [[nodiscard]] detail::chosen_scope enter(Q const& quota) const {
    return {*this, quota};
  }
  [[nodiscard]] bool is_nested() const {
    return this->visit_or(false, [](auto const& chosen) { return chosen.is_nested(); });
  }
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& what) const {
    return this->visit([&]<class N>(N const& guard) -> std::optional<permit_type> {
      if constexpr (!detail::is_absent<N>) {
        if (auto const permit = guard.try_acquire(what)) return detail::as_common<permit_type>(*permit);
      }
      return std::nullopt;
    });
  }
  void on_success(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& guard, auto const& own) { guard.on_success(own); });
  }
  void on_failure(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& guard, auto const& own) { guard.on_failure(own); });
  }
  void release(permit_type const& held) const {
    detail::tell_chosen(*this, held, [](auto const& guard, auto const& own) { guard.release(own); });
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
