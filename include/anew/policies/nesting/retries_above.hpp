// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_POLICIES_NESTING_RETRIES_ABOVE_HPP
#define ANEW_POLICIES_NESTING_RETRIES_ABOVE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "anew/base/attempt.hpp"
#include "anew/base/platform/compiler.hpp"

namespace anew::inline ANEW_ABI {

/// The field by which a request tells the service that a caller retries it: a header field of HTTP, a key of gRPC's
/// metadata. Its value is the number of retries that were made already.
inline constexpr std::string_view retries_above_field = "anew-retries-above";

/// Whether a call serves an attempt of another call that retries, in another process or on another thread, and how many
/// retries were made there already.
///
///     auto const above = anew::retries_above::read(request["anew-retries-above"]);
///
/// A request with a value in the field is nested, whatever the value: a wrong value costs the request its retries here and
/// harms no other request. Without the field it is not nested, nor with an empty or blank value: many clients return an
/// empty text for a field that is absent. A value that is no number counts as 0 retries; of several values, separated by
/// commas, the largest counts; a value above 4294967295 counts as that. Nothing is thrown.
/// A proxy at the edge should remove the field, as it removes others of your own services.
/// Source: "Site Reliability Engineering", chapter 21: requests carry how often they were retried, and only one layer retries
class retries_above {
 public:
  /// The value of the field: text without an allocation, ended by a NUL.
  class field_value {
   public:
    constexpr explicit field_value(std::uint32_t retries) noexcept {
      std::uint32_t unit = 1;
      while (retries / unit >= 10) unit *= 10;
      for (; unit != 0; unit /= 10) text_[size_++] = static_cast<char>('0' + retries / unit % 10);
    }

    [[nodiscard]] constexpr std::string_view view() const noexcept { return {text_.data(), size_}; }
    [[nodiscard]] constexpr char const* c_str() const noexcept { return text_.data(); }
    constexpr operator std::string_view() const noexcept { return view(); }  // NOLINT(*-explicit-*)

   private:
    std::array<char, 12> text_{};  // 4294967295 are 10
    std::size_t size_ = 0;
  };

  /// No caller retries.
  constexpr retries_above() noexcept = default;
  /// A caller retries, and has made so many retries.
  constexpr explicit retries_above(std::uint32_t retries) noexcept : retries_{retries}, is_nested_{true} {}

  /// Reads the value of the field: text, or an empty optional or an empty text for a request that has no such field.
  [[nodiscard]] static constexpr retries_above read(std::optional<std::string_view> field) noexcept {
    if (!field || trimmed(*field).empty()) return {};
    std::uint32_t most = 0;
    for (auto rest = *field;;) {
      auto const comma = rest.find(',');
      auto const number = number_of(rest.substr(0, comma));
      most = number > most ? number : most;
      if (comma == std::string_view::npos) return retries_above{most};
      rest.remove_prefix(comma + 1);
    }
  }
  /// Reads text that ends with a NUL, as `std::getenv()` returns it: a null pointer means that there is no such field.
  [[nodiscard]] static constexpr retries_above read(char const* field) noexcept {
    return field == nullptr ? retries_above{} : read(std::optional<std::string_view>{field});
  }

  [[nodiscard]] constexpr bool is_nested() const noexcept { return is_nested_; }
  [[nodiscard]] constexpr std::uint32_t retries() const noexcept { return retries_; }

  /// The same for the requests of an attempt of this call, which retries itself.
  [[nodiscard]] constexpr retries_above below(attempt const& current) const noexcept {
    auto const more = current.number() - 1;
    return retries_above{retries_ > ~std::uint32_t{0} - more ? ~std::uint32_t{0} : retries_ + more};
  }

  /// The value of the field for a request. Requires `is_nested()`: other requests do not have the field.
  [[nodiscard]] constexpr field_value value() const noexcept { return field_value{retries_}; }

  friend constexpr bool operator==(retries_above const&, retries_above const&) noexcept = default;

 private:
  static constexpr std::string_view trimmed(std::string_view text) noexcept {
    constexpr auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
  }
  /// 0 where it is no number.
  static constexpr std::uint32_t number_of(std::string_view text) noexcept {
    std::uint64_t number = 0;
    for (char const c : trimmed(text)) {
      if (c < '0' || c > '9') return 0;
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
      if (number > ~std::uint32_t{0}) number = ~std::uint32_t{0};
    }
    return static_cast<std::uint32_t>(number);
  }

  std::uint32_t retries_ = 0;
  bool is_nested_ = false;
};

}  // namespace anew::inline ANEW_ABI

#endif
