// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_GATE_STRIPED_RATE_BREAKER_HPP
#define ANEW_POLICIES_GATE_STRIPED_RATE_BREAKER_HPP

/// `striped<rate_breaker<>>`: a rate breaker on which the successes of many threads do not contend.
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/now_view.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/stripe.hpp"
#include "anew/policies/gate/breaker_state.hpp"
#include "anew/policies/gate/internal/failure_window.hpp"
#include "anew/policies/gate/rate_breaker.hpp"
#include "anew/policies/quota/striped.hpp"
#include "anew/roles/gate.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Lets a plain breaker decide by successes that are counted elsewhere.
struct rate_breaker_access {
  static auto const& word(auto const& breaker) noexcept { return breaker.word_; }
  static auto const& window(auto const& breaker) noexcept { return breaker.window_; }
  static duration length(auto const& breaker) noexcept { return breaker.length_.get(); }
  template <class Breaker, class Successes>
  static void record_failure(Breaker const& breaker, Successes const& successes, typename Breaker::pass_type pass,
                             failure const& what, time_point now) noexcept {
    breaker.record_failure(successes, pass, what, now);
  }
};

/// A rate breaker whose successes are counted in stripes. Only a failure opens it, and failures are counted by the plain
/// breaker, in one ring: the last of them sees all others.
template <class Breaker, unsigned Stripes>
class striped_breaker {
 public:
  using role = roles::gate;
  using pass_type = typename Breaker::pass_type;

  striped_breaker() noexcept
    requires std::default_initializable<Breaker>
  = default;
  template <class... Values>
    requires(sizeof...(Values) > 0 && std::constructible_from<Breaker, Values...>)
  explicit striped_breaker(Values&&... values) : breaker_{std::forward<Values>(values)...} {}

  [[nodiscard]] admission<pass_type> try_enter(Time auto&& now) const { return breaker_.try_enter(now); }
  void on_success(pass_type pass, time_point now) const noexcept {
    if (!access::word(breaker_).is_counted_while_closed(pass)) return breaker_.on_success(pass, now);
    auto const& mine = stripes_[thread_number() % Stripes].ring;
    auto const owner = breaker_word::generation_of_pass(pass);
    mine.add(owner, now, access::length(breaker_), [this, &mine](std::uint32_t whose) {
      successes_of{*this}.halve(whose, &mine);
      access::window(breaker_).halve_failures(whose);
    });
  }
  void on_failure(pass_type pass, failure const& what, time_point now) const noexcept {
    access::record_failure(breaker_, successes_of{*this}, pass, what, now);
  }
  void release(pass_type pass) const noexcept { breaker_.release(pass); }
  [[nodiscard]] bool would_refuse(time_point time) const noexcept { return breaker_.would_refuse(time); }

  [[nodiscard]] breaker_state state() const noexcept { return breaker_.state(); }
  [[nodiscard]] bool is_untouched() const noexcept { return breaker_.is_untouched(); }
  [[nodiscard]] std::string describe() const { return breaker_.describe(); }

 private:
  friend kept_state<striped_breaker>;
  using access = rate_breaker_access;
  using ring_type = failure_window<>::ring;

  /// The stripes as one, with what a plain breaker had counted before it was striped.
  struct successes_of {
    striped_breaker const& of;

    [[nodiscard]] auto read() const noexcept {
      ring_type::template snapshot<Stripes + 1> seen;
      for (unsigned i = 0; i != Stripes; ++i) seen.read(i, of.stripes_[i].ring);
      seen.read(Stripes, access::window(of.breaker_).successes());
      return seen;
    }
    void halve(std::uint32_t owner, ring_type const* except = nullptr) const noexcept {
      for (auto const& each : of.stripes_) {
        if (&each.ring != except) each.ring.halve(owner);
      }
      access::window(of.breaker_).successes().halve(owner);
    }
  };
  struct alignas(cache_line) stripe_of_ring {
    ring_type ring;
  };

  alignas(cache_line) Breaker breaker_;
  stripe_of_ring stripes_[Stripes]{};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
