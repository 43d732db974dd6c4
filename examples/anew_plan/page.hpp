// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PLAN_PAGE_HPP
#define ANEW_PLAN_PAGE_HPP

#include <iosfwd>
#include <vector>

#include "options.hpp"
#include "verdict.hpp"

namespace anew_plan {

/// A page of HTML with its pictures in it, and no script: for each strategy what happened over time, how long the calls
/// took, and from which load on which outage holds the service down; side by side in a table.
void print_page(std::vector<verdict> const& verdicts, std::vector<drawing> const& drawings, settings const& s,
                std::ostream& to);

}  // namespace anew_plan

#endif
