// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_CONFIG_HPP
#define ANEW_CONFIG_HPP

/// What the compiler offers, in the only macros of the library.

#if !defined(__cplusplus) || __cplusplus < 202002L
#error "anew requires C++20: compile with -std=c++20 or newer"
#endif

#if !defined(__GNUC__) && !defined(__clang__)
#error "anew requires g++ 12 or newer, or clang 16 or newer"
#endif

/// 1 where exceptions exist. Without them an operation reports its errors by value, and a run-time value that
/// a constructor rejects ends the program with the message that `std::invalid_argument` would have carried.
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define ANEW_EXCEPTIONS 1
#else
#define ANEW_EXCEPTIONS 0
#endif

/// A member of an empty type takes no room.
#define ANEW_NO_UNIQUE_ADDRESS [[no_unique_address]]

/// What runs only after a failure: out of line, away from the code that runs every time.
#define ANEW_COLD [[gnu::noinline, gnu::cold]]

/// The first attempt is inlined where it is called, whatever the size of the operation.
#define ANEW_INLINE [[gnu::always_inline]] inline

/// The same for a lambda, behind its parameters: a closure that is not inlined is built on the path of every call.
#define ANEW_INLINE_LAMBDA __attribute__((always_inline))

#endif
