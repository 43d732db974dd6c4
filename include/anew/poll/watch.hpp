// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLL_WATCH_HPP
#define ANEW_POLL_WATCH_HPP

#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/basic_strategy.hpp"
#include "anew/concept/attempt_limit.hpp"
#include "anew/concept/gate.hpp"
#include "anew/concept/pacer.hpp"
#include "anew/concept/quota.hpp"
#include "anew/config.hpp"
#include "anew/detail/decide.hpp"
#include "anew/poll/acceptor.hpp"
#include "anew/quota/unlimited.hpp"
#include "anew/refusal.hpp"
#include "anew/sharing/borrowed.hpp"

/// The strategy that polls: a caller's strategy whose classifier is what the acceptors said, and whose quota, gate and
/// pacer hear of failures, not of answers that are not there yet.
namespace anew::inline ANEW_ABI::detail {

/// What was seen last. It lives as long as the call.
struct watch {
  directive verdict = not_ready;
  bool failed = false;  ///< the request failed: not just "not ready"
  bool told = true;     ///< the listeners know of it
  std::uint32_t looks = 0;
  time_point deadline = time_point::max();
};

/// What the operation returns to the loop: the result itself stays where the caller finds it.
struct seen {
  watch const* by;
};

struct watch_classifier {
  using role = roles::classifier;
  [[nodiscard]] static constexpr directive classify_result(seen what) noexcept { return what.by->verdict; }
  [[nodiscard]] static std::string describe() { return "acceptors"; }
};

/// Pays for retries after failures, and gives back what a retry cost whose request succeeded.
template <class Quota>
class polling_quota : public borrowed<Quota> {
 public:
  using permit_type = typename Quota::permit_type;
  polling_quota(Quota const& quota, watch const& last) noexcept : borrowed<Quota>{quota}, last_{&last} {}

  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f) const
    requires AcquiresWithoutTime<Quota>
  {
    return last_->failed ? this->policy().try_acquire(f) : permit_type{};
  }
  [[nodiscard]] std::optional<permit_type> try_acquire(failure const& f, time_point now) const
    requires AcquiresWithTime<Quota>
  {
    return last_->failed ? this->policy().try_acquire(f, now) : permit_type{};
  }
  void on_failure(permit_type held) const {
    if (!last_->failed) {
      this->policy().on_success(held);
    } else if constexpr (requires(Quota const& q) { q.on_failure(held); }) {
      this->policy().on_failure(held);
    }
  }
  void on_attempt_failed(failure const& f) const {
    if constexpr (requires(Quota const& q) { q.on_attempt_failed(f); }) {
      if (last_->failed) this->policy().on_attempt_failed(f);
    }
  }

 private:
  watch const* last_;
};

template <class Gate>
class polling_gate : public borrowed<Gate> {
 public:
  using pass_type = typename Gate::pass_type;
  polling_gate(Gate const& gate, watch const& last) noexcept : borrowed<Gate>{gate}, last_{&last} {}

  void on_failure(pass_type pass, failure const& f, time_point now) const {
    last_->failed ? this->policy().on_failure(pass, f, now) : this->policy().on_success(pass, now);
  }
  template <class Random>
  void on_failure(pass_type pass, failure const& f, time_point now, Random&& random) const
    requires requires(Gate const& g) { g.on_failure(pass, f, now, random); }
  {
    last_->failed ? this->policy().on_failure(pass, f, now, random) : this->policy().on_success(pass, now);
  }

 private:
  watch const* last_;
};

template <class Pacer>
class polling_pacer : public borrowed<Pacer> {
 public:
  polling_pacer(Pacer const& pacer, watch const& last) noexcept : borrowed<Pacer>{pacer}, last_{&last} {}

  void on_failure(failure const& f, time_point now) const {
    last_->failed ? this->policy().on_failure(f, now) : this->policy().on_success(now);
  }

 private:
  watch const* last_;
};

