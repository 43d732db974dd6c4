// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "read.hpp"

namespace replay {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view why) {
  throw malformed{std::string{"'"}.append(name).append("' ").append(why)};
}

}  // namespace

json const* find(json const& object, char const* name) {
  if (!object.is_object()) throw malformed{std::string{"no object where '"}.append(name).append("' is looked for")};
  auto const found = object.find(name);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

json const& need(json const& object, char const* name) {
  auto const* const found = find(object, name);
  if (found == nullptr) refuse(name, "is missing");
  return *found;
}

json const* find_array(json const& object, char const* name) {
  auto const* const found = find(object, name);
  if (found != nullptr && !found->is_array()) refuse(name, "is no list");
  return found;
}

double to_number(json const& value, std::string_view name) {
  if (!value.is_number()) refuse(name, "is no number");
  return value.get<double>();
}

double number(json const& object, char const* name) { return to_number(need(object, name), name); }

std::uint32_t count(json const& object, char const* name) {
  double const value = number(object, name);
  if (value < 0 || value > std::numeric_limits<std::uint32_t>::max() || std::floor(value) != value) {
    refuse(name, "is no whole number from 0 to 4294967295");
  }
  return static_cast<std::uint32_t>(value);
}

std::string text(json const& object, char const* name) {
  auto const& value = need(object, name);
  if (!value.is_string()) refuse(name, "is no text");
  return value.get<std::string>();
}

bool flag_or(json const& object, char const* name, bool otherwise) {
  auto const* const value = find(object, name);
  if (value == nullptr) return otherwise;
  if (!value->is_boolean()) refuse(name, "is neither true nor false");
  return value->get<bool>();
}

std::string id_of(json const& one, std::string_view list, std::size_t index) {
  if (one.is_object()) {
    if (auto const* const id = find(one, "id"); id != nullptr) {
      return id->is_string() ? id->get<std::string>() : id->dump();
    }
  }
  return std::string{list}.append("[").append(std::to_string(index)).append("]");
}

void refuse_others(json const& object, std::initializer_list<std::string_view> known, std::string_view where) {
  refuse_others(object, std::span{known.begin(), known.size()}, where);
}

void refuse_others(json const& object, std::span<std::string_view const> known, std::string_view where) {
  constexpr std::array<std::string_view, 11> remarks{"comment", "description", "id",      "name",  "note", "notes",
                                                     "origin",  "source",      "sources", "title", "why"};
  if (!object.is_object()) throw malformed{std::string{where}.append(" is no object")};
  for (auto const& [name, value] : object.items()) {
    if (std::ranges::find(known, name) == known.end() && std::ranges::find(remarks, name) == remarks.end()) {
      refuse(name, std::string{"is nothing that "}.append(where).append(" may have"));
    }
  }
}

bool is_close(double got, double expected, double tolerance) noexcept {
  return std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

std::string shown(double value) {
  std::array<char, 400> buffer{};
  auto const [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

}  // namespace replay
