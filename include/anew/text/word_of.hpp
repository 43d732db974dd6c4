// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_WORD_OF_HPP
#define ANEW_TEXT_WORD_OF_HPP

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "anew/base/fixed_text.hpp"
#include "anew/base/internal/parameter.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/text/arguments.hpp"  // IWYU pragma: export
#include "anew/text/word.hpp"

namespace anew::inline ANEW_ABI {

/// The words that a text may use: `word_of`, or types with the same members.
///
/// | member                               | meaning                                                          |
/// |--------------------------------------|------------------------------------------------------------------|
/// | `policy_type`                        | the policy that it reads, whose values are known at run time     |
/// | `example_type`                       | an example with its values in the type, for tests                |
/// | `name`                               | a `std::string_view`                                             |
/// | `written()`                          | how it is written: "exponential(BASE,CAP[,FACTOR])"              |
/// | `accepts(word const&)`               | false where another word of this name is meant                   |
/// | `read<Self>(word const&, in)`        | reads the arguments; refuses by `word::refuse()`, and returns no policy then |
///
/// A nested policy is `in.template nested<P>(argument)`, a `std::optional<P>` that is empty behind a fault. No constructor may
/// throw: a word that a policy's values do not fit refuses. Of words with one name, the first that accepts reads.
template <class... Words>
struct vocabulary {};

namespace detail {

template <class... Lists>
struct joined_words;
template <>
struct joined_words<> : std::type_identity<vocabulary<>> {};
template <class Word, class... Lists>
struct joined_words<Word, Lists...> : joined_words<vocabulary<Word>, Lists...> {};
template <class... Words>
struct joined_words<vocabulary<Words...>> : std::type_identity<vocabulary<Words...>> {};
template <class... Words, class... More, class... Lists>
struct joined_words<vocabulary<Words...>, vocabulary<More...>, Lists...>
    : joined_words<vocabulary<Words..., More...>, Lists...> {};
template <class... Words, class Word, class... Lists>
struct joined_words<vocabulary<Words...>, Word, Lists...> : joined_words<vocabulary<Words..., Word>, Lists...> {};

/// The form of a policy that a text is read into: a policy of numbers alone has them as values, any other is itself.
template <class P>
struct read_form : std::type_identity<P> {};
template <class P>
  requires(std::is_empty_v<P> && DeclaresRunTimeForm<P>)
struct read_form<P> : std::type_identity<decltype(std::declval<P const&>().run_time_form())> {};

}  // namespace detail

/// One vocabulary of several, and of single words.
template <class... Lists>
using join_words = typename detail::joined_words<Lists...>::type;

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
/// A `static make(values...)` in the word makes the policy instead, or a tuple of what it is constructed with; an argument that
/// may be omitted is a `std::optional`. A `static std::string fault_of(values...)` in the word, and of the policy for what it
/// is constructed with, says why values do not fit: the word is refused then.
template <fixed_text Name, class Policy, class... Arguments>
struct word_of {
  using example_type = Policy;
  using policy_type = typename detail::read_form<Policy>::type;
  static constexpr std::string_view name = Name.view();

  /// "exponential(BASE,CAP[,FACTOR])".
  [[nodiscard]] static std::string written() {
    return arguments::cursor::written_with(name, {Arguments::written()...});
  }

  /// False where another word of this name is meant.
  static bool accepts(word const& w) {
    [[maybe_unused]] std::size_t at = 0;
    return (arguments::cursor::agrees<Arguments>(w, at++) && ...);
  }

  template <class Self, class In>
  static std::optional<policy_type> read(word const& w, In const& in) {
    arguments::cursor from{w, &written};
    (from.announce<Arguments>(), ...);
    from.begin();
    return read_from<Self, Arguments...>(from, in);
  }

 private:
  /// The arguments that are left, behind those that were `read`.
  template <class Self, class Argument, class... Left>
  static std::optional<policy_type> read_from(arguments::cursor& from, auto const& in, auto&... read) {
    if constexpr (requires { Argument::read(from, in); }) {
      auto value = Argument::read(from, in);
      return read_from<Self, Left...>(from, in, read..., value);
    } else if constexpr (std::is_same_v<decltype(Argument::value(from.of, in)), std::tuple<>>) {
      static_cast<void>(from.take());
      return read_from<Self, Left...>(from, in, read...);
    } else {
      auto value = Argument::value(from.take(), in);
      return read_from<Self, Left...>(from, in, read..., value);
    }
  }
  template <class Self>
  static std::optional<policy_type> read_from(arguments::cursor& from, auto const& /*in*/, auto&... read) {
    from.refuse_what_is_left();
    if (from.of.is_refused()) return std::nullopt;
    return made<Self>(from.of, arguments::given_by(read)...);
  }

  template <class Self, class... Values>
  static std::optional<policy_type> made(word const& w, Values&&... values) {
    if constexpr (requires { Self::fault_of(values...); }) {
      if (refuses(w, Self::fault_of(values...))) return std::nullopt;
    }
    if constexpr (!requires { Self::make(std::move(values)...); }) {
      return constructed(w, std::move(values)...);
    } else if constexpr (std::is_convertible_v<decltype(Self::make(std::move(values)...)), policy_type>) {
      return Self::make(std::move(values)...);
    } else {
      return std::apply([&w](auto&&... value) { return constructed(w, std::move(value)...); },
                        Self::make(std::move(values)...));
    }
  }
  template <class... Values>
  static std::optional<policy_type> constructed(word const& w, Values&&... values) {
    if constexpr (requires { policy_type::fault_of(values...); }) {
      if (refuses(w, policy_type::fault_of(values...))) return std::nullopt;
    }
    return std::optional<policy_type>{std::in_place, std::move(values)...};
  }
  static bool refuses(word const& w, std::string fault) {
    if (!fault.empty()) w.refuse(std::move(fault));
    return w.is_refused();
  }
};

}  // namespace anew::inline ANEW_ABI

#endif
