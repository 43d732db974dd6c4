// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_HDR_FORMAT_HPP
#define ANEW_LOAD_HDR_FORMAT_HPP

// The two forms of text in which HdrHistogram and the tools around it keep a histogram.

#include <chrono>
#include <iosfwd>
#include <string>
#include <string_view>

#include "latency.hpp"

namespace anew_load {

/// The distribution by percentiles, in milliseconds, as outputPercentileDistribution() of HdrHistogram prints it.
void print_percentiles(latencies const& took, std::ostream& out);

/// The head of a log of HdrHistogram, version 1.3.
void print_log_head(std::chrono::system_clock::time_point start, std::ostream& out);
/// A line of it: one interval. Without a tag where it is empty; a tag has no comma and no blank.
void print_log_line(std::string_view tag, anew::duration start, anew::duration length, latencies const& took,
                    std::ostream& out);

}  // namespace anew_load

#endif
