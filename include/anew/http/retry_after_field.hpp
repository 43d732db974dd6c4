// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_HTTP_RETRY_AFTER_FIELD_HPP
#define ANEW_HTTP_RETRY_AFTER_FIELD_HPP

#include <chrono>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "anew/classifier/http_answer.hpp"
#include "anew/hint/retry_after.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/asked_delay.hpp"

/// Where HTTP clients keep the field `Retry-After` of a response, found by expression.
namespace anew::inline ANEW_ABI::detail {

template <class T>
concept FieldText = std::convertible_to<T const&, std::string_view> ||
                    requires(T const& text) { std::string_view{text.data(), text.size()}; };

/// The text of a field; of one that came several times the first.
template <class T>
  requires FieldText<T>
std::string_view text_of(T const& value) {
  if constexpr (std::convertible_to<T const&, std::string_view>) {
    return value;
  } else {
    return {value.data(), value.size()};
  }
}
template <class T>
  requires(!FieldText<T>) && requires(T const& values) {
    values.empty();
    requires FieldText<std::remove_cvref_t<decltype(*values.begin())>>;
  }
std::string_view text_of(T const& values) {
  return values.empty() ? std::string_view{} : detail::text_of(*values.begin());
}

inline asked_delay parse_field(std::string_view text) {
  if (text.empty()) return {};
  return parse_retry_after(text, std::chrono::system_clock::now());
}

/// Case-insensitive for ASCII, as names of fields are.
inline bool is_retry_after(std::string_view name) noexcept {
  constexpr std::string_view wanted = "retry-after";
  if (name.size() != wanted.size()) return false;
  for (std::size_t i = 0; i != name.size(); ++i) {
    char const c = name[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != wanted[i]) return false;
  }
  return true;
}

/// Of a container of fields: a map or a list of pairs, searched whatever the case of the names, or Beast's fields.
template <class Fields>
  requires requires(Fields const& fields) {
    detail::text_of(fields.begin()->first);
    detail::text_of(fields.begin()->second);
  }
asked_delay field_of(Fields const& fields) {
  for (auto const& [name, value] : fields) {
    if (detail::is_retry_after(detail::text_of(name))) return detail::parse_field(detail::text_of(value));
  }
  return {};
}
template <class Fields>
  requires requires(Fields const& fields, std::string const& name) {
    detail::text_of(fields.find(name)->value());
    fields.find(name) == fields.end();
  }
asked_delay field_of(Fields const& fields) {
  auto const found = fields.find(std::string{"Retry-After"});
  if (found == fields.end()) return {};
  auto const value = found->value();
  return detail::parse_field(detail::text_of(value));
}
/// The value of the field, if it is in this line.
inline std::optional<std::string_view> value_in(std::string_view line) noexcept {
  auto const colon = line.find(':');
  if (colon == line.npos || !detail::is_retry_after(line.substr(0, colon))) return std::nullopt;
  return line.substr(colon + 1);
}

/// The lines of a head as they came. Of several heads (103, and then the answer) the last one counts, and of what follows
/// an answer nothing does.
template <class Lines>
  requires std::convertible_to<Lines const&, std::string_view>
asked_delay field_of(Lines const& lines) {
  std::string_view rest = lines;
  std::optional<std::string_view> first;
  while (!rest.empty()) {
    auto const end = rest.find('\n');
    auto line = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() && !rest.starts_with("HTTP/")) break;
    if (line.empty()) first.reset();
    if (!first) first = detail::value_in(line);
  }
  return first ? detail::parse_field(*first) : asked_delay{};
}

/// Entries with a name and a value, and lines one by one.
template <class Fields>
  requires requires(Fields const& fields) {
    detail::text_of(fields.begin()->name);
    detail::text_of(fields.begin()->value);
  }
asked_delay field_of(Fields const& fields) {
  for (auto const& field : fields) {
    if (detail::is_retry_after(detail::text_of(field.name))) return detail::parse_field(detail::text_of(field.value));
  }
  return {};
}
template <class Lines>
  requires(!std::convertible_to<Lines const&, std::string_view>) && requires(Lines const& lines) {
    requires std::convertible_to<decltype(*lines.begin()), std::string_view>;
    lines.end();
  }
asked_delay field_of(Lines const& lines) {
  for (std::string_view line : lines) {
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    if (auto const value = detail::value_in(line)) return detail::parse_field(*value);
  }
  return {};
}

template <class E>
concept NamesRetryAfterText = requires(E const& e) { detail::text_of(e.retry_after()); } ||
                              requires(E const& e) { detail::text_of(e.retry_after); };

/// The delay that a response asks for, by its own member or its header field.
template <class E>
asked_delay asked_by(E const& e) {
  if constexpr (NamesDelay<E>) return detail::retry_after_of(e);
  if constexpr (requires { detail::text_of(e.retry_after()); })
    return detail::parse_field(detail::text_of(e.retry_after()));
  if constexpr (requires { detail::text_of(e.retry_after); })
    return detail::parse_field(detail::text_of(e.retry_after));
  if constexpr (requires { detail::text_of(e.get_header_value("Retry-After")); })
    return detail::parse_field(detail::text_of(e.get_header_value("Retry-After")));
  if constexpr (requires { detail::field_of(e.headers()); }) return detail::field_of(e.headers());
  if constexpr (requires { detail::field_of(e.headers); }) return detail::field_of(e.headers);
  if constexpr (requires { detail::field_of(e.header()); }) return detail::field_of(e.header());
  if constexpr (requires { detail::field_of(e.header); }) return detail::field_of(e.header);
  if constexpr (requires { detail::field_of(e); }) return detail::field_of(e);
  if constexpr (PointsToHttpAnswer<E>) return static_cast<bool>(e) ? detail::asked_by(*e) : asked_delay{};
  return {};
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
