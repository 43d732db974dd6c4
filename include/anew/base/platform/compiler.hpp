// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_COMPILER_HPP
#define ANEW_BASE_PLATFORM_COMPILER_HPP

#include <version>

#include "anew/base/platform/version.hpp"

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

/// The compiler's features, in the only macros of the library.

// A file that is not found ends the compilation; after an #error it would go on, and a thousand errors would follow.
#if defined(_MSVC_LANG) ? _MSVC_LANG < 202002L : !defined(__cplusplus) || __cplusplus < 202002L
#include "anew requires C++20: compile with -std=c++20 or newer"
#endif

#if !defined(__GNUC__) && !defined(__clang__) && !defined(_MSC_VER)
#include "anew requires g++ 12 or newer, clang 16 or newer, or MSVC 19.30 or newer"
#endif

/// 1 where exceptions exist. Without them an operation reports its errors by value, and a run-time value that
/// a constructor rejects ends the program with the message that `std::invalid_argument` would have carried.
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define ANEW_EXCEPTIONS 1
#else
#define ANEW_EXCEPTIONS 0
#endif

/// The inline namespace that holds every name: the version, and a word for each switch that changes a layout or a
/// meaning, where it is not as usual. You write `anew::retry`; the mangled name tells the builds apart, so that units
/// with and without exceptions, or of two versions of anew, live in one program, and what they would misread of each
/// other does not link. docs/reference/abi.md says which builds may hand each other what.
#if ANEW_EXCEPTIONS
#define ANEW_ABI_EXCEPTIONS
#else
#define ANEW_ABI_EXCEPTIONS _no_exceptions
#endif
#if defined(__cpp_rtti)
#define ANEW_ABI_RTTI
#else
#define ANEW_ABI_RTTI _no_rtti
#endif
#if defined(_LIBCPP_VERSION) && defined(__cpp_lib_jthread)
#define ANEW_ABI_LIBRARY _libcpp
#elif defined(_LIBCPP_VERSION)
#define ANEW_ABI_LIBRARY _libcpp_no_jthread
#elif defined(_GLIBCXX_DEBUG)
#define ANEW_ABI_LIBRARY _glibcxx_debug
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define ANEW_ABI_LIBRARY _old_strings
#else
#define ANEW_ABI_LIBRARY
#endif
#if defined(ANEW_STANDALONE_ASIO)
#define ANEW_ABI_ASIO _standalone_asio
#else
#define ANEW_ABI_ASIO
#endif
#if defined(ANEW_SINGLE_THREADED) && !defined(ANEW_PLATFORM_NONE)
#include "anew requires ANEW_PLATFORM_NONE with ANEW_SINGLE_THREADED: define both, or neither"
#elif defined(ANEW_SINGLE_THREADED)
#define ANEW_ABI_SYSTEM _no_system_one_thread
#elif defined(ANEW_PLATFORM_NONE)
#define ANEW_ABI_SYSTEM _no_system
#else
#define ANEW_ABI_SYSTEM
#endif
#define ANEW_ABI_JOIN(major, minor, exceptions, rtti, library, asio, system) \
  v##major##_##minor##exceptions##rtti##library##asio##system
#define ANEW_ABI_JOINED(major, minor, exceptions, rtti, library, asio, system) \
  ANEW_ABI_JOIN(major, minor, exceptions, rtti, library, asio, system)
#define ANEW_ABI                                                                                                \
  ANEW_ABI_JOINED(ANEW_VERSION_MAJOR, ANEW_VERSION_MINOR, ANEW_ABI_EXCEPTIONS, ANEW_ABI_RTTI, ANEW_ABI_LIBRARY, \
                  ANEW_ABI_ASIO, ANEW_ABI_SYSTEM)

/// Keeps an entity unique across shared libraries that hide their symbols: every type that is thrown or cast, so that
/// it is caught by its type, and the state that a process has once. Windows has no such thing: there each DLL has its
/// own state.
#if defined(ANEW_PLATFORM_WINDOWS)
#define ANEW_VISIBLE
#define ANEW_HIDDEN
#else
#define ANEW_VISIBLE [[gnu::visibility("default")]]
#define ANEW_HIDDEN [[gnu::visibility("hidden")]]
#endif

/// A variable of each thread, initialized by a constant. Without an operating system one thread runs.
#if defined(ANEW_PLATFORM_NONE)
#define ANEW_THREAD_LOCAL constinit
#else
#define ANEW_THREAD_LOCAL constinit thread_local
#endif

/// Whether a thread destroys its variables when it ends. g++ for Windows frees their memory before it runs their
/// destructors (https://gcc.gnu.org/bugzilla/show_bug.cgi?id=80816), so that a destructor writes to memory that another
/// thread may own. Where this is 0, nothing is kept for the next call of a thread.
#if defined(ANEW_PLATFORM_NONE) || defined(__MINGW32__)
#define ANEW_THREADS_DESTROY 0
#else
#define ANEW_THREADS_DESTROY 1
#endif

/// Defined where the compiler does not have the builtin atomic operations of GNU, to use those of the standard library,
/// which take longer to compile. You may define it for any compiler.
#if !defined(ANEW_STANDARD_ATOMICS) && defined(_MSC_VER) && !defined(__clang__)
#define ANEW_STANDARD_ATOMICS
#endif

/// A member of an empty type takes no room. It has no default member initialiser, nor `{}` or `()` in a constructor: g++
/// 12 writes zeros for these, and where the member is empty they hit what stands at its address. The ABI of MSVC ignores
/// the standard's attribute.
#if __has_cpp_attribute(msvc::no_unique_address)
#define ANEW_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define ANEW_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

#if defined(__GNUC__) || defined(__clang__)
/// Not part of its caller.
#define ANEW_NOINLINE [[gnu::noinline]]

/// Where the way to success is left, and what runs once per call: out of line, away from the code that runs every time.
/// g++ compiles it for size and inlines nothing into it.
#define ANEW_COLD [[gnu::noinline, gnu::cold]]

/// For code that runs on each retry: out of line, and optimised for speed. Without `hot` g++ finds that it is called by
/// cold functions alone, and compiles it, with all that it inlines, for size.
#define ANEW_OUT_OF_LINE [[gnu::noinline, gnu::hot]]

/// The first attempt is inlined where it is called, whatever the size of the operation.
#define ANEW_INLINE [[gnu::always_inline]] inline

/// The same for a lambda, behind its parameters: a closure that is not inlined is built on the path of every call.
#define ANEW_INLINE_LAMBDA __attribute__((always_inline))

/// The loop behind it has few turns, whose number is a constant.
#define ANEW_UNROLL _Pragma("GCC unroll 16")
#else
#define ANEW_NOINLINE [[msvc::noinline]]
#define ANEW_COLD [[msvc::noinline]]
#define ANEW_OUT_OF_LINE [[msvc::noinline]]
#define ANEW_INLINE [[msvc::forceinline]] inline
#define ANEW_INLINE_LAMBDA [[msvc::forceinline]]
#define ANEW_UNROLL
#endif

#endif
