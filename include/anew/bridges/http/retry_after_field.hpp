// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_HTTP_RETRY_AFTER_FIELD_HPP
#define ANEW_BRIDGES_HTTP_RETRY_AFTER_FIELD_HPP

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <type_traits>

#include "anew/base/asked_delay.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/policies/classifier/http_answer.hpp"
#include "anew/policies/hint/retry_after.hpp"

/// How much of an HTTP answer is read before its body, over every bridge. An answer beyond a limit is final: the server would
/// send it again.
namespace anew::inline ANEW_ABI {

/// The heads of one answer together, in bytes: its own and those of the 1xx before it. Over libcurl its trailers count too.
inline constexpr std::uint32_t most_head_bytes = 65'536;

/// How many 1xx answers may come before the answer itself.
inline constexpr std::size_t most_informational = 100;

}  // namespace anew::inline ANEW_ABI

/// Where HTTP clients keep the field `Retry-After` of a response, found by expression.
namespace anew::inline ANEW_ABI::detail {

template <class T>
concept FieldText = std::convertible_to<T const&, std::string_view> ||
                    requires(T const& text) { std::string_view{text.data(), text.size()}; };

/// The text of a field; of one that came several times the first.
template <FieldText T>
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

/// When the response was made: by its own `Date`, which `date_text()` returns, so that a date means the same wherever a clock
/// is wrong.
std::chrono::system_clock::time_point answered_at(auto const& date_text) {
  auto const now = std::chrono::system_clock::now();
  auto const answered = date_text();
  if (!answered) return now;
  auto const date = parse_http_date(std::string_view{*answered}, now);
  return date ? std::chrono::system_clock::time_point{*date} : now;
}

/// The delay that the text of `Retry-After` asks for.
asked_delay parse_field(std::string_view text, auto const& date_text) {
  if (text.empty()) return {};
  bool const is_date = text.find(':') != text.npos;
  auto const asked =
      parse_retry_after(text, is_date ? detail::answered_at(date_text) : std::chrono::system_clock::time_point{});
  return asked ? asked_delay{*asked} : asked_delay::not_understood();
}
inline asked_delay parse_field(std::string_view text) {
  return detail::parse_field(text, [] { return std::optional<std::string_view>{}; });
}

/// Case-insensitive for ASCII, as names of fields are. `wanted` is in small letters.
inline bool is_field(std::string_view name, std::string_view wanted) noexcept {
  if (name.size() != wanted.size()) return false;
  for (std::size_t i = 0; i != name.size(); ++i) {
    char const c = name[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != wanted[i]) return false;
  }
  return true;
}

/// A field that was found, as a copy: an element may be made for the search.
using found_text = std::optional<std::string>;

inline found_text value_if(std::string_view name, std::string_view value, std::string_view wanted) {
  return detail::is_field(name, wanted) ? found_text{value} : std::nullopt;
}
/// The value of the field, if it is in this line.
inline found_text value_in(std::string_view line, std::string_view wanted) {
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  auto const colon = line.find(':');
  if (colon == line.npos) return std::nullopt;
  return detail::value_if(line.substr(0, colon), line.substr(colon + 1), wanted);
}
/// The same of an element of a map, or of another pair; and of an entry with a name and a value.
found_text value_in(auto const& field, std::string_view wanted)
  requires requires {
    detail::text_of(field.first);
    detail::text_of(field.second);
  }
{
  return detail::value_if(detail::text_of(field.first), detail::text_of(field.second), wanted);
}
found_text value_in(auto const& field, std::string_view wanted)
  requires requires {
    detail::text_of(field.name);
    detail::text_of(field.value);
  }
{
  return detail::value_if(detail::text_of(field.name), detail::text_of(field.value), wanted);
}

/// Of a container of fields or of lines, searched whatever the case of the names, or of Beast's fields.
template <class Fields>
  requires(!std::convertible_to<Fields const&, std::string_view>) && requires(Fields const& fields) {
    detail::value_in(*fields.begin(), "date");
    fields.end();
  }
found_text field_of(Fields const& fields, std::string_view wanted) {
  for (auto const& each : fields) {
    if (auto value = detail::value_in(each, wanted)) return value;
  }
  return std::nullopt;
}
template <class Fields>
  requires requires(Fields const& fields, std::string const& name) {
    detail::text_of(fields.find(name)->value());
    fields.find(name) == fields.end();
  }
found_text field_of(Fields const& fields, std::string_view wanted) {
  auto const found = fields.find(std::string{wanted});
  if (found == fields.end()) return std::nullopt;
  return std::string{detail::text_of(found->value())};
}

/// The lines of a head as they came. Of several heads (103, and then the answer) the last one counts, and of what follows
/// an answer nothing does.
template <class Lines>
  requires std::convertible_to<Lines const&, std::string_view>
found_text field_of(Lines const& lines, std::string_view wanted) {
  std::string_view rest = lines;
  found_text first;
  while (!rest.empty()) {
    auto const end = rest.find('\n');
    auto line = rest.substr(0, end);
    rest = end == rest.npos ? std::string_view{} : rest.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() && !rest.starts_with("HTTP/")) break;
    if (line.empty()) first.reset();
    if (!first) first = detail::value_in(line, wanted);
  }
  return first;
}

