// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SANITIZED_HPP
#define ANEW_TESTS_SUPPORT_SANITIZED_HPP

/// Which sanitizer watches: a test of many operations makes fewer where each of them costs ten times as much, and as many
/// as it says where it is races that are looked for. Macros, because ThreadSanitizer of clang brings its own operator new,
/// and a test that replaces it must not stand there.
#if defined(__has_feature)
#define ANEW_TEST_UNDER_TSAN __has_feature(thread_sanitizer)
#define ANEW_TEST_UNDER_ASAN __has_feature(address_sanitizer)
#else
#if defined(__SANITIZE_THREAD__)
#define ANEW_TEST_UNDER_TSAN 1
#else
#define ANEW_TEST_UNDER_TSAN 0
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ANEW_TEST_UNDER_ASAN 1
#else
#define ANEW_TEST_UNDER_ASAN 0
#endif
#endif

namespace support {

inline constexpr bool watches_threads = ANEW_TEST_UNDER_TSAN;
inline constexpr bool watches_memory = ANEW_TEST_UNDER_ASAN;

}  // namespace support

#endif
