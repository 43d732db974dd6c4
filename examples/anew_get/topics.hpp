// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_TOPICS_HPP
#define ANEW_GET_TOPICS_HPP

#include "help.hpp"

namespace anew_get {

/// Of anew-get.
[[nodiscard]] help_page const& help();

}  // namespace anew_get

#endif
