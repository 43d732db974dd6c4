// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_ARGUMENTS_HPP
#define ANEW_TEXT_ARGUMENTS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/duration.hpp"
#include "anew/base/failure.hpp"
#include "anew/base/fixed_text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The value that was read, or its default; a std::optional where there is no default.
template <auto... Default>
auto or_default(auto read) {
  if constexpr (sizeof...(Default) == 0) {
    return read;
  } else {
    return read.value_or(typename decltype(read)::value_type{Default...});
  }
}

}  // namespace anew::inline ANEW_ABI::detail

/// The arguments of a `word_of`. `Written` is how the reference writes the argument: "BASE".
namespace anew::inline ANEW_ABI::arguments {

/// A policy among the arguments: none behind a fault.
template <class Policy>
struct nested_policy : std::optional<Policy> {};

/// The value that a policy is constructed with.
template <class Value>
Value&& given_by(Value& read) {
  return std::move(read);
}
template <class Policy>
Policy&& given_by(nested_policy<Policy>& read) {
  return *std::move(read);
}

/// The arguments of a word that is being read. Each is consumed once: those before the first with a key one after the
/// other, those with a key by it, and a flag at the end. An argument that is left is refused.
struct cursor {
  word const& of;
  std::string (*written)();
  std::vector<std::string_view> keys{};
  std::vector<std::string_view> flags{};
  std::size_t positional = 0;
  std::size_t next = 0;
  std::vector<bool> consumed = std::vector<bool>(of.size());

  /// "exponential(BASE,CAP[,FACTOR])".
  static std::string written_with(std::string_view name, std::initializer_list<std::string> arguments) {
    std::string text;
    for (auto const& one : arguments) text.append(text.empty() || one.starts_with('[') ? "" : ",").append(one);
    if (text.starts_with("[,")) text.erase(1, 1);
    return text.empty() ? std::string{name} : std::string{name}.append("(").append(text).append(")");
  }
  template <class Argument>
  static bool agrees(word const& w, std::size_t at) {
    if constexpr (requires { Argument::decides(w); }) return at < w.size() && Argument::decides(w[at]);
    return true;
  }
  template <class Argument>
  void announce() {
    if constexpr (requires { Argument::key; }) keys.push_back(Argument::key);
    if constexpr (requires { Argument::text; }) flags.push_back(Argument::text);
  }
  /// Requires: every argument is announced
  void begin() {
    auto const has_key = [](word const& argument) { return !argument.key.empty(); };
    auto const is_set = [this](std::string_view text) { return of.size() > 1 && of.arguments.back().names(text); };
    auto const& all = of.arguments;
    auto const end = keys.empty() ? all.end() : std::find_if(all.begin(), all.end(), has_key);
    bool const ends_with_a_flag = end == all.end() && std::any_of(flags.begin(), flags.end(), is_set);
    positional = static_cast<std::size_t>(end - all.begin()) - (ends_with_a_flag ? 1U : 0U);
    expect_keys();
  }

  [[nodiscard]] word const* peek() const noexcept { return next < positional ? &of[next] : nullptr; }
  [[nodiscard]] word const& take() {
    if (next == positional) {
      refuse_too_few();
      return of;
    }
    consumed[next] = true;
    return of[next++];
  }
  /// The argument with this key, without the key; nothing if the key is absent.
  [[nodiscard]] std::optional<word> take_key(std::string_view key) {
    std::optional<word> found;
    for (std::size_t i = 0; i != of.size(); ++i) {
      if (of[i].key != key) continue;
      if (found) of[i].refuse(word::quoted(key) + " is given twice");
      consumed[i] = true;
      found = of[i];
      found->key = {};
    }
    return found;
  }
  [[nodiscard]] bool take_flag(std::string_view text) {
    if (consumed.empty() || consumed.back() || !of.arguments.back().names(text)) return false;
    return consumed.back() = true;
  }

