// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_CLASSIFIER_HTTP_STATUSES_HPP
#define ANEW_POLICIES_CLASSIFIER_HTTP_STATUSES_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "anew/base/directive.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/invalid_argument.hpp"
#include "anew/policies/classifier/http_answer.hpp"
#include "anew/policies/classifier/http_status.hpp"
#include "anew/roles/roles.hpp"

namespace anew::inline ANEW_ABI {

/// `http_status_classifier` with statuses that are known at run time: `http_statuses{429, http::any_5xx}`; by default
/// 408, 429, 500, 502, 503 and 504.
///
/// Models: Classifier (64 bytes)      Cost: a few compares and a look into a set of bits
/// Formula: none
/// Requires: at least one status from 100 to 599, http::any_4xx or http::any_5xx; any other throws std::invalid_argument
/// Choose it where a setting names the statuses. Not where the program knows them: http_status_classifier.
/// Source: that of http_status_classifier
class http_statuses : public http_status_classifier<> {
 public:
  using role = roles::classifier;

  constexpr http_statuses() : http_statuses{408, 429, 500, 502, 503, 504} {}
  constexpr http_statuses(std::initializer_list<int> named) {  // NOLINT(*-explicit-*): a list of statuses
    if (named.size() == 0) detail::invalid_argument("http_statuses", "at least one status must be named", "none");
    for (int const status : named) add(status);
  }
  /// Names one more.
  constexpr void add(int status) {
    bool const is_class = status == http::any_4xx || status == http::any_5xx;
    if (!is_class && (status < lowest || status > highest)) {
      detail::invalid_argument("http_statuses", "a status must be from 100 to 599, 4xx or 5xx", std::to_string(status));
    }
    int const first = is_class ? -100 * status : status;
    for (int each = first; each != first + (is_class ? 100 : 1); ++each) bits_[place(each)] |= bit(each);
  }
  [[nodiscard]] constexpr bool contains(int status) const noexcept {
    return status >= lowest && status <= highest && (bits_[place(status)] & bit(status)) != 0;
  }

  [[nodiscard]] constexpr directive classify(detail::HttpStatus auto const& error) const {
    return detail::read_http_status(error, *this);
  }
  [[nodiscard]] constexpr directive classify_result(detail::HttpStatus auto const& response) const {
    return detail::read_http_answer(response, *this);
  }

  [[nodiscard]] std::string describe() const { return detail::describe_http_statuses(*this); }

  friend constexpr bool operator==(http_statuses const&, http_statuses const&) = default;

 private:
  static constexpr int lowest = 100;
  static constexpr int highest = 599;
  static constexpr std::size_t place(int status) noexcept { return static_cast<std::size_t>(status - lowest) / 64; }
  static constexpr std::uint64_t bit(int status) noexcept { return std::uint64_t{1} << ((status - lowest) % 64); }

  std::uint64_t bits_[8] = {};
};

}  // namespace anew::inline ANEW_ABI

#endif
