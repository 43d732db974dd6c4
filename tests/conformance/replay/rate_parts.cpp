// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
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

anew::rate_limiter_constants constants_of(json const& file, json const& section) {
  anew::rate_limiter_constants constants{};
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

void skip_others(json const& file, std::initializer_list<std::string_view> replayed, report& to) {
  for (auto const& [name, part] : file.items()) {
    if (std::ranges::find(replayed, name) != replayed.end()) continue;
    if (holds_rows(part)) {
      to.skip(name, why_skipped);
    } else if (holds_cases(part)) {
      for (std::size_t i = 0; i < part.size(); ++i) to.skip(id_of(part[i], name, i), why_skipped);
    }
  }
}

}  // namespace replay
