// SPDX-License-Identifier: BSL-1.0
#ifndef TESTS_SUPPORT_FOR_ONE_CALL_HPP
#define TESTS_SUPPORT_FOR_ONE_CALL_HPP

namespace support {

/// A strategy that a test makes for one call, with its quota: an lvalue until the end of the statement, because a call
/// refuses the temporary.
template <class Strategy>
Strategy const& for_one_call(Strategy const& strategy) noexcept {
  return strategy;  // NOLINT(bugprone-return-const-ref-from-parameter): for the length of the statement
}

}  // namespace support

#endif
