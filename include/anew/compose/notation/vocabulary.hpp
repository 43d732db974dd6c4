// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_NOTATION_VOCABULARY_HPP
#define ANEW_COMPOSE_NOTATION_VOCABULARY_HPP

#include "anew/platform/compiler.hpp"
#include "anew/value/word.hpp"

namespace anew::inline ANEW_ABI {

/// The words that a text may use. A word is a type with
///
/// | member                                       | meaning                                                             |
/// |----------------------------------------------|---------------------------------------------------------------------|
/// | `policy_type`                                | the policy that it reads, whose values are known at run time        |
/// | `static constexpr word_form form`            | its name, how it is written, and how many arguments it takes        |
/// | `static policy_type read(word const&)`       | reads the arguments; refuses by `word::refuse()`                    |
/// | `static policy_type read(word const&, in)`   | the same, where policies are nested: `in.template nested<P>(argument)` |
///
/// A constructor's `std::invalid_argument` becomes a fault at the word.
template <class... Words>
struct vocabulary {};

namespace detail {

template <class... Lists>
struct joined_words;
template <>
struct joined_words<> {
  using type = vocabulary<>;
};
template <class Word, class... Lists>
struct joined_words<Word, Lists...> : joined_words<vocabulary<Word>, Lists...> {};
template <class... Words>
struct joined_words<vocabulary<Words...>> {
  using type = vocabulary<Words...>;
};
template <class... Words, class... More, class... Lists>
struct joined_words<vocabulary<Words...>, vocabulary<More...>, Lists...>
    : joined_words<vocabulary<Words..., More...>, Lists...> {};
template <class... Words, class Word, class... Lists>
struct joined_words<vocabulary<Words...>, Word, Lists...> : joined_words<vocabulary<Words..., Word>, Lists...> {};

}  // namespace detail

/// One vocabulary of several, and of single words.
template <class... Lists>
using join_words = typename detail::joined_words<Lists...>::type;

}  // namespace anew::inline ANEW_ABI

#endif
