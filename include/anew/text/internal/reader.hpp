// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TEXT_INTERNAL_READER_HPP
#define ANEW_TEXT_INTERNAL_READER_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "anew/base/internal/slots.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/strategy/for_each_policy.hpp"
#include "anew/strategy/strategy.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/strategy_reading.hpp"
#include "anew/text/word.hpp"
#include "anew/text/word_of.hpp"

namespace anew::inline ANEW_ABI::detail {

/// Splits a text into its words, which keep its first fault in `fault`. Behind a fault nothing more is read.
class words_of_text {
 public:
  words_of_text(std::string_view text, std::optional<text_fault>& fault) : text_{text}, fault_{&fault} {}

  std::vector<word> read() {
    std::vector<word> words;
    if (text_.size() > notation_limits::most_bytes) fail({0, 0, "the text must have at most 65536 bytes"});
    for (skip_blanks(); !*fault_ && at_ != text_.size(); skip_blanks()) {
      if (words.size() == notation_limits::most_policies) refuse_here("there must be at most 64 policies");
      words.push_back(read_word(0));
    }
    if (words.empty()) refuse_here("the text must name a policy, such as 'exponential(50ms,20s) max_attempts(3)'");
    return words;
  }

 private:
  void fail(text_fault fault) const {
    if (!*fault_) *fault_ = std::move(fault);
  }
  void refuse_here(std::string what) const { fail({at_, character().size(), std::move(what)}); }
  /// The one that begins here, whole: in UTF-8 its other bytes are 10xxxxxx. Empty at the end.
  [[nodiscard]] std::string_view character() const {
    auto end = std::min(at_ + 1, text_.size());
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0U) == 0x80U) ++end;
    return text_.substr(at_, end - at_);
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  [[nodiscard]] bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  std::string_view read_name() {
    auto const begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) &&
           std::string_view{"(),="}.find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    if (at_ == begin) {
      refuse_here(at_ == text_.size() ? "the text ends where a word is expected"
                                      : "write a word before " + word::quoted(character()));
    }
    return text_.substr(begin, at_ - begin);
  }
  void read_arguments(word& read, std::size_t depth) {
    auto const opened = at_++;
    skip_blanks();
    while (!*fault_ && !next_is(')')) {
      if (read.arguments.size() == notation_limits::most_arguments)
        return refuse_here("there must be at most 64 arguments");
      read.arguments.push_back(read_word(depth + 1));
      skip_blanks();
      if (next_is(')')) break;
      if (at_ == text_.size()) return fail({opened, 1, "this '(' is never closed"});
      if (!next_is(',')) return refuse_here("write ',' or ')' between two arguments");
      ++at_;
      skip_blanks();
      if (next_is(')')) return refuse_here("write a word before ')'");
    }
    if (!*fault_) ++at_;
  }
  word read_word(std::size_t depth) {
    word read;
    read.at = at_;
    read.first_fault = fault_;
    read.name = read_name();
    if (depth > 0 && next_is('=')) {
      ++at_;
      read.key = std::exchange(read.name, read_name());
    }
    if (next_is('(')) {
      read.has_parentheses = true;
      if (depth == notation_limits::deepest) {
        refuse_here("policies must be nested at most 16 deep");
      } else {
        read_arguments(read, depth);
      }
    }
    read.all = text_.substr(read.at, at_ - read.at);
    if (depth == 0 && at_ < text_.size() && !is_blank(text_[at_])) {
      if (text_[at_] == ')') refuse_here("this ')' closes nothing");
      refuse_here("write a blank between two policies, before " + word::quoted(character()));
    }
    return read;
  }

  std::string_view text_;
  std::optional<text_fault>* fault_;
  std::size_t at_ = 0;
};

template <class Word>
using role_of_word = typename Word::policy_type::role;

template <class... Entries>
bool is_role_name_in(std::string_view name, hana::basic_tuple<Entries...> const* /*table*/) {
  return ((role_name<typename Entries::role> == name) || ...);
}
inline bool is_role_name(std::string_view name) {
  return detail::is_role_name_in(name, static_cast<role_table const*>(nullptr));
}

struct no_such_policy {};

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

