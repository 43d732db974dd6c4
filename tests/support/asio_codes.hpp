// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_ASIO_CODES_HPP
#define ANEW_TESTS_SUPPORT_ASIO_CODES_HPP

#include <string>
#include <system_error>

namespace support {

/// The category of stand-alone Asio before 1.38, without Asio: the system's numbers, mapped to no condition.
struct unmapped_asio_category final : public std::error_category {
  [[nodiscard]] char const* name() const noexcept override { return "asio.system"; }
  [[nodiscard]] std::string message(int code) const override { return std::system_category().message(code); }
};

/// The code by which Asio reports what `condition` stands for.
inline std::error_code unmapped_asio_code(std::errc condition) noexcept {
  static unmapped_asio_category const category;
  return {static_cast<int>(condition), category};
}

}  // namespace support

#endif
