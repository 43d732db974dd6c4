// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_INTERNAL_STRATEGY_READER_HPP
#define ANEW_TEXT_INTERNAL_STRATEGY_READER_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/strategy/for_each_policy.hpp"
#include "anew/strategy/internal/explain.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/internal/reader.hpp"
#include "anew/text/strategy_reading.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The words that are named, or the usual ones where none are.
template <class Usual, class... Lists>
using words_or = std::conditional_t<sizeof...(Lists) == 0, Usual, join_words<Lists...>>;

/// The policy of a role: the program's own, or a choice between it and the policies of the words.
template <class Role, class Policies>
struct choice_or_policy;
template <class Role, class Only>
struct choice_or_policy<Role, type_list<Only>> : std::type_identity<Only> {};
template <class Role, class... Ps>
struct choice_or_policy<Role, type_list<Ps...>> : std::type_identity<choice<Role, Ps...>> {};
template <class Role, class First, class Vocabulary>
struct player;
template <class Role, class First, class... Words>
struct player<Role, First, vocabulary<Words...>>
    : choice_or_policy<
          Role, typename unique_types<no_such_policy, type_list<First>,
                                      std::conditional_t<std::is_same_v<role_of_word<Words>, Role>,
                                                         typename Words::policy_type, no_such_policy>...>::type> {};

/// A demand that a strategy does not meet, and the role to blame; no text where it is accepted.
struct unmet {
  std::string what;
  std::string_view role;
};
struct accepts_all {
  unmet operator()(auto const& /*strategy*/) const { return {}; }
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

  /// `check(strategy)` may refuse the strategy, at the word that plays the role to blame.
  static strategy_reading<strategy_type> read(std::string_view text, auto const& check, Given... given) {
    strategy_reader reader{std::move(given)...};
    for (auto const& w : words_of_text{text, reader.fault_}.read()) reader.read_word(w, {});
    static_cast<void>(reader.check_together());
    return reader.finish(check, [text](std::string_view by, unmet& refused) -> text_fault {
      // Whose default is to blame has no word: the whole text is at fault.
      if (by.empty()) return {0, text.size(), std::move(refused.what)};
      return {static_cast<std::size_t>(by.data() - text.data()), by.size(), std::move(refused.what)};
    });
  }
  /// From roles with a policy for each. A fault begins with its role.
  static strategy_reading<strategy_type> read_members(
      std::vector<std::pair<std::string_view, std::string_view>> const& members, auto const& check, Given... given) {
    strategy_reader reader{std::move(given)...};
    for (auto const& [role, text] : members) {
      reader.read_member(role, text);
      if (reader.fault_) return strategy_reading<strategy_type>{in_member(role, *std::move(reader.fault_))};
    }
    if (auto const role = reader.check_together(); reader.fault_)
      return strategy_reading<strategy_type>{in_member(role, *std::move(reader.fault_))};
    return reader.finish(check, [](std::string_view by, unmet& refused) {
      return in_member(by.empty() ? by : refused.role, {0, by.size(), std::move(refused.what)});
    });
  }

 private:
  static text_fault in_member(std::string_view role, text_fault fault) {
    if (!role.empty()) fault.what.insert(0, std::string{role}.append(": "));
    return fault;
  }
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

