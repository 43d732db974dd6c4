// SPDX-License-Identifier: BSL-1.0
#ifndef PLAYGROUND_ANSWER_HPP
#define PLAYGROUND_ANSWER_HPP

#include <string>
#include <string_view>

namespace playground {

/// The answer to a request, as JSON; a text that is no strategy gets its fault. Times are in microseconds.
[[nodiscard]] std::string answer(std::string_view request);

}  // namespace playground

#endif
