// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_SELECT_HPP
#define ANEW_BASE_PLATFORM_SELECT_HPP

/// The operating system that anew asks for time, sleep, randomness and locks, as one of these macros:
///
/// | macro | system |
/// |---|---|
/// | `ANEW_PLATFORM_LINUX` | Linux, with any C library |
/// | `ANEW_PLATFORM_APPLE` | macOS, iOS |
/// | `ANEW_PLATFORM_POSIX` | any other POSIX system |
/// | `ANEW_PLATFORM_WINDOWS` | Windows |
/// | `ANEW_PLATFORM_WASI` | WebAssembly with WASI, one thread |
/// | `ANEW_PLATFORM_NONE` | no operating system: you compose clock, sleeper and source of randomness, and one thread runs |
///
/// The compiler's macros choose one. Define one yourself, for the whole program, to choose another.

#if !defined(ANEW_PLATFORM_LINUX) && !defined(ANEW_PLATFORM_APPLE) && !defined(ANEW_PLATFORM_POSIX) && \
    !defined(ANEW_PLATFORM_WINDOWS) && !defined(ANEW_PLATFORM_WASI) && !defined(ANEW_PLATFORM_NONE)
#if defined(__linux__)
#define ANEW_PLATFORM_LINUX 1
#elif defined(__APPLE__)
#define ANEW_PLATFORM_APPLE 1
#elif defined(_WIN32)
#define ANEW_PLATFORM_WINDOWS 1
#elif defined(__wasi__)
#define ANEW_PLATFORM_WASI 1
#elif defined(__unix__)
#define ANEW_PLATFORM_POSIX 1
#else
#define ANEW_PLATFORM_NONE 1
#endif
#endif

// The standard library and Hana break under these macros of <windows.h> as well. A file that is not found ends the
// compilation; after an #error it would go on.
#if defined(min) || defined(max)
#include "anew requires that min and max are no macros: compile with -DNOMINMAX, which keeps <windows.h> from defining them"
#endif

#endif
