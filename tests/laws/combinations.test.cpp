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

namespace laws_combinations_test {
namespace {

using anew::directive;
using boost_code = boost::system::error_code;
using boost_error = boost::system::system_error;

// What operations fail by, or return. Each is a story for the classifiers.

struct reply {
  int status = 0;
  std::string body;
};
struct busy : std::runtime_error, anew::retry_info {
  explicit busy(anew::retry_safety s) : std::runtime_error{"busy"}, safety{s} {}
  [[nodiscard]] anew::retry_safety is_retry_safe() const override { return safety; }
  anew::retry_safety safety;
};

boost_code of_boost(int condition) { return {condition, boost::system::generic_category()}; }

/// The types in which something goes wrong, or comes back. Told apart by a number, because every function that a compiler
/// emits for each combination and type is what this test costs.
using types = std::tuple<std::error_code, boost_code, std::system_error, boost_error, busy, std::runtime_error,
                         std::logic_error, reply, int, anew::grpc::status_code>;

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

/// An outcome whose type is a number.
struct outcome {
  std::size_t type;
  void const* object;
};
std::vector<outcome> const& outcomes() {
  static std::vector<outcome> const all = [] {
    std::vector<outcome> result;
    auto const add = [&](std::size_t type, auto const& of) {
      for (auto const& one : of.all) result.push_back({type, &one});
    };
    std::apply(
        [&](auto const&... of) {
          std::size_t type = 0;
          (add(type++, of), ...);
        },
        told);
    return result;
  }();
  return all;
}

// The parts. Those of the first kind say only what to retry: where they do not, the other part is asked.

struct mentions_full {
  bool operator()(std::runtime_error const& e) const { return std::string{e.what()} == "full"; }
};
struct is_slow_down {
  bool operator()(reply const& r) const { return r.body == "SlowDown"; }
};
struct has_no_space {
  bool operator()(boost_code const& code) const { return code == boost::system::errc::no_space_on_device; }
};
struct threw_no_space {
  bool operator()(boost_error const& e) const { return has_no_space{}(e.code()); }
};
struct is_negative {
  bool operator()(int number) const { return number < 0; }
};
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

// How a driver asks a classifier: about an exception by its first clause that fits; about a code of Boost in that type or,
// if the classifier does not read it, as the standard's; about any other error in its type; about a result by its value.

enum class asked_as { error, result };

template <class Clause, class C, class E>
bool by_clause(C const& c, E const& error, std::optional<directive>& verdict) {
  if constexpr (std::is_base_of_v<Clause, E>) {
    verdict = c.classify(static_cast<Clause const&>(error));
  } else if (auto const* also = dynamic_cast<Clause const*>(static_cast<std::exception const*>(&error))) {
    verdict = c.classify(*also);
  }
  return verdict.has_value();
}
template <class C, class E, class... Clauses>
std::optional<directive> by_clauses(C const& c, E const& error, anew::catch_list<Clauses...> /*clauses*/) {
  std::optional<directive> verdict;
  static_cast<void>((by_clause<Clauses>(c, error, verdict) || ...));
  return verdict;
}

template <class C, class E>
std::optional<directive> as_error(C const& c, E const& error) {
  if constexpr (std::is_base_of_v<std::exception, E>) {
    if (auto const verdict = by_clauses(c, error, typename anew::detail::catches_of<C>::type{})) return verdict;
    if constexpr (std::is_same_v<E, boost_error>) {
      if (auto const verdict = as_error(c, error.code())) return verdict;
    }
    if constexpr (anew::ClassifierOf<C, anew::unknown_exception>) return c.classify(anew::unknown_exception{});
    return std::nullopt;
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
    if (how == asked_as::error) return as_error(c, what);
    if constexpr (anew::detail::ReadsResult<C, E>) return c.classify_result(what);
    return std::nullopt;
  }
}

/// A part that catches Boost's exception by a base of it: the combination gets the base, whose code the core cannot see.
template <class C>
inline constexpr bool catches_a_base = []<class... Es>(anew::catch_list<Es...>) {
  return ((std::is_base_of_v<Es, boost_error> && !std::is_same_v<Es, boost_error>) || ...);
}(typename anew::detail::catches_of<C>::type{});

using asks = std::optional<directive> (*)(outcome const& about, asked_as how);

struct part {
  asks ask;
  bool says_only_what_to_retry;
  bool hides_codes_of_boost;
  std::string name;

  /// Nothing if it cannot read the outcome, or has no opinion.
  [[nodiscard]] std::optional<directive> opinion(outcome const& about, asked_as how) const {
    auto const verdict = ask(about, how);
    bool const abstains = says_only_what_to_retry && verdict && !verdict->is_retry();
    return abstains ? std::nullopt : verdict;
  }
};

template <class... Cs>
std::vector<part> parts_of(std::tuple<Cs...> const* /*parts*/) {
  return {part{&ask<Cs>, says_only_what_to_retry<Cs>, catches_a_base<Cs>, Cs{}.describe()}...};
}
template <template <class...> class Combine, std::size_t... Pairs>
std::vector<asks> combinations(std::index_sequence<Pairs...> /*pairs*/) {
  return {&ask<
      Combine<std::tuple_element_t<Pairs / part_count, parts>, std::tuple_element_t<Pairs % part_count, parts>>>...};
}

bool is_boost_error(outcome const& about) { return about.type == 3; }

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
  constexpr auto pairs = std::make_index_sequence<part_count * part_count>{};
  std::vector<asks> const combined[]{combinations<anew::any_of>(pairs), combinations<anew::first_of>(pairs)};
  std::size_t compared = 0;
  std::size_t different = 0;
  for (auto const how : {rule::any_of, rule::first_of}) {
    for (std::size_t pair = 0; pair != part_count * part_count; ++pair) {
      auto const& a = alone[pair / part_count];
      auto const& b = alone[pair % part_count];
      for (std::size_t number = 0; number != outcomes().size(); ++number) {
        auto const& about = outcomes()[number];
        for (auto const as : {asked_as::error, asked_as::result}) {
          if (is_boost_error(about) && (a.hides_codes_of_boost || b.hides_codes_of_boost)) continue;
          auto const wanted = expected(how, as, a.opinion(about, as), b.opinion(about, as));
          auto const verdict = combined[static_cast<std::size_t>(how)][pair](about, as);
          ++compared;
          if (is_same(verdict, wanted)) continue;
          if (++different > 20) continue;
          ADD_FAILURE() << (how == rule::any_of ? "any_of<" : "first_of<") << a.name << ", " << b.name << ">, outcome "
                        << number << (as == asked_as::error ? " as an error: " : " as a result: ") << shown(verdict)
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
}  // namespace laws_combinations_test
