// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_RETRY_WHILE_HPP
#define ANEW_POLICIES_CLASSIFIER_RETRY_WHILE_HPP

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/retry_if.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// Retries while a predicate is true of the result; every other result is a success.
///
/// `retry_while<is_pending>`, `retry_while{[](int bytes) { return bytes == 0; }}`. It reads results and no errors. A
/// predicate whose parameter is `auto` reads nothing: name the result's type. It must be callable when const and safe from
/// many threads.
///
/// Models: Classifier      Cost: the predicate
/// Formula: none
/// Requires: a predicate that takes one argument and returns a bool
/// Choose it for values that are not ready yet. Not where some results are failures that another attempt cannot help:
/// retry_if with a predicate that returns a directive.
/// Source: tenacity's `retry_if_result`
template <class Predicate>
class retry_while {
 public:
  using role = roles::classifier;

  constexpr retry_while()
    requires(std::is_class_v<Predicate> && std::default_initializable<Predicate>)
  = default;
  constexpr explicit retry_while(Predicate predicate) : predicate_{std::move(predicate)} {}

  template <class R>
    requires detail::PredicateThatNames<Predicate, R>
  [[nodiscard]] constexpr directive classify_result(R const& result) const {
    return detail::ask_predicate(predicate_, result, directive::succeed());
  }
  static constexpr bool has_an_opinion = true;
  using reads_only = typename detail::predicate_reads<Predicate>::type;

  template <class R>
  static constexpr bool accepts_result = retry_if<Predicate>::template accepts_result<R>;
  template <class R>
  static consteval void explain_result() {
    retry_if<Predicate>::template explain_result<R>();
  }

  [[nodiscard]] static std::string describe() { return "retry_while"; }

 private:
  ANEW_NO_UNIQUE_ADDRESS Predicate predicate_;
};

template <class Predicate>
retry_while(Predicate) -> retry_while<Predicate>;

}  // namespace anew::inline ANEW_ABI

#endif
