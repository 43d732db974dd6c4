// SPDX-License-Identifier: BSL-1.0
// The headers of the standard library that most of anew includes, compiled once: half of the time of a public header.
// That a header names those that it needs is a matter of its text (tests/style/check_includes.py).
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
