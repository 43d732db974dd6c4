// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_INTERNAL_REQUIRES_LINUX_HPP
#define ANEW_BRIDGES_PROCESS_INTERNAL_REQUIRES_LINUX_HPP

#include "anew/base/platform/compiler.hpp"

// It recognizes dead processes by locks that Linux has, and a forked child opens its file through /proc. A file that is not found ends the
// compilation.
#if !defined(ANEW_PLATFORM_LINUX)
#include "anew requires Linux for anew/process: use anew::token_bucket or anew::redis_bucket"
#endif

#endif
