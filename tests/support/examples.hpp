// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_SUPPORT_EXAMPLES_HPP
#define ANEW_TESTS_SUPPORT_EXAMPLES_HPP

#include <string>
#include <type_traits>
#include <vector>

#include "anew/text/core_words.hpp"

namespace support {

/// All words that the library has without another one, but those of classifiers.
using all_words = anew::join_words<anew::core_words, anew::attempt_timeout_words, anew::pacer_words, anew::reset_words,
                                   anew::nesting_words, anew::striped_words, anew::striped_pacer_words,
                                   anew::random_source_words, anew::clock_words>;

template <class Word, class... Out>
struct unless : std::conditional<(std::is_same_v<typename Word::example_type, Out> || ...), anew::vocabulary<>, Word> {
};

/// The policies of vocabularies, each as its word shows it.
template <class Vocabulary>
struct examples_of_one;
template <class... Words>
struct examples_of_one<anew::vocabulary<Words...>> {
  /// A list of another kind, and more in it: `examples<anew::jitter_words>::in<testing::Types, my_jitter>`.
  template <template <class...> class List, class... More>
  using in = List<More..., typename Words::example_type...>;

  template <class... Out>
  using but = examples_of_one<anew::join_words<typename unless<Words, Out...>::type...>>;

  static void for_each(auto const& ask) { (ask(typename Words::example_type{}), ...); }
  static std::vector<std::string> described() { return {typename Words::example_type{}.describe()...}; }
};
template <class... Vocabularies>
using examples = examples_of_one<anew::join_words<Vocabularies...>>;

}  // namespace support

#endif
