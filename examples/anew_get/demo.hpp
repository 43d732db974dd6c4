// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_DEMO_HPP
#define ANEW_GET_DEMO_HPP

#include <iosfwd>
#include <stop_token>

#include "text.hpp"

namespace anew_get {

inline constexpr unsigned number_of_scenes = 6;

/// Shows what can happen against a server inside the program, and checks that it happens. `scene` 0: all of them.
/// Returns whether everything went as it should.
[[nodiscard]] bool run_demo(unsigned scene, bool json, std::ostream& out, paint colours, std::stop_token stop);

}  // namespace anew_get

#endif
