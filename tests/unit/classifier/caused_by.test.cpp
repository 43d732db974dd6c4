// SPDX-License-Identifier: BSL-1.0
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/caused_by.hpp"
#include "anew/policies/classifier/error_code.hpp"

#include "call_ending.hpp"
#include "names.hpp"

namespace classifier_caused_by_test {
namespace {

using namespace anew;
using support::end_of;
using support::unread;

/// Not a class of the standard's, and without virtual functions.
struct plain_error {
  int number;
};
struct busy : std::runtime_error, retry_info {
  explicit busy(bool t) : std::runtime_error{"busy"}, throttled{t} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return retry_safety::yes; }
  [[nodiscard]] bool is_throttle() const override { return throttled; }
  bool throttled;
};
struct keeps_its_cause : std::runtime_error, std::nested_exception {
  keeps_its_cause() : std::runtime_error{"keeps"} {}
};

constexpr auto transient = error_kind::transient;

/// What a strategy of this classifier would hear of `thrown`, by the clauses that it names.
template <class C, class Throw>
directive verdict_on(C const& c, Throw thrown) {
  return detail::guarded<typename C::catches>(
      [&]() -> directive {
        thrown();
        return directive::succeed();
      },
      [&](auto const& error) -> bool {
        if constexpr (ClassifierOf<C, std::remove_cvref_t<decltype(error)>>) {
          throw c.classify(error);
        } else {
          throw directive::fail();
        }
      },
      []() -> directive { return directive::fail(); });
}
directive ask(auto const& c, auto thrown) {
  try {
    return verdict_on(c, thrown);
  } catch (directive const& verdict) {
    return verdict;
  }
}

/// Throws the causes from the innermost to the outermost.
void wrap(auto const& e) { throw e; }
template <class Outermost, class... Inner>
  requires(sizeof...(Inner) > 0)
void wrap(Outermost const& outermost, Inner const&... inner) {
  try {
    wrap(inner...);
  } catch (...) {
    std::throw_with_nested(outermost);
  }
}
template <class C, class... Es>
directive ask_about(C const& c, Es const&... chain) {
  return ask(c, [&] { wrap(chain...); });
}

std::runtime_error const opaque{"could not read the configuration"};

TEST(CausedBy, TheOutermostThatWouldBeRetriedDecides) {
  caused_by<retry_info_classifier> const c;
  EXPECT_EQ(ask_about(c, busy{true}), directive::retry(error_kind::throttling));
  EXPECT_EQ(ask_about(c, opaque, busy{true}), directive::retry(error_kind::throttling));
  EXPECT_EQ(ask_about(c, opaque, opaque, opaque, busy{false}), directive::retry(transient));
  EXPECT_EQ(ask_about(c, busy{false}, busy{true}), directive::retry(transient));
  EXPECT_EQ(ask_about(c, opaque, busy{true}, opaque, busy{false}), directive::retry(error_kind::throttling));
  EXPECT_EQ(ask_about(c, opaque), directive::fail());
  EXPECT_EQ(ask_about(c, opaque, opaque), directive::unclassified());
}

TEST(CausedBy, AFinalOneOutsideDoesNotHideATransientOneInside) {
  caused_by<error_code_classifier> const c;
  std::system_error const denied{std::make_error_code(std::errc::permission_denied)};
  std::system_error const refused{std::make_error_code(std::errc::connection_refused)};
  EXPECT_EQ(ask_about(c, denied, refused), directive::retry(transient));
  EXPECT_EQ(ask_about(c, refused, denied), directive::retry(transient));
  EXPECT_EQ(ask_about(c, denied, opaque, denied), directive::fail());
}

TEST(CausedBy, WithoutACauseItIsAsIfItWereNotThere) {
  using c = caused_by<retry_on<std::runtime_error>>;
  static_assert(std::is_same_v<c::catches, catch_list<std::nested_exception, std::runtime_error>>);
  EXPECT_EQ(c{}.classify(std::runtime_error{"x"}), directive::retry(transient));
  EXPECT_EQ(ask_about(c{}, std::range_error{"x"}), directive::retry(transient));
  EXPECT_EQ(ask_about(c{}, std::logic_error{"x"}), directive::fail());
  EXPECT_EQ(ask_about(c{}, 7), directive::fail());
}

TEST(CausedBy, ACauseMayBeAnythingThatCanBeThrown) {
  caused_by<retry_on<int, plain_error>> const c;
  EXPECT_EQ(ask_about(c, opaque, 7), directive::retry(transient));
  EXPECT_EQ(ask_about(c, opaque, plain_error{7}), directive::retry(transient));
  EXPECT_EQ(ask_about(c, plain_error{7}, opaque), directive::retry(transient));
  EXPECT_EQ(ask_about(c, opaque, plain_error{7}, opaque), directive::retry(transient));
  EXPECT_EQ(ask_about(c, opaque, 'x'), directive::unclassified());
  EXPECT_EQ(ask_about(c, 'x'), directive::fail());
  // What is caught by a base is looked into, be it by the clause of another classifier.
  caused_by<retry_on<std::invalid_argument, std::runtime_error>> const by_base;
  EXPECT_EQ(ask_about(by_base, std::logic_error{"x"}, std::logic_error{"y"}, std::range_error{"z"}),
            directive::retry(transient));
  EXPECT_EQ(ask_about(by_base, std::logic_error{"x"}, std::logic_error{"y"}), directive::unclassified());
  any_of<retry_if<decltype([](std::runtime_error const&) { return false; })>, caused_by<retry_info_classifier>> const
      hidden;
  EXPECT_EQ(ask_about(hidden, opaque, busy{true}), directive::retry(error_kind::throttling));
}

TEST(CausedBy, WhoReadsUnknownExceptionsReadsUnknownCauses) {
  caused_by<retry_all> const c;
  EXPECT_EQ(ask_about(c, opaque), directive::retry(transient));
  EXPECT_EQ(ask_about(c, opaque, 'x'), directive::retry(transient));
  EXPECT_EQ(ask_about(c, std::logic_error{"x"}, 'x'), directive::retry(transient));
  EXPECT_EQ(ask_about(c, std::logic_error{"x"}, std::out_of_range{"y"}), directive::fail());
  EXPECT_EQ(ask_about(c, std::logic_error{"x"}), directive::fail());
}

/// Reads numbers by value, and catches nothing.
using reads_numbers = decltype([](int) { return true; });
TEST(CausedBy, AskedAboutNoExceptionItStaysSo) {
  caused_by<retry_if<reads_numbers>> const c;
  EXPECT_EQ(ask_about(c, opaque, opaque), directive::unclassified());
  EXPECT_EQ(c.classify(7), directive::retry(transient));
  EXPECT_EQ(c.classify_result(7), directive::retry(transient));
}

// Whatever stands around it: what nobody has read is neither refused nor retried.
TEST(CausedBy, WhatNobodyReadStaysSoInsideOthers) {
  using codes = caused_by<error_code_classifier>;
  auto const thrown = [] { wrap(opaque, 1); };
  EXPECT_EQ(end_of(codes{}, thrown), unread);
  EXPECT_EQ(end_of(not_<codes>{}, thrown), unread);
  EXPECT_EQ(end_of(any_of<codes, retry_info_classifier>{}, thrown), unread);
  EXPECT_EQ(end_of(first_of<codes, retry_info_classifier>{}, thrown), unread);
}

TEST(CausedBy, ErrorValuesArePassedOn) {
  using c = caused_by<error_code_classifier>;
  EXPECT_TRUE(c{}.classify(std::errc::connection_refused).is_retry());
  EXPECT_TRUE(c{}.classify(std::errc::permission_denied).is_failure());
  static_assert(!ClassifierOf<c, int> && !detail::ReadsResult<c, int> && !ClassifierOf<c, unknown_exception>);
}

TEST(CausedBy, AnExceptionMayHoldItsCauseByItself) {
  caused_by<retry_info_classifier> const c;
  auto const thrown = [] {
    try {
      throw busy{true};
    } catch (...) {
      throw keeps_its_cause{};
    }
  };
  EXPECT_EQ(ask(c, thrown), directive::retry(error_kind::throttling));
  // Named, it stands before its base.
  using named = caused_by<retry_on<keeps_its_cause>>;
  static_assert(std::is_same_v<named::catches, catch_list<keeps_its_cause, std::nested_exception>>);
  EXPECT_EQ(ask(named{}, thrown), directive::retry(transient));
  using not_this =
      caused_by<any_of<retry_if<decltype([](keeps_its_cause const&) { return false; })>, retry_info_classifier>>;
  static_assert(not_this::catches::size == 3);
  EXPECT_EQ(ask(not_this{}, thrown), directive::retry(error_kind::throttling));
  auto const wrapped = [&thrown] {
    try {
      thrown();
    } catch (...) {
      std::throw_with_nested(std::runtime_error{"outside"});
    }
  };
  EXPECT_EQ(ask(not_this{}, wrapped), directive::retry(error_kind::throttling));
}

// Constructed outside of a handler, or in one for something that is no C++ exception.
TEST(CausedBy, ACauseThatIsNotThereEndsTheSearch) {
  caused_by<retry_all> const c;
  EXPECT_EQ(c.classify(std::nested_exception{}), directive::retry(transient));
  EXPECT_EQ(caused_by<retry_on<int>>{}.classify(std::nested_exception{}), directive::unclassified());
  EXPECT_EQ(ask_about(caused_by<retry_on<int>>{}, keeps_its_cause{}), directive::unclassified());
}

/// About a number that is thrown inside of so many others.
template <std::size_t... Above>
directive ask_below(std::index_sequence<Above...> /*above*/) {
  return ask_about(caused_by<retry_on<int>>{}, ((void)Above, opaque)..., 1);
}

TEST(CausedBy, TheSearchEndsAtTheSixteenthCause) {
  EXPECT_EQ(ask_below(std::make_index_sequence<16>{}), directive::retry(transient));
  EXPECT_EQ(ask_below(std::make_index_sequence<17>{}), directive::unclassified());
}

TEST(CausedBy, AChainThatEndsWhereItBeginsIsLeft) {
  struct loop : std::nested_exception {
    using std::nested_exception::operator=;
  };
  loop const nothing;  // made outside of a handler
  std::exception_ptr ring;
  auto const thrown = [&ring] {
    try {
      throw loop{};
    } catch (loop& outer) {
      outer = loop{};  // made here, so that it is its own cause
      ring = std::current_exception();
      throw;
    }
  };
  EXPECT_EQ(ask(caused_by<retry_on<int>>{}, thrown), directive::unclassified());
  try {
    std::rethrow_exception(ring);
  } catch (loop& outer) {
    EXPECT_EQ(outer.nested_ptr(), ring);
    outer = nothing;  // it would keep itself alive
  }
}

TEST(CausedBy, WhatTheClassifierThrowsGoesOnItsWay) {
  auto const throws = [](std::runtime_error const& e) -> bool { throw std::string{e.what()}; };
  caused_by const c{retry_if{throws}};
  EXPECT_THROW((void)ask_about(c, std::logic_error{"x"}, std::runtime_error{"inside"}), std::string);
}

TEST(CausedBy, DescribesItselfAndIsRefusedWhenItCannotWork) {
  EXPECT_EQ(caused_by<retry_all>{}.describe(), "caused_by(retry_all)");
  static_assert(std::is_empty_v<caused_by<retry_all>>);
  static_assert(Composable<caused_by<retry_on<int, long, char, bool, float, double, short>>>);
  static_assert(!Composable<caused_by<retry_on<int, long, char, bool, float, double, short, unsigned>>>);
  static_assert(!Composable<caused_by<int>> && !Composable<caused_by<retry_on<>>>);
}

}  // namespace
}  // namespace classifier_caused_by_test
