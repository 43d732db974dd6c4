// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/classifier/any_of.hpp"
#include "anew/classifier/caused_by.hpp"
#include "anew/classifier/first_of.hpp"
#include "anew/classifier/idempotent_only.hpp"
#include "anew/classifier/not.hpp"

namespace classifier_any_of_test {
namespace {

using namespace std::chrono_literals;
using anew::any_of;
using anew::catch_list;
using anew::directive;
using anew::error_kind;
using anew::failure;
using anew::retry_if;
using anew::retry_on;
using anew::retry_safety;

/// Says the same of every int and every int result.
template <int Answer>
struct says {
  using role = anew::roles::classifier;
  static directive answer() {
    if (Answer == 0) return directive::fail();
    if (Answer == 1) return directive::succeed();
    return directive::retry(failure{error_kind::throttling, retry_safety::maybe, std::chrono::seconds{Answer}});
  }
  static directive classify(int /*error*/) { return answer(); }
  static directive classify_result(int /*value*/) { return answer(); }
  static std::string describe() { return "says(" + std::to_string(Answer) + ")"; }
};
using fails = says<0>;
using succeeds = says<1>;

directive two_seconds() { return says<2>::answer(); }

struct reads_strings {
  using role = anew::roles::classifier;
  static directive classify(std::string const& /*error*/) { return directive::retry(error_kind::server); }
};

struct base {
  virtual ~base() = default;
};
struct derived : base {};
struct derived_further : derived {};
struct other {
  virtual ~other() = default;
};
struct last final : base {};

/// Catches these, and writes down by which of them it was asked.
template <int Tag, class... Es>
struct listens {
  using role = anew::roles::classifier;
  using catches = catch_list<Es...>;
  std::vector<std::string>* heard = nullptr;
  template <class E>
    requires(std::is_same_v<E, Es> || ...)
  directive classify(E const& /*error*/) const {
    if (heard != nullptr) heard->push_back(std::to_string(Tag) + name_of(static_cast<E const*>(nullptr)));
    return directive::fail();
  }
  static char const* name_of(void const*) { return "?"; }
  static char const* name_of(base const*) { return " base"; }
  static char const* name_of(derived const*) { return " derived"; }
  static char const* name_of(derived_further const*) { return " derived_further"; }
  static char const* name_of(other const*) { return " other"; }
  static char const* name_of(last const*) { return " last"; }
};

/// Reads what nobody names, and nothing else.
struct reads_unknown {
  using role = anew::roles::classifier;
  static directive classify(anew::unknown_exception /*e*/) { return directive::retry(error_kind::client); }
};

static_assert(std::is_constructible_v<anew::any_of<anew::retry_all>, anew::retry_all>, "one member is enough");

TEST(AnyOf, AnErrorIsRetriedIfOneSaysSoWhereverItStands) {
  EXPECT_EQ((any_of<fails, says<2>>{}.classify(7)), two_seconds());
  EXPECT_EQ((any_of<says<2>, fails>{}.classify(7)), two_seconds());
  EXPECT_EQ((any_of<succeeds, fails, says<2>>{}.classify(7)), two_seconds());
  EXPECT_EQ((any_of<says<2>, succeeds>{}.classify(7)), two_seconds());
  EXPECT_EQ((any_of<fails, fails>{}.classify(7)), directive::fail());
}

TEST(AnyOf, TheFirstThatSaysRetryGivesKindSafetyAndHintAndNoOtherIsAsked) {
  EXPECT_EQ((any_of<says<3>, says<2>>{}.classify(7)), says<3>::answer());
  int asked = 0;
  any_of const counted{says<2>{}, retry_if{[&asked](int) { return ++asked > 0; }}};
  EXPECT_EQ(counted.classify(7), two_seconds());
  EXPECT_EQ(counted.classify_result(7), two_seconds());
  EXPECT_EQ(asked, 0);
}

TEST(AnyOf, AnErrorIsASuccessIfOneCallsItSo) {
  EXPECT_EQ((any_of<fails, succeeds>{}.classify(7)), directive::succeed());
  EXPECT_EQ((any_of<succeeds, fails>{}.classify(7)), directive::succeed());
}

TEST(AnyOf, APlainValueIsASuccessOnlyIfAllCallItSo) {
  EXPECT_EQ((any_of<succeeds, succeeds>{}.classify_result(7)), directive::succeed());
  EXPECT_EQ((any_of<succeeds, fails>{}.classify_result(7)), directive::fail());
  EXPECT_EQ((any_of<fails, succeeds>{}.classify_result(7)), directive::fail());
  EXPECT_EQ((any_of<fails, says<2>>{}.classify_result(7)), two_seconds());
  EXPECT_EQ((any_of<succeeds, says<2>, fails>{}.classify_result(7)), two_seconds());
  EXPECT_EQ((any_of<says<3>, says<2>>{}.classify_result(7)), says<3>::answer());
}

TEST(AnyOf, WhoCannotReadAnErrorHasNoSay) {
  using c = any_of<reads_strings, says<2>>;
  static_assert(anew::ClassifierOf<c, int> && anew::ClassifierOf<c, std::string>);
  static_assert(!anew::ClassifierOf<c, double*> && !anew::ClassifierOf<c, anew::unknown_exception>);
  static_assert(anew::detail::ReadsResult<c, int> && !anew::detail::ReadsResult<c, std::string>);
  EXPECT_EQ(c{}.classify(7), two_seconds());
  EXPECT_EQ(c{}.classify(std::string{"x"}), directive::retry(error_kind::server));
  EXPECT_EQ(c{}.classify_result(7), two_seconds());
}

template <class... Cs>
using clauses = typename any_of<Cs...>::catches;

TEST(AnyOf, TheClausesOfAllAreOneListWithoutRepetitions) {
  static_assert(std::is_same_v<clauses<says<2>>, catch_list<>>);
  static_assert(std::is_same_v<clauses<listens<1, base, other>, listens<2, other, base>>, catch_list<base, other>>);
  static_assert(std::is_same_v<clauses<listens<1, int>, listens<2, char const*, int>>, catch_list<int, char const*>>);
  static_assert(
      std::is_same_v<clauses<listens<1, base>, any_of<listens<2, other>, listens<3, base>>>, catch_list<base, other>>);
}

TEST(AnyOf, InThatListDerivedTypesStandBeforeTheirBases) {
  static_assert(std::is_same_v<clauses<listens<1, base>, listens<2, derived>>, catch_list<derived, base>>);
  static_assert(std::is_same_v<clauses<listens<1, other, base>, listens<2, derived>, listens<3, derived_further>>,
                               catch_list<other, derived_further, derived, base>>);
  static_assert(std::is_same_v<clauses<listens<1, derived_further, base>, listens<2, derived>>,
                               catch_list<derived_further, derived, base>>);
  static_assert(
      std::is_same_v<clauses<listens<1, derived>, listens<2, base>, listens<3, derived>>, catch_list<derived, base>>);
}

TEST(AnyOf, AnExceptionIsOfferedByTheClauseThatItsClassifierHasForIt) {
  std::vector<std::string> heard;
  any_of const c{listens<1, base>{&heard}, listens<2, derived>{&heard}, listens<3, derived, base>{&heard},
                 listens<4, int>{&heard}, listens<5, derived_further>{&heard}};
  EXPECT_EQ(c.classify(derived{}), directive::fail());
  EXPECT_EQ(heard, (std::vector<std::string>{"1 base", "2 derived", "3 derived"}));
  heard.clear();
  static_cast<void>(c.classify(base{}));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 base", "3 base"}));
  heard.clear();
  static_cast<void>(c.classify(derived_further{}));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 base", "2 derived", "3 derived", "5 derived_further"}));
  heard.clear();
  static_cast<void>(c.classify(3));
  EXPECT_EQ(heard, (std::vector<std::string>{"4?"}));
}

#if defined(__cpp_rtti)
TEST(AnyOf, AnExceptionWithTwoBasesIsOfferedByEach) {
  struct both : base, other {};
  std::vector<std::string> heard;
  any_of const c{listens<1, base>{&heard}, listens<2, other>{&heard}};
  both const e;
  static_cast<void>(c.classify(static_cast<base const&>(e)));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 base", "2 other"}));
  heard.clear();
  static_cast<void>(c.classify(static_cast<other const&>(e)));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 base", "2 other"}));
  heard.clear();
  static_cast<void>(c.classify(base{}));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 base"}));
}

TEST(AnyOf, AClassifiersOwnClausesAreTriedInItsOrder) {
  struct both : derived, other {};
  both const e;
  std::vector<std::string> heard;
  static_cast<void>(any_of{listens<1, derived>{&heard}, listens<2, other, base>{&heard}}.classify<derived>(e));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 derived", "2 other"}));
  heard.clear();
  static_cast<void>(any_of{listens<1, derived>{&heard}, listens<2, base, other>{&heard}}.classify<derived>(e));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 derived", "2 base"}));
}
#endif

// Nothing derives from it, and what it is, is known.
TEST(AnyOf, AFinalExceptionIsWhatItIs) {
  std::vector<std::string> heard;
  any_of const c{listens<1, last>{&heard}, listens<2, other>{&heard}, listens<3, base>{&heard}};
  static_cast<void>(c.classify(last{}));
  EXPECT_EQ(heard, (std::vector<std::string>{"1 last", "3 base"}));
}

TEST(AnyOf, WhatOneCatchesIsUnknownToOneThatDoesNot) {
  using c = any_of<listens<1, base>, reads_unknown>;
  static_assert(anew::ClassifierOf<c, anew::unknown_exception>);
  static_assert(!anew::ClassifierOf<c, int>);  // not as an error value
  EXPECT_EQ(c{}.classify(base{}), directive::retry(error_kind::client));
  EXPECT_EQ(c{}.classify(anew::unknown_exception{}), directive::retry(error_kind::client));
  // The other one does not read it, and so it has no say.
  EXPECT_EQ((any_of<retry_on<base>, reads_unknown>{}.classify(anew::unknown_exception{})),
            directive::retry(error_kind::client));
  static_assert(!anew::ClassifierOf<any_of<retry_on<base>, says<2>>, anew::unknown_exception>);
}

TEST(AnyOf, WhatOneCatchesAnotherOneMayReadWithoutCatchingIt) {
  struct refusal {
    int code;
    [[nodiscard]] int status() const { return code; }
  };
  any_of<anew::http_status_classifier<>, listens<1, refusal>> const c;
  EXPECT_EQ(c.classify(refusal{429}), directive::retry(error_kind::throttling));
  EXPECT_EQ(c.classify(refusal{404}), directive::fail());
}

TEST(AnyOf, ProgrammersErrorsStayFinalInRetryAll) {
  using c = any_of<retry_on<std::runtime_error>, anew::retry_all>;
  static_assert(std::is_same_v<c::catches, catch_list<std::runtime_error, std::logic_error>>);
  EXPECT_EQ(c{}.classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(c{}.classify(std::runtime_error{"x"}), directive::retry(error_kind::transient));
  EXPECT_EQ(c{}.classify(anew::unknown_exception{}), directive::retry(error_kind::transient));
}

TEST(AnyOf, HoldsClassifiersWithState) {
  int limit = 5;
  any_of const c{retry_if{[&limit](int value) { return value > limit; }}, fails{}};
  EXPECT_TRUE(c.classify(6).is_retry());
  limit = 6;
  EXPECT_FALSE(c.classify(6).is_retry());
  static_assert(!std::is_default_constructible_v<std::remove_const_t<decltype(c)>>);
  static_assert(std::is_empty_v<any_of<fails, says<2>>> && std::is_default_constructible_v<any_of<fails, says<2>>>);
  auto const again = any_of<fails, fails>{};
  EXPECT_EQ(again.classify(1), directive::fail());
}

TEST(AnyOf, MayBeAskedWhenTheProgramIsCompiled) {
  constexpr any_of<anew::http_status_classifier<503>, anew::http_status_classifier<429>> c;
  static_assert(c.classify(429).is_retry() && c.classify(503).is_retry() && c.classify(500).is_failure());
  static_assert(c.classify_result(200).is_success() && c.classify_result(429).is_retry());
}

TEST(AnyOf, DescribesItsMembers) {
  EXPECT_EQ((any_of<fails, retry_on<int>, reads_strings>{}.describe()), "any_of(says(0),retry_on(1),classifier)");
  EXPECT_EQ((any_of<any_of<fails>, anew::retry_all>{}.describe()), "any_of(any_of(says(0)),retry_all)");
}

template <int>
struct numbered {};
template <class C>
concept Usable = anew::Composable<C>;

TEST(AnyOf, IsRefusedWhenItCannotWork) {
  static_assert(!Usable<any_of<>> && !Usable<any_of<fails, int>> && !Usable<any_of<anew::no_backoff>>);
  static_assert(!Usable<any_of<fails, retry_on<>>> && !Usable<any_of<any_of<fails, retry_on<>>>>);
  using four = retry_on<numbered<1>, numbered<2>, numbered<3>, numbered<4>>;
  using other_four = retry_on<numbered<5>, numbered<6>, numbered<7>, numbered<8>>;
  static_assert(Usable<any_of<four, other_four>> && Usable<any_of<four, other_four, four>>);
  static_assert(!Usable<any_of<four, other_four, retry_on<numbered<9>>>>);
  static_assert(!any_of<four, other_four, retry_on<numbered<9>>>::is_sound);
  // One that does not answer for what it catches.
  static_assert(!Usable<any_of<retry_if<decltype([](int) { return true; }), std::string>, retry_on<std::string>>>);
}

/// Refuses each result that it reads, or that nothing reads.
template <class R>
struct refuses {
  using role = anew::roles::classifier;
  static directive classify(int /*error*/) { return directive::fail(); }
  static directive classify_result(R const& /*value*/) { return directive::succeed(); }
  template <class T>
  static constexpr bool accepts_result = false;
  template <class T>
  static consteval void explain_result() {}
};
struct reads_words {
  using role = anew::roles::classifier;
  static directive classify(int /*error*/) { return directive::fail(); }
  static directive classify_result(std::string const& /*value*/) { return directive::succeed(); }
};
struct mute {
  int status = 0;
};
template <class C, class R>
concept Accepts = !anew::detail::RefusesResult<C, R>;

TEST(AnyOf, RefusesAResultThatAMemberWouldMisread) {
  using strings = refuses<std::string>;
  static_assert(!Accepts<any_of<strings, reads_words>, std::string> &&
                !Accepts<any_of<reads_words, strings>, std::string>);
  static_assert(Accepts<any_of<refuses<int>, reads_words>, std::string>);  // it is not asked
  // first_of asks the first that reads it, and nobody else.
  static_assert(!Accepts<anew::first_of<strings, reads_words>, std::string>);
  static_assert(Accepts<anew::first_of<reads_words, strings>, std::string>);
}

TEST(AnyOf, RefusesAResultThatNoMemberReadsAndOneExplains) {
  using strings = refuses<std::string>;
  static_assert(!Accepts<any_of<fails, strings>, mute> && !Accepts<anew::first_of<fails, strings>, mute>);
  static_assert(!Accepts<any_of<strings, strings>, double>);
  // A value is a success where failures are thrown, which the other member may know.
  static_assert(Accepts<any_of<strings, retry_on<std::runtime_error>>, double>);
  static_assert(Accepts<any_of<strings, retry_on<std::runtime_error>>, long>);
  static_assert(Accepts<any_of<fails, succeeds>, mute>);  // the driver has words for that
}

TEST(AnyOf, IsAroundAnythingWhatTheMemberIs) {
  using strings = refuses<std::string>;
  static_assert(!Accepts<anew::not_<strings>, std::string> && Accepts<anew::not_<reads_words>, std::string>);
  static_assert(!Accepts<anew::idempotent_only<strings>, std::string>);
  static_assert(!Accepts<anew::caused_by<strings>, std::string>);
  static_assert(!Accepts<any_of<anew::not_<strings>>, std::string>);
}

}  // namespace
}  // namespace classifier_any_of_test
