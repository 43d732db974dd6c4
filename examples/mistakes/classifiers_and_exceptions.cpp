// SPDX-License-Identifier: BSL-1.0
// chapter: Classifiers and exceptions

#include <stdexcept>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/policies.hpp"

// section: A base class before its derived class
// The types become catch clauses in the order you name them, and the first that matches is taken. Naming a type twice
// is the same mistake.
// expect-error: requires a classifier to name a derived exception type before its base
namespace base_before_derived {
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::retry_on<std::runtime_error, std::system_error>;
#else  // right
using on_failure = anew::retry_on<std::system_error, std::runtime_error>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace base_before_derived

// section: A combination without classifiers
// Without a classifier nothing is retried. To never retry, use `anew::never`.
// expect-error: anew::any_of<Classifiers...> and anew::first_of<Classifiers...> require at least one classifier
namespace any_of_nothing {
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::any_of<>;
#else  // right
using on_failure = anew::any_of<anew::retry_info_classifier>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace any_of_nothing

// section: A number instead of an error code
// A number means different errors in different categories and on different systems. Name the condition, or register
// your own enumeration with `std::is_error_code_enum`.
// expect-error: anew::retry_on_codes<Codes...> requires at least one error code, each from an error enumeration
namespace number_in_retry_on_codes {
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::retry_on_codes<110>;
#else  // right
using on_failure = anew::retry_on_codes<std::errc::timed_out>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace number_in_retry_on_codes

// section: A predicate that does not take the exception
// `retry_if<Predicate, Exceptions...>` calls the predicate with each of the types. A type that it cannot take would
// be caught but never retried.
// expect-error: requires a classifier to answer for every exception type that it catches
namespace predicate_on_another_exception {
struct is_refused {
  bool operator()(std::system_error const& error) const { return error.code() == std::errc::connection_refused; }
};

#ifdef ANEW_REJECT  // wrong
using when_refused = anew::retry_if<is_refused, std::runtime_error>;
#else  // right
using when_refused = anew::retry_if<is_refused, std::system_error>;
#endif

void run() {
  anew::retry(anew::strategy<when_refused>{}, [] {});
}
}  // namespace predicate_on_another_exception

// section: An exception that says nothing
// `retry_info_on` asks the thrown exception whether to retry. Let the exception answer, with a member function or
// `anew::retry_traits`. If every exception of the type may be retried, compose `anew::retry_on<E>`.
// expect-error: anew::retry_info_on<Exceptions...> requires exceptions that say whether to retry
// expect-error: this type does not
namespace silent_type_in_retry_info_on {
struct busy : std::runtime_error {
  using std::runtime_error::runtime_error;
#ifdef ANEW_REJECT  // wrong
  [[nodiscard]] static bool is_transient() { return true; }
#else  // right
  [[nodiscard]] static anew::retry_safety is_retry_safe() { return anew::retry_safety::yes; }
#endif
};

void run() {
  int calls = 0;
  anew::retry(anew::strategy<anew::retry_info_on<busy>, anew::no_backoff>{}, [&] {
    if (++calls == 1) throw busy{"busy"};
  });
}
}  // namespace silent_type_in_retry_info_on

// section: How many exception types
// There are eight catch clauses.
// expect-error: anew::retry_on<Exceptions...> requires one to eight exception types
// expect-error: Name a common base
namespace nine_exception_types {
struct any_error {};
template <int>
struct error : any_error {};

#ifdef ANEW_REJECT  // wrong
using on_failure =
    anew::retry_on<error<1>, error<2>, error<3>, error<4>, error<5>, error<6>, error<7>, error<8>, error<9>>;
#else  // right
using on_failure = anew::retry_on<any_error>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace nine_exception_types

// section: How many exception types
// There are eight catch clauses, whichever classifier asks for them.
// expect-error: anew::strategy<Policies...> requires a classifier to catch at most eight types of exception
namespace nine_types_in_retry_if {
struct any_error {
  bool is_final = false;
};
template <int>
struct error : any_error {};

struct may_help {
  bool operator()(any_error const& error) const { return !error.is_final; }
};

#ifdef ANEW_REJECT  // wrong
using on_failure =
    anew::retry_if<may_help, error<1>, error<2>, error<3>, error<4>, error<5>, error<6>, error<7>, error<8>, error<9>>;
#else  // right
using on_failure = anew::retry_if<may_help, any_error>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace nine_types_in_retry_if

// section: How many exception types
// An attempt has eight catch clauses. For more types, name a common base; to retry every exception, use
// `anew::retry_all`. If you name `std::exception`, `std::logic_error` takes one clause too, because it is final
// unless you name it.
// expect-error: anew::retry_on<Exceptions...> requires one to eight exception types
namespace no_exception_types {
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::retry_on<>;
#else  // right
using on_failure = anew::retry_on<std::system_error>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace no_exception_types

// section: How many exception types
// Without a type it would be `retry_info_classifier`.
// expect-error: anew::retry_info_on<Exceptions...> requires one to seven exception types
namespace no_types_in_retry_info_on {
#ifdef ANEW_REJECT  // wrong
using hears = anew::retry_info_on<>;
#else  // right
using hears = anew::retry_info_classifier;
#endif

void run() {
  anew::retry(anew::strategy<hears, anew::no_backoff>{}, [] {});
}
}  // namespace no_types_in_retry_info_on

// section: Not a classifier
// An exception type does not say whether to retry. A classifier does.
// expect-error: anew::caused_by<C>, anew::idempotent_only<C> and anew::not_<C> require a classifier
namespace exception_in_caused_by {
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::caused_by<std::system_error>;
#else  // right
using on_failure = anew::caused_by<anew::retry_on<std::system_error>>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace exception_in_caused_by

// section: Not a classifier
// Neither a predicate nor an exception type is a classifier. `anew::retry_if<Predicate>` calls a predicate, and
// `anew::retry_on<Exception>` names exceptions.
// expect-error: anew::any_of<Classifiers...> and anew::first_of<Classifiers...> require classifiers only
// expect-error: anew::retry_if<Predicate>
namespace predicate_in_any_of {
struct is_busy {
  bool operator()(std::error_code const& error) const { return error == std::errc::device_or_resource_busy; }
};

#ifdef ANEW_REJECT  // wrong
using on_failure = anew::any_of<anew::error_code_classifier, is_busy>;
#else  // right
using on_failure = anew::any_of<anew::error_code_classifier, anew::retry_if<is_busy>>;
#endif

int run() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return std::error_code{}; }).value();
}
}  // namespace predicate_in_any_of

// section: Not a classifier
// A predicate is not a classifier; `anew::retry_if<Predicate>` calls one.
// expect-error: anew::caused_by<C>, anew::idempotent_only<C> and anew::not_<C> require a classifier
namespace predicate_in_idempotent_only {
struct is_busy {
  bool operator()(std::error_code const& error) const { return error == std::errc::device_or_resource_busy; }
};

#ifdef ANEW_REJECT  // wrong
using on_failure = anew::idempotent_only<is_busy>;
#else  // right
using on_failure = anew::idempotent_only<anew::retry_if<is_busy>>;
#endif

int run() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return std::error_code{}; }).value();
}
}  // namespace predicate_in_idempotent_only

// section: Not a classifier
// A predicate is not a classifier; `anew::retry_if<Predicate>` calls one.
// expect-error: anew::caused_by<C>, anew::idempotent_only<C> and anew::not_<C> require a classifier
namespace predicate_in_not {
struct is_busy {
  bool operator()(std::error_code const& error) const { return error == std::errc::device_or_resource_busy; }
};

#ifdef ANEW_REJECT  // wrong
using on_failure = anew::not_<is_busy>;
#else  // right
using on_failure = anew::not_<anew::retry_if<is_busy>>;
#endif

int run() {
  return anew::retry(anew::strategy<on_failure>{}, [] { return std::error_code{}; }).value();
}
}  // namespace predicate_in_not

// section: Too many exception types together
// `std::nested_exception` needs one of the eight catch clauses.
// expect-error: anew::caused_by<C> requires a classifier that catches at most seven types of exception
namespace eight_types_in_caused_by {
template <int>
struct error {};
template <int... Numbers>
using errors = anew::retry_on<error<Numbers>...>;

#ifdef ANEW_REJECT  // wrong
using on_failure = anew::caused_by<errors<1, 2, 3, 4, 5, 6, 7, 8>>;
#else  // right
using on_failure = anew::caused_by<errors<1, 2, 3, 4, 5, 6, 7>>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace eight_types_in_caused_by

// section: Too many exception types together
// An attempt has eight catch clauses for all classifiers together; a type that two classifiers name counts once.
// `anew::caused_by` needs one of them.
// expect-error: anew::any_of<Classifiers...> and anew::first_of<Classifiers...> require classifiers that together catch at most eight types of exception
namespace nine_types_in_any_of {
template <int>
struct error {};
template <int... Numbers>
using errors = anew::retry_on<error<Numbers>...>;

#ifdef ANEW_REJECT  // wrong
using on_failure = anew::any_of<errors<1, 2, 3, 4, 5>, errors<6, 7, 8, 9>>;
#else  // right
using on_failure = anew::any_of<errors<1, 2, 3, 4, 5>, errors<4, 5, 6, 7, 8>>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace nine_types_in_any_of

// section: A function of retry_traits under another name
// A function that anew does not know would be ignored: a throttled call would pay the price of a transient error.
// expect-error: anew::retry_traits<E> requires the names
struct vendor_error {
  int code = 0;
};

template <>
struct anew::retry_traits<vendor_error> {
  static anew::retry_safety is_retry_safe(vendor_error const& /*e*/) { return anew::retry_safety::yes; }
#ifdef ANEW_REJECT  // wrong
  static bool is_throttling(vendor_error const& e) { return e.code == 429; }
#else  // right
  static bool is_throttle(vendor_error const& e) { return e.code == 429; }
#endif
};

namespace traits_with_a_near_name {
struct answer {
  vendor_error held{};
  bool has_value() const { return true; }
  vendor_error const& error() const { return held; }
};

int run() {
  return anew::retry(anew::strategy<>{}, [] { return answer{}; }).has_value() ? 0 : 1;
}
}  // namespace traits_with_a_near_name

// section: A classifier that first_of never asks
// The first classifier that has an opinion decides. One whose errors are all read by those before it, which always have an
// opinion, would never be asked: put the special rule before the general one.
// expect-error: requires classifiers that it can ask
// expect-error: compose anew::any_of<Classifiers...>
namespace first_of_asks_one_never {
#ifdef ANEW_REJECT  // wrong
using on_failure = anew::first_of<anew::retry_on<std::runtime_error>, anew::not_<anew::retry_on<std::system_error>>>;
#else  // right
using on_failure = anew::first_of<anew::not_<anew::retry_on<std::system_error>>, anew::retry_on<std::runtime_error>>;
#endif

void run() {
  anew::retry(anew::strategy<on_failure>{}, [] {});
}
}  // namespace first_of_asks_one_never
