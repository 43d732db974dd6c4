// SPDX-License-Identifier: BSL-1.0
// The headers in the places where a user's program would have them; compiled, not run.
// -DWINDOWS_FIRST, -DWINDOWS_LAST: beside <windows.h>.
// -DAS_MSVC: the standard library is compiled by clang as it is; then the names of clang and g++ go, so that anew takes
// every way which it has for MSVC.
#if defined(WINDOWS_FIRST)
#include <windows.h>
#endif

#if defined(AS_MSVC)
#include <intrin.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <ratio>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#include <version>

#include <boost/hana.hpp>
#include <boost/hana/basic_tuple.hpp>

#undef __clang__
#undef __GNUC__
#define _MSVC_LANG 202002L
#if !defined(_MSC_VER)
#error this compiler is not called as MSVC
#endif
#endif

#include <anew/anew.hpp>
#include <anew/aws.hpp>
#include <anew/hedge.hpp>
#include <anew/policies.hpp>
#include <anew/poll.hpp>
#include <anew/state/saved_state.hpp>
#include <anew/virtual.hpp>

#if defined(WINDOWS_LAST)
#include <windows.h>
#endif

namespace {

using namespace std::chrono_literals;
using client_strategy = anew::strategy<anew::exponential_backoff<10ms, 1s>, anew::full_jitter, anew::token_bucket<100>,
                                       anew::max_attempts<4>, anew::retry_all>;
using stateless = anew::strategy<anew::exponential_backoff<10ms, 1s>, anew::full_jitter, anew::unlimited_quota,
                                 anew::max_attempts<4>, anew::retry_all>;
static_assert(sizeof(stateless) <= 3, "empty members take room: the ABI of MSVC ignores [[no_unique_address]]");

}  // namespace

std::optional<int> call_once() {
  static client_strategy const strategy;
  return anew::retry(strategy, []() -> std::optional<int> { return 1; });
}

#if defined(WINDOWS_FIRST) || defined(WINDOWS_LAST)
void lock_once() {
  static SRWLOCK lock = SRWLOCK_INIT;
  AcquireSRWLockExclusive(&lock);
  ReleaseSRWLockExclusive(&lock);
  Sleep(ERROR_SUCCESS);
}
#endif
