// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROCESS_INTERNAL_REQUIRES_LINUX_HPP
#define ANEW_PROCESS_INTERNAL_REQUIRES_LINUX_HPP

#include "anew/platform/compiler.hpp"

// It recognizes dead processes and the last boot by what Linux says in /proc. A file that is not found ends the
// compilation.
#if !defined(ANEW_PLATFORM_LINUX)
#include "anew requires Linux for anew/process: use anew::token_bucket or anew::redis_bucket"
#endif

#endif
