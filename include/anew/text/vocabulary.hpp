// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_VOCABULARY_HPP
#define ANEW_TEXT_VOCABULARY_HPP

#include <type_traits>

#include "anew/base/platform/compiler.hpp"
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

}  // namespace detail

/// One vocabulary of several, and of single words.
template <class... Lists>
using join_words = typename detail::joined_words<Lists...>::type;

}  // namespace anew::inline ANEW_ABI

#endif
