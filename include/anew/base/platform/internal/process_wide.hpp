// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BASE_PLATFORM_INTERNAL_PROCESS_WIDE_HPP
#define ANEW_BASE_PLATFORM_INTERNAL_PROCESS_WIDE_HPP

#include <cstdint>

#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"

/// State that a process has once, whatever builds and versions of the library it contains, in whichever shared
/// libraries.
///
/// It stands outside of the namespace that names the build, and is visible even in a library that hides its symbols. The
/// number at the end of a name stands for layout and meaning: who changes either counts it up, and the old name stays
/// what it was. Types are made of numbers and pointers alone, because nothing else is the same in all builds.
namespace anew_process {

/// The test mode: most attempts of a call, or 0 when it is off.
ANEW_VISIBLE inline constinit std::uint32_t test_mode_1 = 0;

/// The seed of all generators; 0 before the first draw, and again in a forked child.
ANEW_VISIBLE inline constinit std::uint64_t seed_1 = 0;
/// How many threads have taken a stream of that seed.
ANEW_VISIBLE inline constinit std::uint64_t streams_1 = 0;
/// How many virtual strategies were made: the number of each, by which its tokens know it.
ANEW_VISIBLE inline constinit std::uint64_t virtual_strategies_1 = 0;
/// Counts forks: another number than before means that this process is a child.
ANEW_VISIBLE inline constinit std::uint32_t fork_generation_1 = 1;

/// A failure as another build reads it: the values of `anew::error_kind` and `anew::retry_safety`, nanoseconds.
struct failure_1 {
  std::int64_t hint;
  std::uint8_t kind;
  std::uint8_t safety;
  bool has_hint;
};
/// A quota whose type is forgotten, and a permit of it as 8 bytes.
struct lent_quota_1 {
  void const* quota;
  bool (*try_acquire)(void const* quota, failure_1 const& what, std::uint64_t& permit);
  void (*settle)(void const* quota, std::uint64_t permit, int how);
};
/// An attempt under way of a call that has a nesting guard, and the quota that pays for the calls in it.
struct nesting_scope_1 {
  nesting_scope_1 const* outer;
  lent_quota_1 pays;
};
ANEW_VISIBLE inline ANEW_THREAD_LOCAL nesting_scope_1 const* innermost_scope_1 = nullptr;
/// The retries that the request which the thread serves was told of.
ANEW_VISIBLE inline ANEW_THREAD_LOCAL std::uint32_t retries_above_1 = 0;

}  // namespace anew_process

namespace anew::inline ANEW_ABI::detail {

/// 0: off. Else every call of the process makes at most so many attempts, and waits for nothing. Read after a failed
/// attempt only, so that a call that succeeds at once does not read it. Written by anew/testing/test_mode.hpp.
inline atomic_view<std::uint32_t> test_mode_word() noexcept {
  return atomic_view<std::uint32_t>{anew_process::test_mode_1};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
