// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_FLEET_DOCUMENT_HPP
#define ANEW_FLEET_DOCUMENT_HPP

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "anew/base/duration.hpp"

namespace anew_fleet {

/// "FILE:LINE: FIELD: what is wrong": as an editor reads it.
struct file_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A value of a JSON document, with its place.
struct node {
  enum class kind { null, boolean, number, text, array, object };
  kind of = kind::null;
  std::size_t line = 0;  // of its name; of an element of an array, where it begins
  std::string path;      // "phases[1].service.capacity"
  std::string name;      // of a member
  std::string text;      // a text's value; of anything else, as the document has it
  double number = 0;
  std::vector<node> parts;  // members or elements
};

/// Reads JSON in which no object has two members of one name. Throws `file_error`.
[[nodiscard]] node read_document(std::string const& file, std::string_view text);

/// The line in which the text ends, from 1 on. LF, CR LF and CR alone end a line.
[[nodiscard]] std::size_t last_line_of(std::string_view text) noexcept;

/// Throws `file_error`.
[[noreturn]] void refuse(std::string const& file, node const& at, std::string const& why);

/// The members of an object, which are asked for by name. Each function throws `file_error` where the value is not what
/// it must be.
class members {
 public:
  /// Throws `file_error` where the object has another member than these: before one that is misspelt is called missing.
  members(std::string const& file, node const& of, std::initializer_list<std::string_view> names);

  [[nodiscard]] node const* find(std::string_view name) const noexcept;
  [[nodiscard]] node const& required(std::string_view name) const;
  [[nodiscard]] std::optional<double> number(std::string_view name, double least, double most) const;
  [[nodiscard]] std::optional<double> whole_number(std::string_view name, double least, double most) const;
  [[nodiscard]] std::optional<anew::duration> duration(std::string_view name, anew::duration least,
                                                       anew::duration most) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view name) const;
  /// The index of the text among these.
  [[nodiscard]] std::optional<std::size_t> one_of(std::string_view name,
                                                  std::initializer_list<std::string_view> words) const;

  [[noreturn]] void refuse(node const& at, std::string const& why) const { anew_fleet::refuse(*file_, at, why); }
  [[nodiscard]] node const& object() const noexcept { return *of_; }

 private:
  std::string const* file_;
  node const* of_;
};

}  // namespace anew_fleet

#endif
