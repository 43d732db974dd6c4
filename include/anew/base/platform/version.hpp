// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_VERSION_HPP
#define ANEW_BASE_PLATFORM_VERSION_HPP

/// The version of these headers; Meson, pkg-config and CMake report the same one.

#define ANEW_VERSION_MAJOR 0
#define ANEW_VERSION_MINOR 1
#define ANEW_VERSION_PATCH 0
#define ANEW_VERSION_STRING "0.1.0"

#endif
