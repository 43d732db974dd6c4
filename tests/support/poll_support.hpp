// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_POLL_SUPPORT_HPP
#define ANEW_TESTS_SUPPORT_POLL_SUPPORT_HPP

#include <vector>

namespace support {

/// Replays what it was given; the last one again and again.
template <class R>
struct replay {
  std::vector<R> answers;
  unsigned calls = 0;
  R operator()() { return answers[calls < answers.size() ? calls++ : (calls++, answers.size() - 1)]; }
};

}  // namespace support

#endif
