// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PACER_WORDS_HPP
#define ANEW_PACER_WORDS_HPP

#include <initializer_list>
#include <utility>

#include "anew/pacer/client_rate_limiter.hpp"
#include "anew/pacer/rate_limiter_constants.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/word.hpp"

/// The words of pacers, for anew/compose/notation.
namespace anew::inline ANEW_ABI::words {

template <when_limited Then>
struct client_rate_limiter_of {
  using policy_type = anew::client_rate_limiter<Then, at_run_time<rate_limiter_constants>>;
  static constexpr word_form form{
      "client_rate_limiter", "client_rate_limiter, or client_rate_limiter(fail_fast,beta=0.7,scale=0.4,...)", 0, 8};
  static bool accepts(word const& w) {
    return (w.size() != 0 && w[0].names("fail_fast")) == (Then == when_limited::fail_fast);
  }
  static policy_type read(word const& w) {
    w.expect_keys({"beta", "scale", "smooth", "min_fill_rate", "min_capacity", "longest_queue", "longest_wait"});
    if (w.without_key() > (Then == when_limited::fail_fast ? 1U : 0U)) {
      w[w.without_key() - 1].refuse(word::quoted(w[w.without_key() - 1].all) + " must be fail_fast, or have a name");
    }
    rate_limiter_constants c{};
    auto const take = [&w](char const* name, double& into) {
      if (auto const given = w.with_key(name)) into = given->as_number();
    };
    take("beta", c.beta);
    take("scale", c.scale);
    take("smooth", c.smooth);
    take("min_fill_rate", c.min_fill_rate);
    take("min_capacity", c.min_capacity);
    take("longest_queue", c.longest_queue);
    take("longest_wait", c.longest_wait);
    return policy_type{c};
  }
};

}  // namespace anew::inline ANEW_ABI::words

#endif