/// A policy as a polling call has it. What belongs to nested calls and to the list of failures is left out: a look that
/// finds nothing is neither.
template <class P, class Role = typename P::role>
struct polling {
  static constexpr bool is_copied = true;
  using type = P;
};
template <class P>
struct polling<P, roles::classifier> {
  static constexpr bool is_copied = false;
  using type = watch_classifier;
};
template <class P>
struct polling<P, roles::nesting> {
  static constexpr bool is_copied = false;
  using type = absent<roles::nesting>;
};
template <class P>
struct polling<P, roles::history> {
  static constexpr bool is_copied = false;
  using type = absent<roles::history>;
};
template <class P>
  requires(!std::is_same_v<P, unlimited_quota>)
struct polling<P, roles::quota> {
  static constexpr bool is_copied = false;
  using type = polling_quota<P>;
};
template <class P>
  requires(!is_absent<P>)
struct polling<P, roles::gate> {
  static constexpr bool is_copied = false;
  using type = polling_gate<P>;
};
template <class P>
  requires(!is_absent<P>)
struct polling<P, roles::pacer> {
  static constexpr bool is_copied = false;
  using type = polling_pacer<P>;
};

template <class P>
struct policy_is_shared_or_copied {
  static constexpr bool value = !polling<P>::is_copied || std::is_copy_constructible_v<P>;
};

template <class P>
typename polling<P>::type polling_form(P const& own, [[maybe_unused]] watch const& last) {
  using form = typename polling<P>::type;
  if constexpr (polling<P>::is_copied) {
    return form{own};
  } else if constexpr (std::is_constructible_v<form, P const&, watch const&>) {
    return form{own, last};
  } else {
    return form{};
  }
}

/// A strategy that is not composed: its three functions, and the acceptors for its classifier.
template <class S>
class polling_view {
 public:
  using token_type = typename S::token_type;
  static constexpr bool has_deadline = HasDeadline<S>;
  static constexpr bool has_attempt_limit = HasAttemptLimit<S>;
  static constexpr bool has_admission = HasAdmission<S>;
  static constexpr bool has_gate = HasGate<S>;
  static constexpr bool has_pacer = HasPacer<S>;
  static constexpr bool has_observer = HasObserver<S>;
  static constexpr bool waits_before_refusal = WaitsBeforeTheEnd<S>;

  polling_view(S const& of, watch const& /*last*/) noexcept : of_{&of} {}

  [[nodiscard]] token_type acquire_initial_token() const { return of_->acquire_initial_token(); }
  [[nodiscard]] refreshed<token_type> refresh_retry_token(token_type&& token, failure const& what) const {
    return of_->refresh_retry_token(std::move(token), what);
  }
  void record_success(token_type&& token) const { of_->record_success(std::move(token)); }
  [[nodiscard]] auto admit(token_type& token, time_point now) const
    requires HasAdmission<S>
  {
    return of_->admit(token, now);
  }
  [[nodiscard]] decltype(auto) attempt_limit() const
    requires HasAttemptLimit<S>
  {
    return of_->attempt_limit();
  }
  [[nodiscard]] decltype(auto) observer() const
    requires HasObserver<S>
  {
    return of_->observer();
  }
  [[nodiscard]] time_point now() const { return now_of(*of_); }
  [[nodiscard]] static constexpr watch_classifier classifier() noexcept { return {}; }

 private:
  S const* of_;
};

template <class S>
auto polling_strategy(S const& strategy, watch const& last) {
  return polling_view<S>{strategy, last};
}
template <class... Ps>
auto polling_strategy(basic_strategy<Ps...> const& strategy, watch const& last) {
  using form = basic_strategy<typename polling<Ps>::type...>;
  return strategy.apply([&last](auto const&... own) { return form{detail::polling_form(own, last)...}; });
}

}  // namespace anew::inline ANEW_ABI::detail

/// A call that makes no attempt has seen nothing.
template <>
struct anew::refused_result<anew::detail::seen> {
  static anew::detail::seen make(anew::stop_reason /*why*/) noexcept { return {nullptr}; }
};

#endif
