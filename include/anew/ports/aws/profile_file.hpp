// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PORTS_AWS_PROFILE_FILE_HPP
#define ANEW_PORTS_AWS_PROFILE_FILE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/ports/aws/file_source.hpp"
#include "anew/ports/aws/settings.hpp"

namespace anew::inline ANEW_ABI::aws_settings {

namespace detail {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
constexpr bool is_comment_mark(char c) noexcept { return c == '#' || c == ';'; }
constexpr char lower_case(char c) noexcept { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_case(std::string_view text) {
  std::string out{text};
  for (char& c : out) c = lower_case(c);
  return out;
}

/// `expected` in lower case.
constexpr bool equals_ignoring_case(std::string_view text, std::string_view expected) noexcept {
  return std::equal(text.begin(), text.end(), expected.begin(), expected.end(),
                    [](char a, char b) { return lower_case(a) == b; });
}

using anew::detail::trimmed;

/// The characters of profile names and keys.
constexpr bool is_name(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    char const l = lower_case(c);
    return ('a' <= l && l <= 'z') || ('0' <= c && c <= '9') ||
           std::string_view{"_-/.%@:+"}.find(c) != std::string_view::npos;
  });
}

/// Takes the first line off the text, without its end.
constexpr std::string_view take_line(std::string_view& text) noexcept {
  auto const end = text.find('\n');
  auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// The line up to its comment, trimmed. In a section a comment may touch what it follows, in a property it may not.
constexpr std::string_view without_comment(std::string_view line, bool after_a_blank) noexcept {
  line = trimmed(line);
  bool blank_before = false;
  for (std::size_t i = 0; i != line.size(); ++i) {
    if (is_comment_mark(line[i]) && (blank_before || !after_a_blank)) return trimmed(line.substr(0, i));
    blank_before = is_blank(line[i]);
  }
  return line;
}

struct property_parts {
  std::string_view key{}, value{};
  char const* what_is_wrong = nullptr;
};

constexpr property_parts split_property(std::string_view line) noexcept {
  auto const equals = line.find('=');
  if (equals == std::string_view::npos) return {{}, {}, "a property has no =; valid is KEY = VALUE"};
  property_parts const parts{trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1))};
  if (parts.key.empty()) return {{}, {}, "a property has no key before its =; valid is KEY = VALUE"};
  return parts;
}

/// Null, or why a text that starts like this is refused. Read as text, the mark would hide the first section.
constexpr char const* byte_order_mark(std::string_view text) noexcept {
  if (text.starts_with("\xEF\xBB\xBF")) return "the file begins with a byte order mark; valid is UTF-8 without one";
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    return "the file is UTF-16, as its byte order mark says; valid is UTF-8 without a byte order mark";
  return nullptr;
}

}  // namespace detail

/// In a config file a profile is `[profile NAME]`, but for `[default]`; in a credentials file it is `[NAME]`.
enum class file_flavour : std::uint8_t { config, credentials };

/// `key = value`, and the line that it begins on. Keys are in lower case; the lines of a value are separated by `\n`.
struct property {
  std::string key;
  std::string value;
  std::size_t line;
};

/// One section that is a profile, in the order of the file. The same profile may have several.
struct profile_section {
  std::string profile;
  bool prefixed;  ///< written with the word `profile`
  std::size_t line;
  std::vector<property> properties{};
};

/// A file of the AWS tools, as text that was read: profiles and their properties. The grammar:
///
/// * Lines end at LF; one CR before it is dropped. Blank lines, and lines that begin with `#` or `;`, are skipped.
/// * `[` in the first column begins a section, which a comment may follow. Another section than a profile is skipped, and
///   so is a profile whose name has other characters than letters, digits and `_-/.%@:+`. Equal sections are one.
/// * A line that begins with a space or a tab continues the property above; its comments are text. Where the property had
///   no value, the line is a property of its own kind, `key = value`, and no setting.
/// * All else is `key = value`. A comment begins at `#` or `;` after a blank. Of equal keys, in any case, the last counts.
/// * `[profile default]` takes the place of `[default]`, wherever it stands.
///
/// A line that breaks the grammar, or a text above `file_limits`, is an error of the whole file, even in a section that is
/// skipped. So is a byte order mark. Nothing nests and nothing includes other files.
/// Cost: linear in the text, in time and in memory; a search is linear in the properties.
/// Source: AWS SDKs and Tools guide, "Shared config and credentials files"; smithy-rs, profile-parser-tests.json
class profile_file {
 public:
  profile_file() = default;

  /// `name` is what errors call the file.
  static result<profile_file> parse(std::string_view text, file_flavour flavour, std::string name) {
    profile_file file{flavour, std::move(name)};
    auto broken = file.read(text);
    if (broken) return *std::move(broken);
    return file;
  }

  /// The last property of this key in this profile, or null. `key` in lower case.
  [[nodiscard]] property const* find(std::string_view profile, std::string_view key) const noexcept {
    // The last one counts.
    // NOLINTNEXTLINE(modernize-loop-convert)
    for (auto section = sections_.rbegin(); section != sections_.rend(); ++section) {
      if (section->profile != profile || is_replaced(*section)) continue;
      // NOLINTNEXTLINE(modernize-loop-convert)
      for (auto p = section->properties.rbegin(); p != section->properties.rend(); ++p)
        if (p->key == key) return &*p;
    }
    return nullptr;
  }

