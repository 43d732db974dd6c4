// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_SHARING_SHARED_HPP
#define ANEW_POLICIES_SHARING_SHARED_HPP

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include "anew/base/internal/parameter.hpp"
#include "anew/base/internal/slots.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/sharing/internal/handle_of.hpp"
#include "anew/roles/internal/catalogue.hpp"
#include "anew/roles/internal/limit_mark.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// A handle to one quota, gate or pacer that several strategies share.
///
/// `shared<token_bucket<500>> budget{}` makes one, `shared{token_bucket{n}}` takes one over; `compose(budget, backoff)`
/// copies the handle. It models the concept that the policy models, with exactly its optional functions. A strategy
/// with a `shared` policy has no default constructor: pass the handle, because a default-constructed one would share
/// with nothing.
///
/// Models: Quota, Gate or Pacer, as `Policy` does (16 bytes)
/// Formula: none
/// Requires: Policy is a quota, a gate or a pacer
/// Cost: one allocation when it is made; a pointer to follow after that. The policy lives as long as a handle
/// Choose it when different strategies, or objects of different lifetimes, spend from one budget. Not for one strategy
/// that many calls use: they share its quota already.
/// Source: none
template <class Policy>
class shared : public sharing::handle_of<Policy, shared<Policy>> {
 public:
  static constexpr char const* word = "shared";
  shared()
    requires std::default_initializable<Policy>
      : all_{std::make_shared<marked const>()} {}
  explicit shared(Policy policy)
    requires std::move_constructible<Policy>
      : all_{std::make_shared<marked const>(std::move(policy))} {}
  shared(shared const&) = default;  // and so no move: a handle is never without a policy
  shared& operator=(shared const&) = default;
  ~shared() = default;

  [[nodiscard]] Policy const& policy() const noexcept { return all_->policy; }
  /// For the strategies that tell its changes.
  [[nodiscard]] detail::limit_mark const& mark() const noexcept { return all_->mark; }

  [[nodiscard]] constexpr auto run_time_form() const
    requires detail::DeclaresRunTimeForm<Policy>
  {
    return policy().run_time_form();
  }

 private:
  struct marked {
    marked()
      requires std::default_initializable<Policy>
    = default;
    explicit marked(Policy&& from) : policy{std::move(from)} {}
    Policy const policy{};
    detail::limit_mark mark{};
  };
  std::shared_ptr<marked const> all_;
};

namespace detail {

template <class Policy>
inline constexpr bool must_be_passed<shared<Policy>> = true;

}  // namespace detail

}  // namespace anew::inline ANEW_ABI

#endif
