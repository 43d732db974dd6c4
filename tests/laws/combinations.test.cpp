// SPDX-License-Identifier: BSL-1.0
// In a combination each part is asked, in the type that it reads: of every two classifiers, any_of and first_of answer as
// a table says that is computed from the answers of the parts.
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>
#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/http.hpp"
#include "anew/policies.hpp"

#include "combinations.hpp"

namespace laws_combinations_test {
namespace {

boost_code of_boost(int condition) { return {condition, boost::system::generic_category()}; }

template <class E>
struct stories {
  std::vector<E> all;
};
std::tuple<stories<std::error_code>, stories<boost_code>, stories<std::system_error>, stories<boost_error>,
           stories<busy>, stories<std::runtime_error>, stories<std::logic_error>, stories<reply>, stories<int>,
           stories<anew::grpc::status_code>> const told{
    {{make_error_code(std::errc::connection_refused), make_error_code(std::errc::connection_reset),
      make_error_code(std::errc::permission_denied)}},
    {{of_boost(ECONNREFUSED), of_boost(ECONNRESET), of_boost(EACCES), of_boost(ENOSPC)}},
    {{std::system_error{make_error_code(std::errc::connection_refused)},
      std::system_error{make_error_code(std::errc::no_space_on_device)}}},
    {{boost_error{of_boost(ECONNREFUSED)}, boost_error{of_boost(ENOSPC)}, boost_error{of_boost(EACCES)}}},
    {{busy{anew::retry_safety::yes}, busy{anew::retry_safety::maybe}, busy{anew::retry_safety::no}}},
    {{std::runtime_error{"full"}, std::runtime_error{"gone"}}},
    {{std::logic_error{"full"}}},
    {{{200, "ok"}, {200, "SlowDown"}, {404, ""}, {429, "SlowDown"}, {500, ""}, {503, ""}}},
    {{7, -1, 503, 404, 0}},
    {{anew::grpc::status_code::unavailable, anew::grpc::status_code::not_found}}};

template <class E>
void throw_it(void const* object) {
  if constexpr (std::is_base_of_v<std::exception, E>) throw *static_cast<E const*>(object);
}

// The parts. Those of the first kind say only what to retry: where they do not, the other part is asked.

using mentions_full = decltype([](std::runtime_error const& e) { return std::string{e.what()} == "full"; });
using is_slow_down = decltype([](reply const& r) { return r.body == "SlowDown"; });
using has_no_space = decltype([](boost_code const& code) { return code == boost::system::errc::no_space_on_device; });
using threw_no_space = decltype([](boost_error const& e) { return has_no_space{}(e.code()); });
using is_negative = decltype([](int number) { return number < 0; });
struct grades {
  directive operator()(int code) const {
    if (code == 7) return directive::retry(anew::error_kind::throttling);
    return code < 0 ? directive::fail() : directive::succeed();
  }
};

template <class C>
inline constexpr bool says_only_what_to_retry = false;
template <class P, class... Es>
inline constexpr bool says_only_what_to_retry<anew::retry_if<P, Es...>> = !std::is_same_v<P, grades>;

using parts = std::tuple<anew::retry_if<mentions_full>, anew::retry_if<is_slow_down>, anew::retry_if<has_no_space>,
                         anew::retry_if<threw_no_space>, anew::retry_if<grades>, anew::retry_while<is_negative>,
                         anew::retry_all, anew::retry_on<std::runtime_error>, anew::retry_info_classifier,
                         anew::error_code_classifier, anew::http::classifier<>, anew::grpc::status_classifier<>>;
constexpr std::size_t part_count = std::tuple_size_v<parts>;

// How every driver asks a classifier: about an exception by the first of eight clauses that fits; about a code of Boost in
// that type or, if the classifier does not read it, as the standard's; about any other error in its type; about a result by
// its value.

template <class C>
struct strategy_with {
  C is{};
  [[nodiscard]] C const& classifier() const { return is; }
};

template <class C>
std::optional<directive> by_clauses(strategy_with<C> const& strategy, outcome const& about) {
  auto verdict = directive::unclassified();
  anew::detail::guarded<typename anew::detail::catches_of<C>::type>(
      [&about] {
        about.throw_it(about.object);
        return false;
      },
      [&](auto const& error) {
        verdict = anew::detail::judge_exception(strategy, error);
        return true;
      },
      [] { return false; });
  return verdict.is_unclassified() || verdict.is_no_opinion() ? std::nullopt : std::optional{verdict};
}

template <class C, class E>
std::optional<directive> as_error(C const& c, [[maybe_unused]] E const& error, [[maybe_unused]] outcome const& about) {
  if constexpr (std::is_base_of_v<std::exception, E>) {
    return by_clauses(strategy_with<C>{c}, about);
  } else if constexpr (anew::ClassifierOf<C, E>) {
    return c.classify(error);
  } else if constexpr (std::is_same_v<E, boost_code> && anew::ClassifierOf<C, std::error_code>) {
    return c.classify(static_cast<std::error_code>(error));
  } else {
    return std::nullopt;
  }
}

template <class C, std::size_t Type = 0>
std::optional<directive> ask(outcome const& about, asked_as how) {
  if constexpr (Type == std::tuple_size_v<types>) {
    return std::nullopt;
  } else {
    using E = std::tuple_element_t<Type, types>;
    if (about.type != Type) return ask<C, Type + 1>(about, how);
    C const c{};
    auto const& what = *static_cast<E const*>(about.object);
    if (how == asked_as::error) return as_error(c, what, about);
    if constexpr (anew::detail::ReadsResult<C, E>) return c.classify_result(what);
    return std::nullopt;
  }
}

/// The code of Boost's exception, for a part that does not catch it: the other part may, and then both are asked.
template <class C>
std::optional<directive> ask_by_code(outcome const& about) {
  return as_error(C{}, static_cast<boost_error const*>(about.object)->code(), about);
}
template <class C>
inline constexpr bool catches_boost = anew::detail::is_listed<boost_error, typename anew::detail::catches_of<C>::type>;

struct part {
  asks ask;
  std::optional<directive> (*ask_by_code)(outcome const& about);
  bool says_only_what_to_retry;
  bool catches_boost;
  std::string name;