/// A field by its usual name, for clients that compare as they like, and in small letters.
struct field_name {
  char const* usual;
  std::string_view lower;
};

/// The delay that the fields ask for, which `find(field_name)` finds: by `retry-after-ms`, which says more than whole seconds
/// do, else by `Retry-After`. They are searched for `Date` only if that is a date.
asked_delay asked_by_fields(auto const& find) {
  auto const precise = find(field_name{"Retry-After-Ms", "retry-after-ms"});
  if (precise) {
    auto const delay = http_field::read_decimal<std::milli>(detail::trimmed(std::string_view{*precise}));
    if (delay) return *delay;
  }
  auto const asked = find(field_name{"Retry-After", "retry-after"});
  if (!asked) return precise ? asked_delay::not_understood() : asked_delay{};
  return detail::parse_field(std::string_view{*asked}, [&] { return find(field_name{"Date", "date"}); });
}

template <class Fields>
concept FieldsOfHttp = requires(Fields const& fields) { detail::field_of(fields, "date"); };
template <class E>
concept FindsFields = requires(E const& e) { detail::text_of(e.get_header_value("Retry-After")); };

asked_delay read_in(FieldsOfHttp auto const& fields, auto const& read) {
  return read([&fields](field_name name) { return detail::field_of(fields, name.lower); });
}

struct reads_nothing {
  asked_delay operator()(auto const& /*find*/) const { return {}; }
};
template <class E>
concept KeepsFieldsItself = FindsFields<E> || requires(E const& e) { detail::read_in(e.headers(), reads_nothing{}); } ||
                            requires(E const& e) { detail::read_in(e.headers, reads_nothing{}); } ||
                            requires(E const& e) { detail::read_in(e.header(), reads_nothing{}); } ||
                            requires(E const& e) { detail::read_in(e.header, reads_nothing{}); } || FieldsOfHttp<E>;
template <class E>
concept KeepsFields =
    KeepsFieldsItself<E> ||
    (PointsToAnswer<E> && requires(E const& e) { requires KeepsFieldsItself<std::remove_cvref_t<decltype(*e)>>; });

/// Returns what `read(find)` returns for the fields of a response, wherever the client keeps them.
template <class E, class Read>
asked_delay read_fields_of(E const& e, Read const& read) {
  if constexpr (FindsFields<E>) {
    return read([&e](field_name name) -> std::optional<std::string> {
      auto const& value = e.get_header_value(name.usual);
      auto const text = detail::text_of(value);
      if (text.empty()) return std::nullopt;  // which the clients return for a field that is not there
      return std::string{text};
    });
  }
  if constexpr (requires { detail::read_in(e.headers(), read); }) return detail::read_in(e.headers(), read);
  if constexpr (requires { detail::read_in(e.headers, read); }) return detail::read_in(e.headers, read);
  if constexpr (requires { detail::read_in(e.header(), read); }) return detail::read_in(e.header(), read);
  if constexpr (requires { detail::read_in(e.header, read); }) return detail::read_in(e.header, read);
  if constexpr (requires { detail::read_in(e, read); }) return detail::read_in(e, read);
  if constexpr (PointsToHttpAnswer<E>) return static_cast<bool>(e) ? detail::read_fields_of(*e, read) : asked_delay{};
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
  if constexpr (PointsToHttpAnswer<E> && !FindsFields<E>)
    return static_cast<bool>(e) ? detail::asked_by(*e) : asked_delay{};
  return detail::read_fields_of(e, [](auto const& find) { return detail::asked_by_fields(find); });
}

}  // namespace anew::inline ANEW_ABI::detail

#endif
