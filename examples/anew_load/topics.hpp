// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_LOAD_TOPICS_HPP
#define ANEW_LOAD_TOPICS_HPP

#include "help.hpp"

namespace anew_load {

/// Of anew-load.
[[nodiscard]] anew_get::help_page const& help();

}  // namespace anew_load

#endif
