// SPDX-License-Identifier: BSL-1.0
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/caused_by.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"

#include "names.hpp"

namespace classifier_combined_test {
namespace {

using namespace anew;

/// Says the same of every int and every int result.
template <int Answer>
struct says {
  using role = roles::classifier;
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
  using role = roles::classifier;
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

using lines = std::vector<std::string>;

/// Catches these, and writes down by which of them it was asked.
struct listener {
  static inline lines heard;
  static char const* name_of(void const*) { return "?"; }
  static char const* name_of(base const*) { return " base"; }
  static char const* name_of(derived const*) { return " derived"; }
  static char const* name_of(derived_further const*) { return " derived_further"; }
  static char const* name_of(other const*) { return " other"; }
  static char const* name_of(last const*) { return " last"; }
};
template <int Tag, class... Es>
struct listens : listener {
  using role = roles::classifier;
  using catches = catch_list<Es...>;
  template <class E>
    requires(std::is_same_v<E, Es> || ...)
  static directive classify(E const& /*error*/) {
    heard.push_back(std::to_string(Tag) + name_of(static_cast<E const*>(nullptr)));
    return directive::fail();
  }
};

/// Reads what nobody names, and nothing else.
struct reads_unknown {
  using role = roles::classifier;
  static directive classify(unknown_exception /*e*/) { return directive::retry(error_kind::client); }
};

static_assert(std::is_constructible_v<any_of<retry_all>, retry_all>, "one member is enough");

// Which of two answers counts: laws/combinations.test.cpp.
TEST(AnyOf, AsksNoOtherWhereOneDecidesAndSoDoesFirstOf) {
  int asked = 0;
  retry_if const counts{[&asked](int) { return ++asked > 0; }};
  any_of const any{says<2>{}, counts};
  first_of const first{fails{}, counts};
  EXPECT_EQ(any.classify(7), two_seconds());
  EXPECT_EQ(any.classify_result(7), two_seconds());
  EXPECT_EQ(first.classify(7), directive::fail());
  EXPECT_EQ(first.classify_result(7), directive::fail());
  EXPECT_EQ(asked, 0);
}

template <class... Cs>
using clauses = typename any_of<Cs...>::catches;

// Each once, derived types before their bases.
static_assert(std::is_same_v<clauses<says<2>>, catch_list<>>);
static_assert(std::is_same_v<clauses<listens<1, base, other>, listens<2, other, base>>, catch_list<base, other>>);
static_assert(std::is_same_v<clauses<listens<1, int>, listens<2, char const*, int>>, catch_list<int, char const*>>);
static_assert(
    std::is_same_v<clauses<listens<1, base>, any_of<listens<2, other>, listens<3, base>>>, catch_list<base, other>>);
static_assert(std::is_same_v<clauses<listens<1, base>, listens<2, derived>>, catch_list<derived, base>>);
static_assert(std::is_same_v<clauses<listens<1, other, base>, listens<2, derived>, listens<3, derived_further>>,
                             catch_list<other, derived_further, derived, base>>);
static_assert(std::is_same_v<clauses<listens<1, derived_further, base>, listens<2, derived>>,
                             catch_list<derived_further, derived, base>>);

/// By which clauses the members of a combination are asked about an error of type E.
template <class E, class Combination, class Thrown = E>
lines heard_by(Combination const& combination, Thrown const& error = Thrown{}) {
  listener::heard.clear();
  (void)combination.template classify<E>(error);
  return listener::heard;
}

TEST(AnyOf, AnExceptionIsOfferedByTheClauseThatItsClassifierHasForIt) {
  any_of<listens<1, base>, listens<2, derived>, listens<3, derived, base>, listens<4, int>,
         listens<5, derived_further>> const many;
  EXPECT_EQ(heard_by<derived>(many), (lines{"1 base", "2 derived", "3 derived"}));
  EXPECT_EQ(heard_by<base>(many), (lines{"1 base", "3 base"}));
  EXPECT_EQ(heard_by<derived_further>(many), (lines{"1 base", "2 derived", "3 derived", "5 derived_further"}));
  EXPECT_EQ(heard_by<int>(many), (lines{"4?"}));
  // Nothing derives from a final type, and what it is, is known.
  any_of<listens<1, last>, listens<2, other>, listens<3, base>> const final;
  EXPECT_EQ(heard_by<last>(final), (lines{"1 last", "3 base"}));
#if defined(__cpp_rtti)
  struct both : derived, other {};
  any_of<listens<1, base>, listens<2, other>> const two;
  EXPECT_EQ((heard_by<base>(two, both{})), (lines{"1 base", "2 other"}));
  EXPECT_EQ((heard_by<other>(two, both{})), (lines{"1 base", "2 other"}));
  EXPECT_EQ(heard_by<base>(two), (lines{"1 base"}));
  // A classifier's own clauses are tried in its order.
  any_of<listens<1, derived>, listens<2, other, base>> const other_first;
  any_of<listens<1, derived>, listens<2, base, other>> const base_first;
  EXPECT_EQ((heard_by<derived>(other_first, both{})), (lines{"1 derived", "2 other"}));
  EXPECT_EQ((heard_by<derived>(base_first, both{})), (lines{"1 derived", "2 base"}));
#endif
}

TEST(AnyOf, WhatOneCatchesIsUnknownToOneThatDoesNot) {
  using c = any_of<listens<1, base>, reads_unknown>;
  static_assert(ClassifierOf<c, unknown_exception>);
  static_assert(!ClassifierOf<c, int>);  // not as an error value
  EXPECT_EQ(c{}.classify(base{}), directive::retry(error_kind::client));
  EXPECT_EQ(c{}.classify(unknown_exception{}), directive::retry(error_kind::client));
  // The other one does not read it, and so it has no say.
  EXPECT_EQ((any_of<retry_on<base>, reads_unknown>{}.classify(unknown_exception{})),
            directive::retry(error_kind::client));
  static_assert(!ClassifierOf<any_of<retry_on<base>, says<2>>, unknown_exception>);
}

TEST(AnyOf, WhatOneCatchesAnotherOneMayReadWithoutCatchingIt) {
  struct refusal {
    int code;
    [[nodiscard]] int status() const { return code; }
  };
  any_of<http_status_classifier<>, listens<1, refusal>> const c;
  EXPECT_EQ(c.classify(refusal{429}), directive::retry(error_kind::throttling));
  EXPECT_EQ(c.classify(refusal{404}), directive::fail());
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
  constexpr any_of<http_status_classifier<503>, http_status_classifier<429>> c;
  static_assert(c.classify(429).is_retry() && c.classify(503).is_retry() && c.classify(500).is_failure());
  static_assert(c.classify_result(200).is_success() && c.classify_result(429).is_retry());
}

TEST(Combined, DescribeTheirMembersAndHaveNoSizeWithoutState) {
  EXPECT_EQ((any_of<any_of<fails>, retry_on<int>, reads_strings>{}.describe()),
            "any_of(any_of(says(0)),retry_on(1),classifier)");
  EXPECT_EQ((first_of<retry_on<int>, retry_all>{}.describe()), "first_of(retry_on(1),retry_all)");
  EXPECT_EQ(not_<reads_strings>{}.describe(), "not(classifier)");
  static_assert(std::is_empty_v<first_of<retry_on<int>, retry_all>> && std::is_empty_v<not_<reads_strings>>);
}

template <int>
struct numbered {};

TEST(AnyOf, IsRefusedWhenItCannotWork) {
  static_assert(!Composable<any_of<>> && !Composable<any_of<fails, int>> && !Composable<any_of<no_backoff>>);
  static_assert(!Composable<any_of<fails, retry_on<>>> && !Composable<any_of<any_of<fails, retry_on<>>>>);
  using four = retry_on<numbered<1>, numbered<2>, numbered<3>, numbered<4>>;
  using other_four = retry_on<numbered<5>, numbered<6>, numbered<7>, numbered<8>>;
  static_assert(Composable<any_of<four, other_four>> && Composable<any_of<four, other_four, four>>);
  static_assert(!Composable<any_of<four, other_four, retry_on<numbered<9>>>>);
  static_assert(!any_of<four, other_four, retry_on<numbered<9>>>::is_sound);
  // One that does not answer for what it catches.
  static_assert(!Composable<any_of<retry_if<decltype([](int) { return true; }), std::string>, retry_on<std::string>>>);
}

/// Refuses each result that it reads, or that nothing reads.
template <class R>
struct refuses {
  using role = roles::classifier;
  static directive classify(int /*error*/) { return directive::fail(); }
  static directive classify_result(R const& /*value*/) { return directive::succeed(); }
  template <class T>
  static constexpr bool accepts_result = false;
  template <class T>
  static consteval void explain_result() {}
};
struct reads_words {
  using role = roles::classifier;
  static directive classify(int /*error*/) { return directive::fail(); }
  static directive classify_result(std::string const& /*value*/) { return directive::succeed(); }
};
struct mute {
  int status = 0;
};
template <class C, class R>
concept Accepts = !detail::RefusesResult<C, R>;

// A result is refused that a member would misread, or that no member reads and one explains.
using strings = refuses<std::string>;
static_assert(!Accepts<any_of<strings, reads_words>, std::string> &&
              !Accepts<any_of<reads_words, strings>, std::string>);
static_assert(Accepts<any_of<refuses<int>, reads_words>, std::string>);  // it is not asked
// first_of asks the first that reads it, and nobody else.
static_assert(!Accepts<first_of<strings, reads_words>, std::string>);
static_assert(Accepts<first_of<reads_words, strings>, std::string>);
static_assert(!Accepts<any_of<fails, strings>, mute> && !Accepts<first_of<fails, strings>, mute>);
static_assert(!Accepts<any_of<strings, strings>, double>);
// A value is a success where failures are thrown, which the other member may know.
static_assert(Accepts<any_of<strings, retry_on<std::runtime_error>>, double>);
static_assert(Accepts<any_of<strings, retry_on<std::runtime_error>>, long>);
static_assert(Accepts<any_of<fails, succeeds>, mute>);  // the driver has words for that
static_assert(!Accepts<not_<strings>, std::string> && Accepts<not_<reads_words>, std::string>);
static_assert(!Accepts<idempotent_only<strings>, std::string> && !Accepts<caused_by<strings>, std::string>);
static_assert(!Accepts<any_of<not_<strings>>, std::string>);

template <class E, bool Again>
struct decides {
  using role = roles::classifier;
  using catches = catch_list<E>;
  static directive classify(E const& /*error*/) {
    return Again ? directive::retry(error_kind::server) : directive::fail();
  }
};

static_assert(std::is_constructible_v<first_of<retry_all>, retry_all>, "one member is enough");

TEST(FirstOf, AnExceptionIsDecidedByTheFirstThatCatchesItBeItByABase) {
  using base_first = first_of<decides<std::runtime_error, false>, decides<std::system_error, true>>;
  using derived_first = first_of<decides<std::system_error, true>, decides<std::runtime_error, false>>;
  static_assert(std::is_same_v<base_first::catches, catch_list<std::system_error, std::runtime_error>>);
  std::system_error const error{make_error_code(std::errc::timed_out)};
  EXPECT_EQ(base_first{}.classify(error), directive::fail());
  EXPECT_EQ(derived_first{}.classify(error), directive::retry(error_kind::server));
  EXPECT_EQ(derived_first{}.classify(std::runtime_error{"x"}), directive::fail());
}

TEST(FirstOf, WhereNobodyHasAnOpinionThereIsNone) {
  auto const is_seven = [](int number) { return number == 7; };
  first_of const none{retry_if{is_seven}, retry_if{is_seven}};
  EXPECT_EQ(none.classify(8), directive::no_opinion());
  EXPECT_EQ(none.classify_result(8), directive::no_opinion());
  auto const grades = [](int number) { return number == 7 ? directive::no_opinion() : directive::succeed(); };
  EXPECT_EQ((first_of{retry_if{grades}, says<2>{}}.classify_result(7)), two_seconds());
}

#if defined(__cpp_rtti)
TEST(FirstOf, WhoCatchesAnotherTypeDoesNotDecide) {
  struct tagged : std::runtime_error, std::error_code {
    tagged() : std::runtime_error{"tagged"} {}
  };
  using c = first_of<decides<std::error_code, true>, decides<std::runtime_error, false>>;
  EXPECT_EQ(c{}.classify(std::runtime_error{"x"}), directive::fail());
  tagged const both;
  EXPECT_EQ(c{}.classify<std::runtime_error>(both), directive::retry(error_kind::server));
}
#endif

TEST(FirstOf, RetriesProgrammersErrorsForWhoeverWantsIt) {
  using c = first_of<retry_on<std::logic_error>, retry_all>;
  static_assert(std::is_same_v<c::catches, catch_list<std::logic_error>>);
  EXPECT_EQ(c{}.classify(std::logic_error{"x"}), directive::retry(error_kind::transient));
  EXPECT_EQ(c{}.classify(unknown_exception{}), directive::retry(error_kind::transient));
  EXPECT_EQ((first_of<retry_all, retry_on<std::logic_error>>{}.classify(std::logic_error{"x"})), directive::fail());
}

TEST(FirstOf, WhatIsUnknownIsDecidedByTheFirstThatReadsIt) {
  using c = first_of<retry_on<int>, says<0>, retry_all>;
  EXPECT_EQ(c{}.classify(unknown_exception{}), directive::retry(error_kind::transient));
  static_assert(!ClassifierOf<first_of<retry_on<int>, says<0>>, unknown_exception>);
}

// A classifier that reads no more than those before it, which always have an opinion, would never be asked.
TEST(FirstOf, RefusesAClassifierThatItCanNeverAsk) {
  using anew::error_code_classifier;
  using is_code = decltype([](std::error_code const&) { return true; });
  using is_text = decltype([](std::string const&) { return true; });
  static_assert(!Composable<first_of<retry_on<std::runtime_error>, not_<retry_on<std::system_error>>>>);
  static_assert(Composable<first_of<not_<retry_on<std::system_error>>, retry_on<std::runtime_error>>>);
  static_assert(!Composable<first_of<error_code_classifier, retry_if<is_code>>>);
  static_assert(Composable<first_of<retry_if<is_code>, error_code_classifier>>);
  static_assert(Composable<first_of<error_code_classifier, retry_if<is_text>>>);
  static_assert(!Composable<first_of<error_code_classifier, retry_on_codes<std::errc::timed_out>>>);
  static_assert(!Composable<first_of<retry_all, retry_on<std::logic_error>>>);
  static_assert(Composable<first_of<http_status_classifier<>, error_code_classifier, retry_all>>);
  // Two together hide what neither hides alone.
  static_assert(!Composable<first_of<retry_on<int>, retry_on<char>, retry_on<int, char>>>);
  static_assert(Composable<first_of<retry_on<int>, retry_on<int, char>>>);
  static_assert(Composable<any_of<retry_on<std::runtime_error>, retry_on<std::system_error>>>);
}

// What cannot work is refused.
static_assert(!Composable<not_<int>> && !Composable<not_<retry_on<>>>);
static_assert(!Composable<first_of<>> && !Composable<first_of<retry_all, int>>);
static_assert(!Composable<first_of<retry_all, retry_on<>>> && Composable<first_of<any_of<retry_all>>>);

using is_negative = decltype([](int value) { return value < 0; });
struct hinted {
  [[nodiscard]] static retry_safety is_retry_safe() { return retry_safety::no; }
  [[nodiscard]] static std::optional<duration> retry_after() { return 5s; }
};
struct unknown_is_final {
  using role = roles::classifier;
  static directive classify(unknown_exception /*e*/) { return directive::fail(); }
};

// Some clause inside would catch a programmer's error: then it has a clause of its own, before that.
using says_no = decltype([](std::exception const&) { return false; });
static_assert(
    detail::is_listed<std::logic_error, not_<retry_if<says_no, std::runtime_error, std::exception>>::catches>);
static_assert(!detail::is_listed<std::logic_error, not_<retry_if<says_no, std::runtime_error>>::catches>);

TEST(Not, ExchangesRetryAndFail) {
  not_<retry_if<is_negative>> const c;
  EXPECT_EQ(c.classify(-1), directive::fail());
  EXPECT_EQ(c.classify(1), directive::retry(error_kind::transient));
  EXPECT_EQ(not_<succeeds>{}.classify(1), directive::succeed());
  EXPECT_EQ(not_<retry_info_classifier>{}.classify(hinted{}), directive::retry(error_kind::transient, 5s));
  not_ const twice{not_{retry_if{is_negative{}}}};
  static_assert(std::is_same_v<decltype(twice), not_<not_<retry_if<is_negative>>> const>);
  EXPECT_TRUE(twice.classify(-1).is_retry());
  EXPECT_TRUE(twice.classify(1).is_failure());
}

// A plain value that a predicate does not call a failure is a success, and stays one.
TEST(Not, APlainValueThatIsASuccessStaysOne) {
  not_<retry_if<is_negative>> const c;
  EXPECT_EQ(c.classify_result(-1), directive::fail());
  EXPECT_EQ(c.classify_result(1), directive::no_opinion());
  EXPECT_EQ(not_<retry_while<is_negative>>{}.classify_result(1), directive::succeed());
  EXPECT_EQ(not_<http_status_classifier<>>{}.classify_result(404), directive::retry(error_kind::transient));
}

TEST(Not, ReadsWhatTheOtherReads) {
  using c = not_<retry_on<std::runtime_error>>;
  static_assert(std::is_same_v<c::catches, catch_list<std::runtime_error>>);
  static_assert(!ClassifierOf<c, unknown_exception> && !ClassifierOf<c, int> && !detail::ReadsResult<c, int>);
  EXPECT_EQ(c{}.classify(std::runtime_error{"x"}), directive::fail());
}

TEST(Not, LeavesProgrammersErrorsAlone) {
  using c = not_<retry_on<std::exception>>;
  static_assert(std::is_same_v<c::catches, catch_list<std::logic_error, std::exception>>);
  EXPECT_EQ(c{}.classify(std::logic_error{"x"}), directive::fail());

  auto const is_null = [](std::exception const& e) { return e.what() == nullptr; };
  not_ const by_rule{retry_if{is_null}};
  static_assert(std::is_same_v<decltype(by_rule)::catches, catch_list<std::logic_error, std::exception>>);
  EXPECT_EQ(by_rule.classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(by_rule.classify(std::exception{}), directive::retry(error_kind::transient));

  // Named by hand, it is final when the other one retries it, and when it does not.
  EXPECT_EQ(not_<retry_on<std::logic_error>>{}.classify(std::logic_error{"x"}), directive::fail());
  auto const never = [](std::invalid_argument const&) { return false; };
  EXPECT_EQ(not_{retry_if{never}}.classify(std::invalid_argument{"x"}), directive::fail());

  using all_but = not_<unknown_is_final>;
  static_assert(std::is_same_v<all_but::catches, catch_list<std::logic_error>>);
  EXPECT_EQ(all_but{}.classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(all_but{}.classify(unknown_exception{}), directive::retry(error_kind::transient));
  EXPECT_EQ(not_<retry_all>{}.classify(std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(not_<retry_all>{}.classify(7), directive::fail());
}

directive retried(retry_safety safety, error_kind kind = error_kind::transient, std::optional<duration> hint = {}) {
  return directive::retry(failure{kind, safety, hint});
}

struct with_member {
  bool sent;
  [[nodiscard]] bool was_sent() const { return sent; }
};
using is_small = decltype([](int value) { return value < 10; });
struct not_const {
  bool operator()(int /*value*/) { return true; }
};

/// Answers with what it is given.
struct echo {
  using role = roles::classifier;
  using catches = catch_list<std::logic_error>;
  static directive classify(directive const& d) { return d; }
  static directive classify(std::logic_error const& /*e*/) { return directive::fail(); }
  static directive classify_result(directive const& d) { return d; }
};

TEST(IdempotentOnly, LowersTheSafetyAndNothingElse) {
  struct row {
    directive said, heard;
  };
  auto const always = [](directive const&) { return true; };
  for (auto const& [said, heard] : {row{retried(retry_safety::yes, error_kind::throttling, 3s),
                                        retried(retry_safety::maybe, error_kind::throttling, 3s)},
                                    {retried(retry_safety::maybe), retried(retry_safety::maybe)},
                                    {directive::succeed(), directive::succeed()},
                                    {directive::fail(), directive::fail()},
                                    {retried(retry_safety::no), retried(retry_safety::no)}}) {
    EXPECT_EQ(idempotent_only<echo>{}.classify(said), heard);
    EXPECT_EQ(idempotent_only<echo>{}.classify_result(said), heard);
  }
  EXPECT_EQ((idempotent_only{echo{}, always}.classify(retried(retry_safety::no))), retried(retry_safety::no));
}

/// Expects this verdict of each error.
void says_of(auto const& classifier, directive const& verdict, auto const&... errors) {
  int at = 0;
  auto const is_said = [&](auto const& error) { EXPECT_EQ(classifier.classify(error), verdict) << "error " << at; };
  ((++at, is_said(errors)), ...);
}

TEST(IdempotentOnly, WhatIsRetriedMayHaveBeenExecutedUnlessItWasNeverSent) {
  auto const reset = std::make_error_condition(std::errc::connection_reset);
  idempotent_only<retry_all> const all;
  says_of(all, retried(retry_safety::maybe), 7, unknown_exception{}, with_member{true}, reset,
          std::errc::permission_denied);
  says_of(all, retried(retry_safety::yes), with_member{false}, std::errc::connection_refused,
          make_error_code(std::errc::connection_refused));
  says_of(all, directive::fail(), std::logic_error{"x"});
  idempotent_only<retry_on<std::system_error>> const thrown;
  says_of(thrown, retried(retry_safety::yes), std::system_error{make_error_code(std::errc::network_down)});
  says_of(thrown, retried(retry_safety::maybe), std::system_error{make_error_code(std::errc::timed_out)});
}

TEST(IdempotentOnly, ByAPredicateOfOnesOwnWithState) {
  int sent = 3;
  idempotent_only const c{retry_all{}, [&sent](int value) { return value > sent; }};
  EXPECT_EQ(c.classify(4), retried(retry_safety::yes));
  sent = 4;
  EXPECT_EQ(c.classify(4), retried(retry_safety::maybe));
  EXPECT_EQ(c.classify(std::errc::connection_refused), retried(retry_safety::maybe));  // it does not take that
  idempotent_only const by_rule{retry_if{is_small{}}};
  static_assert(std::is_same_v<decltype(by_rule), idempotent_only<retry_if<is_small>> const>);
  EXPECT_EQ(by_rule.classify(5), retried(retry_safety::maybe));
  EXPECT_EQ(by_rule.classify(50), directive::no_opinion());
  EXPECT_EQ((idempotent_only<retry_if<is_small>, is_small>{}.classify_result(5)), retried(retry_safety::yes));
  EXPECT_EQ((idempotent_only<retry_if<is_small>, is_small>{}.classify_result(50)), directive::no_opinion());
}

TEST(IdempotentOnly, ReadsWhatTheOtherReads) {
  using c = idempotent_only<retry_on<std::runtime_error>>;
  static_assert(std::is_same_v<c::catches, catch_list<std::runtime_error>>);
  static_assert(!ClassifierOf<c, int> && !ClassifierOf<c, unknown_exception> && !detail::ReadsResult<c, int>);
  static_assert(std::is_empty_v<c>);
  // A predicate that would silently never be asked.
  static_assert(!ClassifierOf<idempotent_only<retry_all, not_const>, int>);
  static_assert(!detail::ReadsResult<idempotent_only<retry_if<is_small>, not_const>, int>);
  static_assert(!Composable<idempotent_only<int>> && !Composable<idempotent_only<retry_on<>>>);
  EXPECT_EQ(c{}.describe(), "idempotent_only(retry_on(1))");
}

}  // namespace
}  // namespace classifier_combined_test
