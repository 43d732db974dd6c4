// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PRESETS_AWS_INVOCATION_HPP
#define ANEW_PRESETS_AWS_INVOCATION_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/random_source.hpp"
#include "anew/base/thread_random.hpp"

namespace anew::inline ANEW_ABI::aws {

/// The fields by which a service sees which requests are attempts of one call.
inline constexpr std::string_view invocation_id_field = "amz-sdk-invocation-id";
inline constexpr std::string_view sdk_request_field = "amz-sdk-request";

/// The value of `amz-sdk-request`; a `max` of zero is not written.
[[nodiscard]] inline std::string sdk_request_value(std::uint32_t attempt, std::uint32_t max = 0) {
  auto value = std::string{"attempt="}.append(std::to_string(attempt));
  return max == 0 ? value : value.append("; max=").append(std::to_string(max));
}

/// The headers by which the attempts of one call identify themselves to the service. Make one before the call, and use
/// it in every attempt.
///
///     anew::aws::invocation const call{};
///     auto const answer = anew::retry(strategy, [&](anew::attempt& attempt) {
///       request.set(anew::aws::invocation_id_field, call.id());
///       request.set(anew::aws::sdk_request_field, call.sdk_request(attempt, strategy.max_attempts().value()));
///       ...
///     });
///
/// Cost: two random numbers.
/// Source: Smithy and AWS SDKs: a UUID of version 4, the same for all attempts of a call; `attempt=N; max=M`
class invocation {
 public:
  /// An id by the calling thread's generator. Ids name calls in logs: they are no secrets.
  invocation() noexcept : invocation{thread_random{}} {}
  constexpr explicit invocation(RandomSource auto&& random) {
    std::uint64_t const high = (random() & ~std::uint64_t{0xf000}) | 0x4000U;
    std::uint64_t const low = (random() & ~(std::uint64_t{3} << 62U)) | (std::uint64_t{2} << 62U);
    std::size_t at = 0;
    for (unsigned digit = 0; digit != 32; ++digit) {
      if (digit == 8 || digit == 12 || digit == 16 || digit == 20) id_[at++] = '-';
      auto const word = digit < 16 ? high : low;
      id_[at++] = "0123456789abcdef"[(word >> (60U - 4U * (digit % 16U))) & 15U];
    }
  }

  /// The value of `amz-sdk-invocation-id`: "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".
  [[nodiscard]] constexpr std::string_view id() const noexcept { return {id_.data(), id_.size() - 1}; }
  [[nodiscard]] constexpr char const* c_str() const noexcept { return id_.data(); }

  /// The value of `amz-sdk-request`: "attempt=2; max=3", or "attempt=2" of a strategy whose attempts have no limit.
  [[nodiscard]] static std::string sdk_request(attempt const& current, std::uint32_t max = 0) {
    return sdk_request_value(current.number(), max);
  }

 private:
  std::array<char, 37> id_{};
};

}  // namespace anew::inline ANEW_ABI::aws

#endif