/// Words that the library has, and that only some programs read.
inline constexpr std::string_view words_of_other_programs =
    " attempt_timeout attempt_timeout_share client_rate_limiter reset_after nesting_guard seed "
    "steady_clock retry_all asio error_code http_status grpc_status http curl beast boost_system any_of "
    "first_of not caused_by idempotent_only hedge_after hedge_at_quantile ";

ANEW_COLD inline void refuse_unknown(word const& w, std::vector<std::string_view> const& known) {
  if (!w.key.empty()) w.refuse("omit " + word::quoted(std::string{w.key}.append("=")) + ": this argument has no name");
  if (words_of_other_programs.find(std::string{" "}.append(w.name).append(" ")) != w.name.npos)
    w.refuse_name("this program does not read " + word::quoted(w.name) + " here");
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
    return Word::name == w.name && Word::accepts(w);
  }
  static bool knows(std::string_view name) { return ((Words::name == name) || ...); }
  /// The role that it plays, by its arguments or else by its name; `wanted` if one of its words plays that. Empty for a name
  /// that is no word.
  static std::string_view role_of(word const& w, std::string_view wanted) {
    std::string_view role;
    ((is_written<Words>(w) && role != wanted ? void(role = role_name<role_of_word<Words>>) : void()), ...);
    if (role.empty())
      ((Words::name == w.name && role != wanted ? void(role = role_name<role_of_word<Words>>) : void()), ...);
    return role;
  }
  static std::vector<std::string_view> names() {
    std::vector<std::string_view> all;
    for (auto const name : {Words::name...}) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
    return all;
  }

  /// Whether it requires no arguments: "full_jitter", "rate_breaker([...])".
  static bool is_a_word_alone(std::string_view written, std::string_view name) {
    return written == name || written.substr(name.size()).starts_with("([");
  }
  template <class Word>
  static std::optional<typename Word::policy_type> read(word const& w) {
    if (!w.key.empty())
      w.refuse("omit " + word::quoted(std::string{w.key}.append("=")) + ": this argument has no name");
    if (w.has_parentheses && w.size() == 0 && is_a_word_alone(Word::written(), w.name))
      w.refuse("omit the parentheses");
    if (w.is_refused()) return std::nullopt;
    return Word::template read<Word>(w, policy_reader{});
  }
  /// Refuses a name that is known, with arguments that no word of that name accepts.
  ANEW_COLD static void refuse_arguments(word const& w) {
    std::string forms;
    (forms.append(Words::name != w.name ? "" : forms.empty() ? Words::written() : " or " + Words::written()), ...);
    w.refuse(word::quoted(w.name) + " is written " + forms);
  }

  /// A policy among the arguments of another, as a `P`; nothing where the text has a fault.
  template <class P>
  std::optional<P> nested(word const& w) const {
    std::optional<P> made;
    if (w.is_refused()) return made;
    if (!knows(w.name)) refuse_unknown(w, names());
    static_cast<void>((nest<P, Words>(w, made) || ...));
    if (!made) refuse_arguments(w);
    return made;
  }
  /// An argument that must be this word, whether or not the vocabulary has it.
  template <class Word>
  std::optional<typename Word::policy_type> nested_by(word const& w) const {
    if (w.is_refused()) return std::nullopt;
    if (Word::name != w.name || !Word::accepts(w)) w.refuse(word::quoted(w.all) + " must be " + Word::written());
    return read<Word>(w);
  }

 private:
  template <class P, class Word>
  static bool nest(word const& w, std::optional<P>& made) {
    if (!is_written<Word>(w)) return false;
    if constexpr (std::is_convertible_v<typename Word::policy_type, P>) {
      if (auto policy = read<Word>(w)) made.emplace(*std::move(policy));
    } else {
      w.refuse(word::quoted(w.name).append(" plays the role ").append(role_name<role_of_word<Word>>) + "; write a " +
               std::string{role_name<typename P::role>});
    }
    return true;
  }
};

template <class List>
struct one_or_variant;
template <class Only>
struct one_or_variant<type_list<Only>> : std::type_identity<Only> {};
template <class... Ps>
struct one_or_variant<type_list<Ps...>> : std::type_identity<std::variant<Ps...>> {};
template <class... Words>
using policy_of_words =
    one_or_variant<typename unique_types<no_such_policy, type_list<>, typename Words::policy_type...>::type>;

}  // namespace anew::inline ANEW_ABI::detail

#endif
