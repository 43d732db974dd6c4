// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_SANITIZED_HPP
#define ANEW_TESTS_SUPPORT_SANITIZED_HPP

namespace support {

/// Which sanitizer watches: a test of many operations makes fewer where each of them costs ten times as much, and as many
/// as it says where it is races that are looked for.
#if defined(__has_feature)
inline constexpr bool watches_threads = __has_feature(thread_sanitizer);
inline constexpr bool watches_memory = __has_feature(address_sanitizer);
#else
#if defined(__SANITIZE_THREAD__)
inline constexpr bool watches_threads = true;
#else
inline constexpr bool watches_threads = false;
#endif
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool watches_memory = true;
#else
inline constexpr bool watches_memory = false;
#endif
#endif

}  // namespace support

#endif
