// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_PINNED_HPP
#define ANEW_TESTS_SUPPORT_PINNED_HPP

namespace support {

/// A base of what is neither copied nor moved.
struct pinned {
  pinned() = default;
  pinned(pinned const&) = delete;
  pinned& operator=(pinned const&) = delete;
};

}  // namespace support

#endif
