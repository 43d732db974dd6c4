// SPDX-License-Identifier: BSL-1.0
#include <string_view>

#include "anew/base/platform/version.hpp"

static_assert(ANEW_VERSION_MAJOR >= 0 && ANEW_VERSION_MINOR >= 0 && ANEW_VERSION_PATCH >= 0);
static_assert(std::string_view{ANEW_VERSION_STRING}.find('.') != std::string_view::npos);
