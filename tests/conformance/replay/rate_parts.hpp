// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_RATE_PARTS_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_RATE_PARTS_HPP

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/policies/pacer/rate_limiter_constants.hpp"

#include "read.hpp"
#include "report.hpp"

namespace replay {

/// The constants that the section states, else the file; those that neither does are the library's.
[[nodiscard]] anew::rate_limiter_constants constants_of(json const& file, json const& section);

/// As `refuse_others`, of an object that may state constants too.
void refuse_other_than_constants(json const& object, std::vector<std::string_view> known, std::string_view where);

/// The section's tolerance, else the file's, else 1e-9.
[[nodiscard]] double tolerance_of(json const& file, json const& section);

/// A time in seconds of a clock that began at zero, which is what an absent one is.
[[nodiscard]] anew::time_point time_or_zero(json const& object, char const* name);

/// A number that is not between the two of the object's list `name`, both included.
[[nodiscard]] std::optional<difference> outside(json const& object, char const* name, double got);

/// A line for each part of the file that looks like cases and is not replayed.
void skip_others(json const& file, std::initializer_list<std::string_view> replayed, report& to);

}  // namespace replay

#endif
