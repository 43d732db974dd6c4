// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_CONFORMANCE_REPLAY_READ_HPP
#define ANEW_TESTS_CONFORMANCE_REPLAY_READ_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace replay {

using json = nlohmann::json;

/// A file or a case that is not of the layout that its mode reads.
struct malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The member of that name; nothing where it is absent or null.
[[nodiscard]] json const* find(json const& object, char const* name);

/// The member of that name, which must be there and not null.
[[nodiscard]] json const& need(json const& object, char const* name);

/// The array of that name in a file; empty if it is absent; anything but an array is an error.
[[nodiscard]] json const* find_array(json const& object, char const* name);

[[nodiscard]] double to_number(json const& value, std::string_view name);
[[nodiscard]] double number(json const& object, char const* name);
[[nodiscard]] std::uint32_t count(json const& object, char const* name);
[[nodiscard]] std::string text(json const& object, char const* name);
[[nodiscard]] bool flag_or(json const& object, char const* name, bool otherwise);

/// The case's own `id`, or its place in the list.
[[nodiscard]] std::string id_of(json const& one, std::string_view list, std::size_t index);

/// Throws for a member that is neither of these nor a remark: a member that is not understood would be left out of
/// the replay, and the case would pass for another one.
void refuse_others(json const& object, std::span<std::string_view const> known, std::string_view where);
void refuse_others(json const& object, std::initializer_list<std::string_view> known, std::string_view where);

/// Within `tolerance`, and that times the expected value where this is above one.
[[nodiscard]] bool is_close(double got, double expected, double tolerance) noexcept;

/// The shortest text that reads back as this number.
[[nodiscard]] std::string shown(double value);

}  // namespace replay

#endif