  [[nodiscard]] bool has_profile(std::string_view profile) const noexcept {
    return std::any_of(sections_.begin(), sections_.end(),
                       [&](auto const& section) { return section.profile == profile; });
  }

  /// A `[default]` that is ignored, because the file has a `[profile default]`.
  [[nodiscard]] bool is_replaced(profile_section const& section) const noexcept {
    return default_is_prefixed_ && !section.prefixed && section.profile == "default";
  }

  [[nodiscard]] std::vector<profile_section> const& sections() const noexcept { return sections_; }
  [[nodiscard]] std::string const& name() const noexcept { return name_; }

 private:
  profile_file(file_flavour flavour, std::string name) : flavour_{flavour}, name_{std::move(name)} {}

  std::optional<config_error> read(std::string_view text) {
    if (auto const mark = detail::byte_order_mark(text)) return error(1, mark);
    if (text.size() > file_limits::bytes) {
      auto const end = std::count(text.begin(), text.begin() + std::ptrdiff_t{file_limits::bytes}, '\n');
      return error(static_cast<std::size_t>(end) + 1,
                   "the file is larger than 4 MiB; valid are files of at most 4194304 bytes");
    }
    cursor at;
    for (std::size_t number = 1; !text.empty(); ++number) {
      at.line = number;
      if (auto const what = read_line(detail::take_line(text), at)) return error(number, what);
    }
    return std::nullopt;
  }

  /// The property that the next line may continue.
  struct cursor {
    std::size_t line = 0;
    bool in_section = false;
    bool section_is_kept = false;
    bool in_property = false;
    bool property_is_kept = false;
    bool holds_properties = false;  ///< the property had no value: its continuations are properties
  };

  /// Null, or an explanation of what is wrong with the line.
  char const* read_line(std::string_view line, cursor& at) {
    if (line.size() > file_limits::line_bytes) return "a line is too long; valid are lines of at most 65536 bytes";
    if (detail::trimmed(line).empty() || detail::is_comment_mark(line.front())) return nullptr;
    if (line.front() == '[') return read_section(detail::without_comment(line, false), at);
    if (detail::is_blank(line.front())) return read_continuation(line, at);
    return read_property(detail::without_comment(line, true), at);
  }

  static constexpr char const* too_many =
      "the file has too many sections and properties; valid are at most 100000 together";

  char const* read_section(std::string_view line, cursor& at) {
    if (line.back() != ']') return "a section does not end with ]; valid are [default] and [profile NAME]";
    auto name = detail::trimmed(line.substr(1, line.size() - 2));
    bool const prefixed =
        flavour_ == file_flavour::config && name.starts_with("profile") && name.size() > 7 && detail::is_blank(name[7]);
    if (prefixed) name = detail::trimmed(name.substr(7));
    at.in_section = true;
    at.in_property = false;
    at.section_is_kept =
        detail::is_name(name) && (prefixed || flavour_ == file_flavour::credentials || name == "default");
    if (!at.section_is_kept) return nullptr;
    if (++kept_ > file_limits::properties) return too_many;
    sections_.push_back({std::string{name}, prefixed, at.line});
    if (prefixed && name == "default") default_is_prefixed_ = true;
    return nullptr;
  }

  char const* read_property(std::string_view line, cursor& at) {
    if (!at.in_section)
      return "a property stands before the first section; valid is a section such as [default] above it";
    auto const parts = detail::split_property(line);
    if (parts.what_is_wrong != nullptr) return parts.what_is_wrong;
    at.in_property = true;
    at.property_is_kept = at.section_is_kept && detail::is_name(parts.key);
    at.holds_properties = parts.value.empty();
    if (!at.property_is_kept) return nullptr;
    if (++kept_ > file_limits::properties) return too_many;
    sections_.back().properties.push_back({detail::lower_case(parts.key), std::string{parts.value}, at.line});
    return nullptr;
  }

  char const* read_continuation(std::string_view line, cursor const& at) {
    if (!at.in_property) {
      return "a line that begins with a blank continues a property, but its section has no property above it; valid "
             "sections and properties begin in the first column";
    }
    if (at.holds_properties) {
      auto const parts = detail::split_property(detail::without_comment(line, true));
      if (parts.what_is_wrong != nullptr) return parts.what_is_wrong;
    }
    if (at.property_is_kept) sections_.back().properties.back().value.append("\n").append(detail::trimmed(line));
    return nullptr;
  }

  [[nodiscard]] config_error error(std::size_t line, char const* what) const {
    return config_error{config_error_kind::config_file, name_, line, {}, {}, what};
  }

  file_flavour flavour_ = file_flavour::config;
  bool default_is_prefixed_ = false;
  std::size_t kept_ = 0;  ///< sections and properties
  std::string name_;
  std::vector<profile_section> sections_;
};

}  // namespace anew::inline ANEW_ABI::aws_settings

#endif
