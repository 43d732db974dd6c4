// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_COMPOSE_NOTATION_INTERNAL_READER_HPP
#define ANEW_COMPOSE_NOTATION_INTERNAL_READER_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/compose/choice.hpp"
#include "anew/compose/internal/normalize.hpp"
#include "anew/compose/notation/core_words.hpp"
#include "anew/compose/notation/internal/words_of_text.hpp"
#include "anew/compose/notation/strategy_reading.hpp"
#include "anew/compose/notation/vocabulary.hpp"
#include "anew/platform/compiler.hpp"
#include "anew/value/internal/slots.hpp"
#include "anew/value/word.hpp"
#if ANEW_EXCEPTIONS
#include <stdexcept>
#endif

namespace anew::inline ANEW_ABI::detail {

template <class... Lists>
struct vocabulary_or_core {
  using type = join_words<Lists...>;
};
template <>
struct vocabulary_or_core<> {
  using type = core_words;
};

template <class Role>
inline constexpr std::string_view role_in_words = "role";
template <>
inline constexpr std::string_view role_in_words<roles::backoff> = "backoff";
template <>
inline constexpr std::string_view role_in_words<roles::jitter> = "jitter";
template <>
inline constexpr std::string_view role_in_words<roles::quota> = "quota";
template <>
inline constexpr std::string_view role_in_words<roles::classifier> = "classifier";
template <>
inline constexpr std::string_view role_in_words<roles::max_attempts> = "limit of attempts";
template <>
inline constexpr std::string_view role_in_words<roles::hint> = "hint";
template <>
inline constexpr std::string_view role_in_words<roles::deadline> = "deadline";
template <>
inline constexpr std::string_view role_in_words<roles::attempt_timeout> = "per-attempt timeout";
template <>
inline constexpr std::string_view role_in_words<roles::gate> = "gate";
template <>
inline constexpr std::string_view role_in_words<roles::pacer> = "pacer";
template <>
inline constexpr std::string_view role_in_words<roles::reset> = "reset";
template <>
inline constexpr std::string_view role_in_words<roles::nesting> = "nesting guard";
template <>
inline constexpr std::string_view role_in_words<roles::observer> = "observer";
template <>
inline constexpr std::string_view role_in_words<roles::history> = "history";
template <>
inline constexpr std::string_view role_in_words<roles::clock> = "clock";
template <>
inline constexpr std::string_view role_in_words<roles::random_source> = "random source";

template <class Word>
using role_of_word = typename Word::policy_type::role;

/// The policy of a role: the program's own, or a choice between it and the policies of the words.
struct no_such_policy {};
template <class Role, class Policies>
struct choice_or_policy;
template <class Role, class Only>
struct choice_or_policy<Role, type_list<Only>> {
  using type = Only;
};
template <class Role, class... Ps>
struct choice_or_policy<Role, type_list<Ps...>> {
  using type = choice<Role, Ps...>;
};
template <class Role, class First, class Vocabulary>
struct player;
template <class Role, class First, class... Words>
struct player<Role, First, vocabulary<Words...>>
    : choice_or_policy<
          Role, typename unique_types<no_such_policy, type_list<First>,
                                      std::conditional_t<std::is_same_v<role_of_word<Words>, Role>,
                                                         typename Words::policy_type, no_such_policy>...>::type> {};

/// The number of letters to add, omit or change.
inline std::size_t letters_between(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t i = 0; i != row.size(); ++i) row[i] = i;
  for (std::size_t i = 0; i != a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j != b.size(); ++j) {
      auto const changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

[[noreturn]] ANEW_COLD inline void refuse_unknown(word const& w, std::vector<std::string_view> const& known) {
  if (!w.key.empty()) w.refuse("omit " + word::quoted(std::string{w.key}.append("=")) + ": this argument has no name");
  auto const suggest = [&w](std::string_view name) {
    w.refuse_name("there is no policy " + word::quoted(w.name) + "; did you mean " + word::quoted(name) + "?");
  };
  if (!w.name.empty() && w.name.size() <= 40 && !known.empty()) {
    auto nearest = known.front();
    for (auto const name : known) {
      if (letters_between(w.name, name) < letters_between(w.name, nearest)) nearest = name;
    }
    if (letters_between(w.name, nearest) <= std::min(w.name.size(), nearest.size()) / 3) suggest(nearest);
    for (auto const name : known) {
      if (w.name.size() < 3 || name.starts_with("no_")) continue;
      if (name.starts_with(w.name) || name.ends_with(w.name)) suggest(name);
    }
  }
  std::string list;
  for (auto const name : known) list.append(list.empty() ? "" : ", ").append(name);
  w.refuse_name("there is no policy " + word::quoted(w.name) + "; write one of " + list);
}

/// Reads single policies by a vocabulary.
template <class Vocabulary>
struct policy_reader;

template <class... Words>
struct policy_reader<vocabulary<Words...>> {
  template <class Word>
  static bool is_written(word const& w) {
    if (Word::form.name != w.name) return false;
    if constexpr (requires { Word::accepts(w); }) return Word::accepts(w);
    return true;
  }
  static bool knows(std::string_view name) { return ((Words::form.name == name) || ...); }
  static std::vector<std::string_view> names() {
    std::vector<std::string_view> all;
    for (auto const name : {Words::form.name...}) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
    return all;
  }

  /// Calls the policy's own constructor, which checks the values.
  template <class Word>
  static typename Word::policy_type read(word const& w) {
    auto const written = std::string{"; it is written "}.append(Word::form.written);
    if (!w.key.empty())
      w.refuse("omit " + word::quoted(std::string{w.key}.append("=")) + ": this argument has no name");
    if (w.size() < Word::form.least) w.refuse(word::quoted(w.name) + " requires more arguments" + written);
    if (w.size() > Word::form.most) {
      w[Word::form.most].refuse(word::quoted(w.name) +
                                (Word::form.most == 0 ? " takes no arguments" : " takes fewer arguments") + written);
    }
    if (w.has_parentheses && w.size() == 0) w.refuse(word::quoted(w.name) + " takes no empty parentheses" + written);
#if ANEW_EXCEPTIONS
    try {
      return read_arguments<Word>(w);
    } catch (std::invalid_argument const& invalid) {
      w.refuse(invalid.what());
    }
#else
    return read_arguments<Word>(w);
#endif
  }

  /// A policy among the arguments of another, as a `P`.
  template <class P>
  P nested(word const& w) const {
    if (!knows(w.name)) refuse_unknown(w, names());
    std::optional<P> made;
    (nest<P, Words>(w, made), ...);
    return std::move(*made);
  }

 private:
  template <class Word>
  static typename Word::policy_type read_arguments(word const& w) {
    if constexpr (requires { Word::read(w, policy_reader{}); }) {
      return Word::read(w, policy_reader{});
    } else {
      return Word::read(w);
    }
  }
  template <class P, class Word>
  static void nest(word const& w, std::optional<P>& made) {
    if (made || !is_written<Word>(w)) return;
    if constexpr (!std::is_same_v<role_of_word<Word>, typename P::role>) {
      w.refuse(word::quoted(w.name)
                   .append(" must be a ")
                   .append(role_in_words<typename P::role>)
                   .append(", but is a ")
                   .append(role_in_words<role_of_word<Word>>));
    } else if constexpr (std::is_convertible_v<typename Word::policy_type, P>) {
      made.emplace(read<Word>(w));
    } else {
      w.refuse(word::quoted(w.name) + " cannot be nested in this policy");
    }
  }
};

template <class Vocabulary, class... Given>
class strategy_reader;

template <class... Words, class... Given>
class strategy_reader<vocabulary<Words...>, Given...> {
  using reader = policy_reader<vocabulary<Words...>>;
  template <class Entry>
  using first_for = pick_t<typename Entry::role, typename Entry::fallback, Given...>;

  template <class Entry>
  using player_of = typename player<typename Entry::role, first_for<Entry>, vocabulary<Words...>>::type;

  template <class Catalogue>
  struct types_of;
  template <class... Entries>
  struct types_of<hana::basic_tuple<Entries...>> {
    using strategy = basic_strategy<player_of<Entries>...>;
    using slots = std::tuple<std::optional<player_of<Entries>>...>;
  };

 public:
  using strategy_type = typename types_of<role_table>::strategy;

  static strategy_reading<strategy_type> read(std::string_view text, Given... given) {
#if ANEW_EXCEPTIONS
    try {
      return strategy_reading<strategy_type>{strategy_reader{std::move(given)...}.read_all(text)};
    } catch (fault_found& found) {
      return strategy_reading<strategy_type>{std::move(found.fault)};
    }
#else
    return strategy_reading<strategy_type>{strategy_reader{std::move(given)...}.read_all(text)};
#endif
  }

 private:
  explicit strategy_reader(Given... given) {
    (slot_of<typename Given::role>().emplace(std::move(given)), ...);
    std::apply([](auto&... slots) { (fill(slots), ...); }, slots_);
  }
  template <class Slot>
  static void fill(std::optional<Slot>& slot) {
    if constexpr (std::is_default_constructible_v<Slot>) {
      if (!slot) slot.emplace();
    }
  }
  template <class Role, std::size_t I = 0>
  auto& slot_of() {
    if constexpr (std::is_same_v<typename std::tuple_element_t<I, slots_type>::value_type::role, Role>) {
      return std::get<I>(slots_);
    } else {
      return slot_of<Role, I + 1>();
    }
  }

  strategy_type read_all(std::string_view text) {
    auto const words = words_of_text{text}.read();
    for (auto const& w : words) {
      bool done = std::apply([&](auto const&... slots) { return (is_given(w, *slots) || ...); }, slots_);
      if (!done) static_cast<void>(((is_taken<Words>(w)) || ...) || (refuse_unknown(w, reader::names()), false));
    }
    check_together();
    return std::apply([](auto&... slots) { return strategy_type{std::move(*slots)...}; }, slots_);
  }
  /// The text names a given policy by its `describe()`, and a given classifier by "retry_info" too.
  template <class Slot>
  bool is_given(word const& w, Slot const& slot) {
    using role = typename Slot::role;
    if constexpr (is_absent<Slot>) {
      return false;
    } else {
      bool const says_so = !reader::knows(w.name) && !w.all.empty() && describe_policy(slot) == w.all;
      bool const is_classifier = std::is_same_v<role, roles::classifier> && w.all == "retry_info";
      if (!says_so && !is_classifier) return false;
      play<role>(w);
      return true;
    }
  }
  template <class Word>
  bool is_taken(word const& w) {
    if (!reader::template is_written<Word>(w)) return false;
    using role = role_of_word<Word>;
    play<role>(w);
    using policy = typename Word::policy_type;
    auto made = reader::template read<Word>(w);
    auto& slot = slot_of<role>();
    if constexpr (std::is_same_v<typename std::remove_reference_t<decltype(slot)>::value_type, policy>) {
      slot.emplace(std::move(made));
    } else {
      slot->template emplace<policy>(std::move(made));
    }
    if constexpr (std::is_same_v<role, roles::deadline>) deadline_ = w;
    if constexpr (std::is_same_v<role, roles::max_attempts>) has_limit_ = true;
    if constexpr (NeedsDeadline<policy>) needs_deadline_ = w;
    return true;
  }
  template <class Role>
  void play(word const& w) {
    for (auto const& [role, by] : played_) {
      if (role == role_in_words<Role>) {
        w.refuse(word::quoted(w.name).append(" plays the ").append(role).append(", as does ").append(word::quoted(by)) +
                 " before it; omit one of them");
      }
    }
    played_.emplace_back(role_in_words<Role>, w.all);
  }
  void check_together() const {
    if (deadline_ && !has_limit_ && !is_max_attempts_given) {
      deadline_->refuse("with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)");
    }
    if (needs_deadline_ && !deadline_)
      needs_deadline_->refuse("write a deadline too: this is a part of what remains of it");
  }

  static constexpr bool is_max_attempts_given = (std::is_same_v<typename Given::role, roles::max_attempts> || ...);
  using slots_type = typename types_of<role_table>::slots;
  slots_type slots_;
  std::vector<std::pair<std::string_view, std::string_view>> played_;
  std::optional<word> deadline_;
  std::optional<word> needs_deadline_;
  bool has_limit_ = false;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
