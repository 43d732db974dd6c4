// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_MODES_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_MODES_HPP

#include "read.hpp"
#include "report.hpp"

namespace replay {

// Each replays the cases of one file. Throws `malformed` for a file that is not of its layout.

void replay_standard(json const& file, report& to);
void replay_backoff(json const& file, report& to);
void replay_cubic(json const& file, report& to);
void replay_rate(json const& file, report& to);
void replay_config(json const& file, report& to);
void replay_codes(json const& file, report& to);

}  // namespace replay

#endif
