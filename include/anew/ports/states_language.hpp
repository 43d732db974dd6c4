// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_STATES_LANGUAGE_HPP
#define ANEW_PORTS_STATES_LANGUAGE_HPP

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/presets/step_functions/retriers.hpp"
#include "anew/text/json/invalid_setting.hpp"

namespace anew::inline ANEW_ABI::step_functions {

namespace detail {

using anew::detail::json_settings::node;

inline duration seconds_of(node const& at, std::uint64_t most) {
  return std::chrono::seconds{anew::detail::json_settings::whole(at, 1, most)};
}

inline retrier_settings read_retrier(node const& at) {
  using namespace anew::detail::json_settings;  // NOLINT(google-build-using-namespace)
  at.object();
  retrier_settings read{};
  for (auto const& [name, value] : at.value->items()) {
    node const field{&value, member(at.path, name)};
    if (name == "ErrorEquals") {
      field.array();
      for (std::size_t i = 0; i != field.size(); ++i) read.error_equals.push_back(field[i].string());
    } else if (name == "IntervalSeconds") {
      read.interval = seconds_of(field, static_cast<std::uint64_t>(most_of_all));
    } else if (name == "MaxAttempts") {
      read.max_attempts = static_cast<std::uint32_t>(whole(field, 0, static_cast<std::uint64_t>(most_of_all)));
    } else if (name == "BackoffRate") {
      read.backoff_rate = factor_of(field);
    } else if (name == "MaxDelaySeconds") {
      read.max_delay = seconds_of(field, static_cast<std::uint64_t>(max_delay_is_below.count()) - 1);
    } else if (name == "JitterStrategy") {
      if (field.string() != "FULL" && field.string() != "NONE") field.reject(R"(must be "FULL" or "NONE")");
      read.jitter = field.string() == "FULL" ? jitter_strategy::full : jitter_strategy::none;
    } else if (name != "Comment") {
      field.reject("must not be there: a retrier has no such field");
    }
  }
  static_cast<void>(at.required("ErrorEquals"));
  return read;
}

}  // namespace detail

/// Reads the Retry field of a state: the array itself, or an object that has it, as a state does.
///
///     auto const retriers = anew::step_functions::read_retriers(R"([{"ErrorEquals": ["States.ALL"], "BackoffRate": 1.5}])");
///     anew::step_functions::strategy const strategy{retriers};
///
/// BackoffRate is exact: 1.1 is 11/10. Of the other members of a state nothing is read. An object without a Retry field
/// has no retriers: such a strategy never retries.
/// Throws: `anew::invalid_setting`, which names the field ("Retry[1].BackoffRate"), what it must be, and its value. An unknown
/// field is refused, because a default would hide a misspelling. So are values that a workflow computes (JSONata), more than
/// 1000 retriers, and a text beyond `json_limits`.
/// Requires: the header nlohmann/json.hpp
/// Source: Amazon States Language, "Retrying after error"
// A template, or a string would convert to a document.
template <std::same_as<nlohmann::json> Json>
[[nodiscard]] retriers read_retriers(Json const& document) {
  using anew::detail::json_settings::node;
  node at{&document, ""};
  if (document.is_object()) {
    if (!at.has("Retry")) return retriers{{}};
    at = at["Retry"];
  } else {
    at.path = "Retry";
  }
  at.array();
  if (at.size() > detail::most_retriers) {
    anew::detail::json_settings::reject(at.path, "must have at most 1000 retriers", std::to_string(at.size()));
  }
  std::vector<retrier_settings> list;
  for (std::size_t i = 0; i != at.size(); ++i) list.push_back(detail::read_retrier(at[i]));
  if (auto const found = detail::fault_of(list)) {
    auto path = std::string{"Retry"};
    if (*found->field != '\0') {
      path.append("[").append(std::to_string(found->index)).append("].").append(found->field);
    }
    anew::detail::json_settings::reject(std::move(path), found->requirement, found->value);
  }
  return retriers{std::move(list)};
}

/// The same from text, each of whose objects has each name once.
[[nodiscard]] inline retriers read_retriers(std::string_view text) {
  return read_retriers(anew::detail::json_settings::parse(text));
}

}  // namespace anew::inline ANEW_ABI::step_functions

#endif