  ANEW_COLD void refuse_too_few() const {
    for (auto i = next; i < of.size(); ++i) refuse_behind_a_key(i);
    of.refuse(word::quoted(of.name) + " requires more arguments; it is written " + written());
  }
  ANEW_COLD void refuse_behind_a_key(std::size_t i) const {
    if (i >= positional && of[i].key.empty() && !of[i - 1].key.empty() && !consumed[i])
      of[i].refuse("omit " + word::quoted(of[i].all) + ", or write it before the arguments with a name");
  }
  void expect_keys() const {
    for (auto const& w : of.arguments) {
      if (w.key.empty() || keys.empty() || std::find(keys.begin(), keys.end(), w.key) != keys.end()) continue;
      std::string list;
      for (auto const key : keys) list.append(list.empty() ? "" : ", ").append(key);
      w.refuse(word::quoted(w.key) + " must be one of " + list);
    }
  }
  void refuse_what_is_left() const {
    auto const left = std::find(consumed.begin(), consumed.end(), false);
    if (left == consumed.end()) return;
    auto const at = static_cast<std::size_t>(left - consumed.begin());
    auto const& w = of[at];
    for (auto const text : flags) {
      if (w.names(text)) w.refuse("write " + word::quoted(text) + " once, behind all other arguments");
    }
    refuse_behind_a_key(at);
    w.refuse(word::quoted(w.all) + " does not belong here; " +
             (written() == of.name ? "omit the parentheses" : std::string{of.name} + " is written " + written()));
  }
};

template <fixed_text Written>
struct written_as {
  [[nodiscard]] static std::string written() { return std::string{Written.view()}; }
};

template <fixed_text Written>
struct time : written_as<Written> {
  static bool fits(word const& w) { return w.name[0] == '-' || (w.name[0] >= '0' && w.name[0] <= '9'); }
  static duration value(word const& w, auto const& /*in*/) { return w.as_duration(); }
};
/// A whole number, with or without `Behind`: "20%".
template <fixed_text Written, fixed_text Behind = "">
struct count {
  [[nodiscard]] static std::string written() { return std::string{Written.view()}.append(Behind.view()); }
  static std::int64_t value(word const& w, auto const& /*in*/) { return w.as_whole<std::int64_t>(Behind.view()); }
};
template <fixed_text Written>
struct count32 : written_as<Written> {
  static std::uint32_t value(word const& w, auto const& /*in*/) { return w.as_whole<std::uint32_t>(); }
};
template <fixed_text Written>
struct ratio : written_as<Written> {
  static rational value(word const& w, auto const& /*in*/) {
    auto const [num, den] = w.as_ratio();
    return {num, den};
  }
};
template <fixed_text Written>
struct number : written_as<Written> {
  static double value(word const& w, auto const& /*in*/) { return w.as_number(); }
};
/// A policy of the vocabulary that converts to a `Policy`.
template <fixed_text Written, class Policy>
struct policy : written_as<Written> {
  static nested_policy<Policy> value(word const& w, auto const& in) { return {in.template nested<Policy>(w)}; }
};
/// The policy of `Word`, whether or not the vocabulary has it.
template <class Word>
struct by {
  [[nodiscard]] static std::string written() { return Word::written(); }
  static bool decides(word const& w) { return w.name == Word::name && Word::accepts(w); }
  static nested_policy<typename Word::policy_type> value(word const& w, auto const& in) {
    return {in.template nested_by<Word>(w)};
  }
};
/// This text, as a literal argument that selects among overloads of a word.
template <fixed_text Text>
struct exactly : written_as<Text> {
  static bool decides(word const& w) { return w.names(Text.view()); }
  static std::tuple<> value(word const& /*w*/, auto const& /*in*/) { return {}; }
};
template <fixed_text Text, auto Value>
struct option {
  static constexpr auto text = Text.view();
  static constexpr auto value = Value;
};
/// One of several texts: `one_of<option<"stop", long_hint::stop>, ...>`.
template <class First, class... Options>
struct one_of {
  using type = decltype(First::value);
  [[nodiscard]] static std::string written() {
    std::string text{First::text};
    (text.append("|").append(Options::text), ...);
    return text;
  }
  static bool fits(word const& w) { return w.names(First::text) || (w.names(Options::text) || ...); }
  static auto value(word const& w, auto const& /*in*/) {
    using value_type = std::remove_const_t<type>;
    return w.as_one_of<value_type>({{First::text, First::value}, {Options::text, Options::value}...});
  }
};

/// An argument that may be omitted. A default of a time is a number of nanoseconds.
template <class Argument, auto... Default>
struct maybe {
  [[nodiscard]] static std::string written() { return "[," + Argument::written() + "]"; }
  static auto read(cursor& from, auto const& in) {
    std::optional<decltype(Argument::value(from.of, in))> read;
    auto const* const w = from.peek();
    bool fits = w != nullptr;
    if constexpr (requires { Argument::fits(*w); }) fits = fits && Argument::fits(*w);
    if (fits) read.emplace(Argument::value(from.take(), in));
    return detail::or_default<Default...>(std::move(read));
  }
};
/// `Key=argument`, which may be omitted.
template <fixed_text Key, class Argument>
struct keyed {
  static constexpr std::string_view key = Key.view();
  [[nodiscard]] static std::string written() { return "[," + std::string{key} + "=" + Argument::written() + "]"; }
  static auto read(cursor& from, auto const& in) {
    std::optional<decltype(Argument::value(from.of, in))> read;
    if (auto const found = from.take_key(key)) read.emplace(Argument::value(*found, in));
    return read;
  }
};
/// A text behind all other arguments, which may be omitted.
template <fixed_text Text>
struct flag {
  static constexpr std::string_view text = Text.view();
  [[nodiscard]] static std::string written() { return "[," + std::string{text} + "]"; }
  static bool read(cursor& from, auto const& /*in*/) { return from.take_flag(text); }
};
/// At least one.
template <class Argument>
struct many {
  [[nodiscard]] static std::string written() { return Argument::written() + ",..."; }
  static auto read(cursor& from, auto const& in) {
    std::vector<decltype(Argument::value(from.of, in))> read{Argument::value(from.take(), in)};
    while (from.peek() != nullptr) read.push_back(Argument::value(from.take(), in));
    return read;
  }
};

template <class Argument>
struct all_but_the_last {
  [[nodiscard]] static std::string written() { return Argument::written() + ",..."; }
  static auto read(cursor& from, auto const& in) {
    if (from.positional != 0 && Argument::decides(from.of[from.positional - 1])) from.refuse_too_few();
    std::vector<std::remove_cvref_t<decltype(*Argument::value(from.of, in))>> read;
    while (from.next + 1 < from.positional) {
      if (auto one = Argument::value(from.take(), in)) read.push_back(*std::move(one));
    }
    return read;
  }
};
/// Policies for kinds of errors, and last the policy for all others.
template <fixed_text Written, class Policy>
struct of_kinds {
  struct value_type {
    std::vector<std::pair<error_kind, Policy>> of_kind;
    Policy others;
  };
  [[nodiscard]] static std::string written() {
    return std::string{"[KIND="}.append(Written.view()).append(",...,]").append(Written.view());
  }
  static nested_policy<value_type> read(cursor& from, auto const& in) {
    if (from.positional == 0 || !from.of.arguments.back().key.empty()) from.refuse_too_few();
    std::vector<std::pair<error_kind, Policy>> rules;
    while (from.next + 1 < from.positional) {
      auto rule = from.take();
      auto const kind = kind_of(rule);
      for (auto const& [other, policy] : rules) {
        if (other == kind) rule.refuse(word::quoted(rule.key) + " is given twice");
      }
      rule.key = {};
      if (auto policy = in.template nested<Policy>(rule)) rules.emplace_back(kind, *std::move(policy));
    }
    auto others = in.template nested<Policy>(from.take());
    if (!others) return {};
    return {value_type{std::move(rules), *std::move(others)}};
  }

 private:
  static error_kind kind_of(word const& w) {
    if (w.key.empty()) w.refuse("write the kind of error before it, such as throttling=" + std::string{w.all});
    for (auto const kind : detail::every_kind) {
      if (w.key == to_string(kind)) return kind;
    }
    w.refuse(word::quoted(w.key) + " must be one of transient, throttling, timeout, server, client");
    return error_kind{};
  }
};

}  // namespace anew::inline ANEW_ABI::arguments

#endif
