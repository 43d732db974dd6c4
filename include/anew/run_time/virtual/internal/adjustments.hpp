// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTMENTS_HPP
#define ANEW_RUN_TIME_VIRTUAL_INTERNAL_ADJUSTMENTS_HPP

#include <cstdint>
#include <optional>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/roles/attempt_timeout.hpp"
#include "anew/roles/backoff.hpp"
#include "anew/roles/deadline.hpp"
#include "anew/roles/max_attempts.hpp"
#include "anew/roles/roles.hpp"

/// Policies that replace those of a strategy behind the virtual interface, for the place that decides: data, so that a
/// decision is compiled once.
namespace anew::inline ANEW_ABI::detail {

/// A policy of `Role` whose type is known at run time only.
template <class Role>
class replacement;

// NOLINTBEGIN(*-virtual-class-destructor): nothing is destroyed through these
template <>
class ANEW_VISIBLE replacement<roles::max_attempts> {
 public:
  [[nodiscard]] virtual bool permits_another(std::uint32_t made) const = 0;
  [[nodiscard]] virtual std::uint32_t value() const noexcept = 0;
};
template <>
class ANEW_VISIBLE replacement<roles::backoff> {
 public:
  [[nodiscard]] virtual duration delay(std::uint32_t retry) const = 0;
  [[nodiscard]] virtual duration cap() const = 0;
};
template <>
class ANEW_VISIBLE replacement<roles::deadline> {
 public:
  [[nodiscard]] virtual duration total() const = 0;
  [[nodiscard]] virtual std::optional<duration> fit(duration delay, duration remaining) const = 0;
};
template <>
class ANEW_VISIBLE replacement<roles::attempt_timeout> {
 public:
  [[nodiscard]] virtual duration of(duration remaining) const = 0;
};
// NOLINTEND(*-virtual-class-destructor)

/// The limit that a policy states; 0 where it states none.
template <class P>
std::uint32_t attempts_of_policy(P const& limit) noexcept {
  if constexpr (requires { limit.value(); }) {
    return static_cast<std::uint32_t>(limit.value());
  } else if constexpr (requires { limit.visit([](auto const& /*chosen*/) { return 0U; }); }) {
    return limit.visit([](auto const& chosen) { return detail::attempts_of_policy(chosen); });
  } else {
    return 0;
  }
}

template <class P>
class replacing_base : public replacement<typename P::role> {
 public:
  explicit replacing_base(P by) : by_{std::move(by)} {}
  [[nodiscard]] P const& policy() const noexcept { return by_; }

 protected:
  ~replacing_base() = default;

 private:
  P by_;
};
template <class P, class Role = typename P::role>
class replacing;
template <class P>
class replacing<P, roles::max_attempts> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] bool permits_another(std::uint32_t made) const override { return this->policy().permits_another(made); }
  [[nodiscard]] std::uint32_t value() const noexcept override { return detail::attempts_of_policy(this->policy()); }
};
template <class P>
class replacing<P, roles::backoff> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] duration delay(std::uint32_t retry) const override { return this->policy().delay(retry); }
  [[nodiscard]] duration cap() const override { return cap_of(this->policy()); }
};
template <class P>
class replacing<P, roles::deadline> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] duration total() const override { return this->policy().total(); }
  [[nodiscard]] std::optional<duration> fit(duration delay, duration remaining) const override {
    return this->policy().fit(delay, remaining);
  }
};
template <class P>
class replacing<P, roles::attempt_timeout> : public replacing_base<P> {
 public:
  using replacing_base<P>::replacing_base;
  [[nodiscard]] duration of(duration remaining) const override { return this->policy().of(remaining); }
};

/// Null: the strategy's own policy.
struct adjustments {
  replacement<roles::max_attempts> const* attempts = nullptr;
  replacement<roles::backoff> const* backoff = nullptr;
  replacement<roles::deadline> const* deadline = nullptr;
  replacement<roles::attempt_timeout> const* timeout = nullptr;

  void take(replacement<roles::max_attempts> const& by) noexcept { attempts = &by; }
  void take(replacement<roles::backoff> const& by) noexcept { backoff = &by; }
  void take(replacement<roles::deadline> const& by) noexcept { deadline = &by; }
  void take(replacement<roles::attempt_timeout> const& by) noexcept { timeout = &by; }
};

/// Nothing is replaced.
inline constexpr adjustments as_it_is{};

}  // namespace anew::inline ANEW_ABI::detail

#endif