  /// Nothing if it cannot read the outcome, or has no opinion.
  [[nodiscard]] std::optional<directive> opinion(outcome const& about, asked_as how, part const& other) const {
    auto verdict = ask(about, how);
    if (!verdict && how == asked_as::error && about.type == type_of<boost_error> && other.catches_boost) {
      verdict = ask_by_code(about);
    }
    bool const abstains = says_only_what_to_retry && verdict && !verdict->is_retry();
    return abstains ? std::nullopt : verdict;
  }
};

template <class... Cs>
std::vector<part> parts_of(std::tuple<Cs...> const* /*parts*/) {
  return {part{&ask<Cs>, &ask_by_code<Cs>, says_only_what_to_retry<Cs>, catches_boost<Cs>, Cs{}.describe()}...};
}
template <template <class...> class Combine, std::size_t... Pairs>
std::vector<asks> all_of(std::index_sequence<Pairs...> /*pairs*/) {
  return {&ask<
      Combine<std::tuple_element_t<Pairs / part_count, parts>, std::tuple_element_t<Pairs % part_count, parts>>>...};
}

enum class rule { any_of, first_of };

/// The table. Nothing: neither part has an opinion.
std::optional<directive> expected(rule how, asked_as as, std::optional<directive> const& a,
                                  std::optional<directive> const& b) {
  if (!a || !b) return a ? a : b;
  if (how == rule::first_of) return a;
  if (a->is_retry()) return a;
  if (b->is_retry()) return b;
  bool const either_succeeds = a->is_success() || b->is_success();
  bool const both_succeed = a->is_success() && b->is_success();
  return (as == asked_as::error ? either_succeeds : both_succeed) ? directive::succeed() : directive::fail();
}

/// Final, whether that was said or nobody has an opinion.
bool is_same(std::optional<directive> const& verdict, std::optional<directive> const& wanted) {
  if (wanted) return verdict == wanted;
  return !verdict || verdict->is_failure();
}

std::string shown(std::optional<directive> const& d) {
  if (!d) return "nothing";
  if (d->is_success()) return "success";
  if (d->is_retry()) return std::string{"retry "} + anew::to_string(d->what().kind);
  return d->is_unclassified() ? "unclassified" : "final";
}

TEST(Combinations, EachPartIsAskedInTheTypeThatItReads) {
  auto const alone = parts_of(static_cast<parts const*>(nullptr));
  auto combined = combinations().begin();
  std::size_t compared = 0;
  std::size_t different = 0;
  for (auto const how : {rule::any_of, rule::first_of}) {
    for (std::size_t pair = 0; pair != part_count * part_count; ++pair, ++combined) {
      auto const& a = alone[pair / part_count];
      auto const& b = alone[pair % part_count];
      for (std::size_t number = 0; number != outcomes().size(); ++number) {
        auto const& about = outcomes()[number];
        for (auto const as : {asked_as::error, asked_as::result}) {
          auto const wanted = expected(how, as, a.opinion(about, as, b), b.opinion(about, as, a));
          auto const verdict = combined->ask(about, as);
          ++compared;
          if (is_same(verdict, wanted)) continue;
          if (++different > 20) continue;
          ADD_FAILURE() << combined->name << ", outcome " << number
                        << (as == asked_as::error ? " as an error: " : " as a result: ") << shown(verdict)
                        << " instead of " << shown(wanted);
        }
      }
    }
  }
  EXPECT_EQ(different, 0U);
  std::printf("%zu combinations of %zu classifiers, %zu answers: %zu differ from the table\n",
              2 * part_count * part_count, part_count, compared, different);
}

}  // namespace

std::vector<outcome> const& outcomes() {
  static std::vector<outcome> const all = [] {
    std::vector<outcome> result;
    auto const add = [&]<class E>(stories<E> const& of) {
      for (auto const& one : of.all) result.push_back({type_of<E>, &one, &throw_it<E>});
    };
    std::apply([&](auto const&... of) { (add(of), ...); }, told);
    return result;
  }();
  return all;
}

std::vector<combination> const& combinations() {
  static std::vector<combination> const all = [] {
    std::vector<combination> result;
    auto const alone = parts_of(static_cast<parts const*>(nullptr));
    auto const add = [&](char const* name, std::vector<asks> const& pairs) {
      for (std::size_t pair = 0; pair != pairs.size(); ++pair) {
        result.push_back({pairs[pair], std::string{name} + "<" + alone[pair / part_count].name + ", " +
                                           alone[pair % part_count].name + ">"});
      }
    };
    constexpr auto pairs = std::make_index_sequence<part_count * part_count>{};
    add("any_of", all_of<anew::any_of>(pairs));
    add("first_of", all_of<anew::first_of>(pairs));
    return result;
  }();
  return all;
}

}  // namespace laws_combinations_test