  /// Of any role, or of this role alone.
  void read_word(word const& w, std::string_view role) {
    if (fault_) return;
    bool const done = std::apply([&](auto const&... slots) { return (is_given(w, role, *slots) || ...); }, slots_);
    if (done || (is_taken<Words>(w) || ...)) return;
    reader::knows(w.name) ? reader::refuse_arguments(w) : refuse_unknown(w, reader::names());
  }
  void read_member(std::string_view role, std::string_view text) {
    // The description of a given policy need not be a word.
    auto const name = text.substr(0, text.find('('));
    auto const is_described = [&]<class Slot>(Slot const& slot) {
      return !is_absent<Slot> && role_name<typename Slot::role> == role && describe_policy(slot) == text;
    };
    if (!reader::knows(name) && std::apply([&](auto const&... slots) { return (is_described(*slots) || ...); }, slots_))
      return;
    auto const words = words_of_text{text, fault_}.read();
    if (fault_) return;
    if (words.size() > 1) words[1].refuse("omit " + word::quoted(words[1].all) + ": the value must be one policy");
    auto const played = reader::role_of(words[0], role);
    if (!played.empty() && played != role)
      words[0].refuse_name(word::quoted(words[0].name) + " plays the role " + std::string{played});
    read_word(words[0], role);
  }
  strategy_reading<strategy_type> finish(auto const& check, auto const& fault_at) {
    if (fault_) return strategy_reading<strategy_type>{*std::move(fault_)};
    auto strategy = std::apply([](auto&... slots) { return strategy_type{std::move(*slots)...}; }, slots_);
    unmet refused = check(strategy);
    if (!refused.what.empty()) return strategy_reading<strategy_type>{fault_at(played_by(refused.role), refused)};
    return strategy_reading<strategy_type>{std::move(strategy)};
  }
  /// The text names a given policy by its `describe()`, and a given classifier by "retry_info" too.
  template <class Slot>
  bool is_given(word const& w, std::string_view only, Slot const& slot) {
    using role = typename Slot::role;
    if constexpr (is_absent<Slot>) {
      return false;
    } else {
      if (!only.empty() && only != role_name<role>) return false;
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
    if (!made) return true;
    auto& slot = slot_of<role>();
    if constexpr (std::is_same_v<typename std::remove_reference_t<decltype(slot)>::value_type, policy>) {
      slot.emplace(*std::move(made));
    } else {
      slot->template emplace<policy>(*std::move(made));
    }
    if constexpr (std::is_same_v<role, roles::deadline>) deadline_ = w;
    if constexpr (std::is_same_v<role, roles::max_attempts>) has_limit_ = true;
    if constexpr (std::is_same_v<role, roles::attempt_timeout>) {
      has_timeout_ = true;
      if constexpr (NeedsDeadline<policy>) needs_deadline_ = w;
    }
    return true;
  }
  template <class Role>
  void play(word const& w) {
    for (auto const& [role, by] : played_) {
      if (role == role_name<Role>) {
        w.refuse(
            word::quoted(w.name).append(" plays the role ").append(role).append(", as does ").append(word::quoted(by)) +
            " before it; omit one of them");
      }
    }
    played_.emplace_back(role_name<Role>, w.all);
  }
  [[nodiscard]] std::string_view played_by(std::string_view role) const {
    for (auto const& [played, by] : played_) {
      if (played == role) return by;
    }
    return {};
  }
  /// Returns the role to blame, if the text plays it.
  std::string_view check_together() {
    bool const has_deadline = deadline_ || is_played<roles::deadline>;
    bool const needs_deadline = needs_deadline_ || ((NeedsDeadline<Given> || ...) && !has_timeout_);
    if (has_deadline && !has_limit_ && !is_played<roles::max_attempts>)
      return refuse_whole<roles::deadline>(
          deadline_, "with a deadline the limit of attempts must be written: unbounded, or max_attempts(N)");
    if (needs_deadline && !has_deadline)
      return refuse_whole<roles::attempt_timeout>(needs_deadline_,
                                                  "write a deadline too: this is a part of what remains of it");
    return {};
  }
  /// Points at the beginning where a given policy is to blame.
  template <class Role>
  ANEW_COLD std::string_view refuse_whole(std::optional<word> const& w, char const* what) {
    if (w) w->refuse(what);
    if (!fault_) fault_ = text_fault{0, 0, what};
    return w ? role_name<Role> : std::string_view{};
  }

  template <class Role>
  static constexpr bool is_played = (std::is_same_v<typename Given::role, Role> || ...);
  using slots_type = typename types_of<role_table>::slots;
  slots_type slots_;
  std::optional<text_fault> fault_;
  std::vector<std::pair<std::string_view, std::string_view>> played_;
  std::optional<word> deadline_;
  std::optional<word> needs_deadline_;
  bool has_limit_ = false;
  bool has_timeout_ = false;
};

/// Reads nothing: a given policy was explained to be wrong, and the explanation is the only error.
struct ill_formed_reader {
  using strategy_type = ill_formed_strategy;
  template <class... Anything>
  static strategy_reading<strategy_type> read(Anything const&... /*ignored*/) {
    return strategy_reading<strategy_type>{text_fault{}};
  }
  template <class... Anything>
  static strategy_reading<strategy_type> read_members(Anything const&... /*ignored*/) {
    return strategy_reading<strategy_type>{text_fault{}};
  }
};
template <bool Sound, class Vocabulary, class... Given>
struct reader_if : std::type_identity<strategy_reader<Vocabulary, Given...>> {};
template <class Vocabulary, class... Given>
struct reader_if<false, Vocabulary, Given...> : std::type_identity<ill_formed_reader> {};
/// Explains a mistake in a given policy as `strategy<>` does.
template <class Vocabulary, class... Given>
using reader_of = typename reader_if<
    ((explainer_of<Given>::template explain<Given>(), own_explainer_of<Given>::explain(), SoundPolicy<Given>) && ...) &&
        detail::explain_replacement<Given...>(),
    Vocabulary, Given...>::type;

}  // namespace anew::inline ANEW_ABI::detail

#endif
