// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "rate_parts.hpp"

namespace replay {

namespace {

constexpr char const* why_skipped = "described in words, a test to write";

bool holds_rows(json const& part) { return part.is_object() && part.contains("rows"); }

bool holds_cases(json const& part) {
  return part.is_array() && std::ranges::any_of(part, [](json const& one) {
           return one.is_object() && (one.contains("id") || one.contains("expected"));
         });
}

}  // namespace

namespace {

/// Constants of the library's limiter: a file with other values describes another limiter.
json const& fixed_constants() {
  static json const fixed = json::parse(R"json({
    "measure_bucket_s": 0.5, "send_token_cost": 1, "rate_growth_limit": "2*measured",
    "initial": {"enabled": false, "fill_rate": 0.0, "max_capacity": 0.0, "current_capacity": 0.0,
                "last_timestamp": null, "measured_tx_rate": 0.0, "last_tx_rate_bucket": "floor(now)",
                "request_count": 0, "last_max_rate": 0.0, "last_throttle_time": "now"}})json");
  return fixed;
}

constexpr std::array<std::string_view, 5> changeable{"beta", "scale_constant", "smooth", "min_fill_rate",
                                                     "min_capacity"};

void refuse_other_constants(json const& constants) {
  for (auto const& [name, value] : constants.items()) {
    auto const fixed = fixed_constants().find(name);
    if (fixed == fixed_constants().end()) continue;
    bool const is_part =
        fixed->is_object() && value.is_object() && std::ranges::all_of(value.items(), [&](auto const& one) {
          return fixed->contains(one.key()) && fixed->at(one.key()) == one.value();
        });
    if (!is_part && value != *fixed)
      throw malformed{std::string{"'"}.append(name).append("' is not as in the library")};
  }
  refuse_other_than_constants(constants, {"measure_bucket_s", "send_token_cost", "rate_growth_limit", "initial"},
                              "'constants'");
}

}  // namespace

void refuse_other_than_constants(json const& object, std::vector<std::string_view> known, std::string_view where) {
  known.insert(known.end(), changeable.begin(), changeable.end());
  refuse_others(object, known, where);
}

anew::rate_limiter_constants constants_of(json const& file, json const& section) {
  anew::rate_limiter_constants constants{};
  if (auto const* const stated = find(file, "constants"); stated != nullptr) refuse_other_constants(*stated);
  for (auto const* const stated : {find(file, "constants"), &section}) {
    if (stated == nullptr) continue;
    auto const take = [stated](char const* name, double& value) {
      if (find(*stated, name) != nullptr) value = number(*stated, name);
    };
    take("beta", constants.beta);
    take("scale_constant", constants.scale);
    take("smooth", constants.smooth);
    take("min_fill_rate", constants.min_fill_rate);
    take("min_capacity", constants.min_capacity);
  }
  return constants;
}

double tolerance_of(json const& file, json const& section) {
  constexpr double usual = 1e-9;
  for (auto const* const where : {&section, &file}) {
    if (find(*where, "tolerance") != nullptr) return number(*where, "tolerance");
  }
  return usual;
}

anew::time_point time_or_zero(json const& object, char const* name) {
  double const seconds = find(object, name) == nullptr ? 0 : number(object, name);
  constexpr double most = 9e9;
  if (!(std::abs(seconds) <= most)) throw malformed{std::string{"'"}.append(name).append("' is beyond 285 years")};
  return anew::time_point{anew::duration{static_cast<std::int64_t>(std::llround(seconds * 1e9))}};
}

std::optional<difference> outside(json const& object, char const* name, double got) {
  auto const& bounds = need(object, name);
  if (!bounds.is_array() || bounds.size() != 2 || to_number(bounds[0], name) > to_number(bounds[1], name)) {
    throw malformed{std::string{"'"}.append(name).append("' is no list of a least and a greatest number")};
  }
  if (to_number(bounds[0], name) <= got && got <= to_number(bounds[1], name)) return std::nullopt;
  return difference{std::string{name}.append(" ").append(bounds.dump()), shown(got)};
}

void skip_others(json const& file, std::initializer_list<std::string_view> replayed, report& to) {
  for (auto const& [name, part] : file.items()) {
    if (std::ranges::find(replayed, name) != replayed.end()) continue;
    if (holds_rows(part)) {
      to.skip(name, part, why_skipped);
    } else if (holds_cases(part)) {
      for (std::size_t i = 0; i < part.size(); ++i) to.skip(id_of(part[i], name, i), part[i], why_skipped);
    }
  }
}

}  // namespace replay
