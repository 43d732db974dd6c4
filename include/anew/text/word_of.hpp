// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORD_OF_HPP
#define ANEW_TEXT_WORD_OF_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
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
#include "anew/base/internal/read_form.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/rational.hpp"
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI {

/// The arguments of a word. `Written` is how the reference writes the argument: "BASE".
namespace arguments {

/// The arguments of a word that is being read. Each is consumed once: those before the first with a key one after the
/// other, those with a key by it, and a flag at the end. An argument that is left is refused.
struct cursor {
  word const& of;
  std::string (*written)();
  std::size_t positional;
  std::size_t next = 0;
  std::vector<bool> consumed = std::vector<bool>(of.size());

  [[nodiscard]] word const* peek() const noexcept { return next < positional ? &of[next] : nullptr; }
  [[nodiscard]] word const& take() {
    if (next == positional) refuse_too_few();
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
    if (of.size() < 2 || consumed.back() || !of.arguments.back().names(text)) return false;
    return consumed.back() = true;
  }

  [[noreturn]] ANEW_COLD void refuse_too_few() const {
    for (auto i = next; i < of.size(); ++i) refuse_behind_a_key(i);
    of.refuse(word::quoted(of.name) + " requires more arguments; it is written " + written());
  }
  ANEW_COLD void refuse_behind_a_key(std::size_t i) const {
    if (i >= positional && of[i].key.empty() && !of[i - 1].key.empty() && !consumed[i])
      of[i].refuse("omit " + word::quoted(of[i].all) + ", or write it before the arguments with a name");
  }
  void expect_keys(std::vector<std::string_view> const& known) const {
    for (auto const& w : of.arguments) {
      if (w.key.empty() || known.empty() || std::find(known.begin(), known.end(), w.key) != known.end()) continue;
      std::string list;
      for (auto const key : known) list.append(list.empty() ? "" : ", ").append(key);
      w.refuse(word::quoted(w.key) + " must be one of " + list);
    }
  }
  void refuse_what_is_left(std::vector<std::string_view> const& flags) const {
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
struct named {
  [[nodiscard]] static std::string written() { return std::string{Written.view()}; }
};

template <fixed_text Written>
struct time : named<Written> {
  static bool fits(word const& w) { return w.name[0] == '-' || (w.name[0] >= '0' && w.name[0] <= '9'); }
  static duration value(word const& w, auto const& /*in*/) { return w.as_duration(); }
};
/// A whole number, with or without `Behind`: "20%".
template <fixed_text Written, fixed_text Behind = "">
struct count {
  [[nodiscard]] static std::string written() { return std::string{Written.view()}.append(Behind.view()); }
  static std::int64_t value(word const& w, auto const& /*in*/) { return w.as_count(Behind.view()); }
};
template <fixed_text Written>
struct count32 : named<Written> {
  static std::uint32_t value(word const& w, auto const& /*in*/) { return w.as_count32(); }
};
template <fixed_text Written>
struct ratio : named<Written> {
  static rational value(word const& w, auto const& /*in*/) {
    auto const [num, den] = w.as_ratio();
    return {num, den};
  }
};
template <fixed_text Written>
struct number : named<Written> {
  static double value(word const& w, auto const& /*in*/) { return w.as_number(); }
};
/// A policy of the vocabulary that converts to a `Policy`.
template <fixed_text Written, class Policy>
struct policy : named<Written> {
  static Policy value(word const& w, auto const& in) { return in.template nested<Policy>(w); }
};
/// The policy of `Word`, whether or not the vocabulary has it.
template <class Word>
struct by {
  [[nodiscard]] static std::string written() { return Word::written(); }
  static bool decides(word const& w) { return w.name == Word::name && Word::accepts(w); }
  static typename Word::policy_type value(word const& w, auto const& in) { return in.template nested_by<Word>(w); }
};
/// This text, as a literal argument that selects among overloads of a word.
template <fixed_text Text>
struct exactly : named<Text> {
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

/// An argument that may be omitted.
template <class Argument>
struct maybe {
  [[nodiscard]] static std::string written() { return "[," + Argument::written() + "]"; }
  static auto read(cursor& from, auto const& in) {
    std::optional<decltype(Argument::value(from.of, in))> read;
    auto const* const w = from.peek();
    bool fits = w != nullptr;
    if constexpr (requires { Argument::fits(*w); }) fits = fits && Argument::fits(*w);
    if (fits) read.emplace(Argument::value(from.take(), in));
    return read;
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
  static bool is_set(word const& w) { return w.size() > 1 && w.arguments.back().names(text); }
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
    std::vector<decltype(Argument::value(from.of, in))> read;
    while (from.next + 1 < from.positional) read.push_back(Argument::value(from.take(), in));
    return read;
  }
};
/// Policies for kinds of errors, and last the policy for all others.
template <fixed_text Written, class Policy>
struct of_kinds {
  struct value_type {
    std::vector<std::pair<error_kind, Policy>> of_kind;
    Policy others;
    template <class Made>
    [[nodiscard]] Made added_to(Made made) const {
      for (auto at = of_kind.rbegin(); at != of_kind.rend(); ++at) made.add_for(at->first, at->second);
      return made;
    }
  };
  [[nodiscard]] static std::string written() {
    return std::string{"[KIND="}.append(Written.view()).append(",...,]").append(Written.view());
  }
  static value_type read(cursor& from, auto const& in) {
    if (from.positional == 0 || !from.of.arguments.back().key.empty()) from.refuse_too_few();
    std::vector<std::pair<error_kind, Policy>> rules;
    while (from.next + 1 < from.positional) {
      auto rule = from.take();
      auto const kind = kind_of(rule);
      for (auto const& [other, policy] : rules) {
        if (other == kind) rule.refuse(word::quoted(rule.key) + " is given twice");
      }
      rule.key = {};
      rules.emplace_back(kind, in.template nested<Policy>(rule));
    }
    return {std::move(rules), in.template nested<Policy>(from.take())};
  }

 private:
  static error_kind kind_of(word const& w) {
    if (w.key.empty()) w.refuse("write the kind of error before it, such as throttling=" + std::string{w.all});
    for (auto kind :
         {error_kind::transient, error_kind::throttling, error_kind::timeout, error_kind::server, error_kind::client}) {
      if (w.key == to_string(kind)) return kind;
    }
    w.refuse(word::quoted(w.key) + " must be one of transient, throttling, timeout, server, client");
  }
};

}  // namespace arguments
namespace words {
using namespace arguments;             // NOLINT(google-build-using-namespace): words are made of them
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace): and of examples
}  // namespace words

template <class... Words>
struct vocabulary;

/// A word: its name, an example of the policy that it reads, and its arguments, with which the policy is constructed.
///
///     using constant = word_of<"constant", constant_backoff<1s>, arguments::time<"DELAY">>;  // reads constant_backoff<run_time>
///
/// Tests ask each example what they ask of its role. A word whose policy has no default declares another `example_type`.
///
/// A `static policy_type make(values...)` in the word makes the policy instead; an argument that may be omitted is a
/// `std::optional`.
template <fixed_text Name, class Policy, class... Arguments>
struct word_of {
  using example_type = Policy;
  using policy_type = typename detail::read_form<Policy>::type;
  static constexpr std::string_view name = Name.view();

  /// "exponential(BASE,CAP[,FACTOR])".
  [[nodiscard]] static std::string written() {
    std::string text;
    [[maybe_unused]] auto const add = [&text](std::string const& argument) {
      text.append(text.empty() || argument.starts_with('[') ? "" : ",").append(argument);
    };
    (add(Arguments::written()), ...);
    if (text.starts_with("[,")) text.erase(1, 1);
    return text.empty() ? std::string{name} : std::string{name}.append("(").append(text).append(")");
  }

  /// False where another word of this name is meant.
  static bool accepts(word const& w) {
    std::size_t at = 0;
    [[maybe_unused]] auto const agrees = [&]<class A>(std::type_identity<A> /*which*/) {
      if constexpr (requires { A::decides(w); }) return at < w.size() && A::decides(w[at]);
      return true;
    };
    return ((agrees(std::type_identity<Arguments>{}) && (++at, true)) && ...);
  }

  template <class Self, class In>
  static policy_type read(word const& w, In const& in) {
    std::vector<std::string_view> keys;
    std::vector<std::string_view> flags;
    bool has_flag = false;
    [[maybe_unused]] auto const look_at = [&]<class A>(std::type_identity<A> /*which*/) {
      if constexpr (requires { A::key; }) keys.push_back(A::key);
      if constexpr (requires { A::is_set(w); }) {
        flags.push_back(A::text);
        has_flag = has_flag || A::is_set(w);
      }
    };
    (look_at(std::type_identity<Arguments>{}), ...);
    auto positional = w.size();
    if (!keys.empty()) {
      auto const has_key = [](word const& argument) { return !argument.key.empty(); };
      positional =
          static_cast<std::size_t>(std::find_if(w.arguments.begin(), w.arguments.end(), has_key) - w.arguments.begin());
    }
    arguments::cursor from{w, &written, positional - (has_flag && positional == w.size() ? 1U : 0U)};
    from.expect_keys(keys);
    std::tuple<decltype(one<Arguments>(from, in))...> parts{one<Arguments>(from, in)...};  // in this order
    from.refuse_what_is_left(flags);
    return std::apply(
        [](auto&&... value) {
          if constexpr (requires { Self::make(std::move(value)...); }) {
            return Self::make(std::move(value)...);
          } else {
            return policy_type{std::move(value)...};
          }
        },
        std::apply([](auto&&... part) { return std::tuple_cat(std::move(part)...); }, std::move(parts)));
  }

 private:
  template <class Argument, class In>
  static auto one(arguments::cursor& from, In const& in) {
    if constexpr (requires { Argument::read(from, in); }) {
      return std::tuple<decltype(Argument::read(from, in))>{Argument::read(from, in)};
    } else if constexpr (std::is_same_v<decltype(Argument::value(from.of, in)), std::tuple<>>) {
      return Argument::value(from.take(), in);
    } else {
      return std::tuple<decltype(Argument::value(from.of, in))>{Argument::value(from.take(), in)};
    }
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
