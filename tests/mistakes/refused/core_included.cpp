// SPDX-License-Identifier: BSL-1.0
#include <optional>
#include <stdexcept>
#include <system_error>

#include "anew/anew.hpp"

using namespace std::chrono_literals;

struct net_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int ask() { throw net_error{"connection refused"}; }
std::error_code deliver();

/// As std::expected.
template <class Error>
struct result {
  using value_type = int;
  using error_type = Error;
  bool has_value() const;
  int value() const;
  Error error() const;
  explicit operator bool() const;
};

using patient = anew::strategy<anew::exponential_backoff<50ms, 1s>, anew::max_attempts<3>, anew::retry_on<net_error>>;

// section: The type of the strategy in the place of an object
// g++: expected primary-expression before ',' token
// clang: unexpected type name 'patient': expected expression
int type_as_object() { return anew::retry(patient, ask); }

// section: The strategy as a template argument
// expect-error: requires a strategy object as its first argument
int strategy_as_template_argument() { return anew::retry<patient>(ask); }

// section: The operation is called in the place of being passed
// expect-error: requires an operation that is callable as operation(anew::attempt&) or operation()
int result_instead_of_operation() { return anew::retry(patient{}, ask()); }

// section: A pointer to a member function as the operation
// expect-error: or wrap the operation: [&] { return operation(arguments); }
namespace member_function_pointer {
struct client {
  int get() { return ask(); }
};

int run() { return anew::retry(patient{}, &client::get); }
}  // namespace member_function_pointer

// section: The operation takes the attempt by value
// expect-error: Take the attempt by reference
int attempt_by_value() {
  return anew::retry(patient{}, [](anew::attempt a) { return static_cast<int>(a.number()); });
}

// section: A lambda that returns two types
// g++: inconsistent types 'int' and 'double' deduced for lambda return type
// clang: must match previous return type 'int'
int lambda_different_types() {
  anew::retry(patient{}, [] {
    if (ask() > 0) return 1;
    return 2.5;
  });
}

// section: A lambda that returns nullopt or a value
// g++: inconsistent types 'std::nullopt_t' and 'std::optional<int>' deduced
// clang: must match previous return type 'nullopt_t'
// beyond: g++ 2, which tries a conversion of its own to std::nullopt_t
int lambda_nullopt_or_value() {
  anew::retry(anew::strategy<anew::retry_all>{}, [] {
    if (ask() > 0) return std::nullopt;
    return std::optional{42};
  });
}

// section: A policy without its template arguments
// g++: type/value mismatch at argument 1
// clang: requires template arguments
int template_without_arguments() {
  return anew::retry(anew::strategy<anew::max_attempts, anew::retry_on<net_error>>{}, ask);
}

// section: A run-time duration as a template argument
// g++: the value of 'base' is not usable in a constant expression
// clang: is not a constant expression
int run_time_duration_in_type(int argc, char**) {
  auto const base = std::chrono::milliseconds{argc};
  return anew::retry(anew::compose(anew::constant_backoff<base>{}, anew::retry_on<net_error>{}), ask);
}

// section: A run-time number as a template argument
// g++: is not a constant expression
// clang: is not a constant expression
int run_time_attempts_in_type(int argc, char**) {
  return anew::retry(anew::compose(anew::max_attempts<argc>{}, anew::retry_on<net_error>{}), ask);
}

// section: A policy's value in the place of its type
// g++: type/value mismatch at argument 1
// clang: template argument for template type parameter must be a type
int value_in_strategy() {
  return anew::retry(anew::strategy<anew::max_attempts<3>{}, anew::retry_on<net_error>>{}, ask);
}

// section: Policies given to strategy's constructor, as if it deduced them
// g++: missing template arguments before
// clang: requires template arguments; argument deduction only allowed for class templates
int ctad_of_strategy() {
  return anew::retry(anew::strategy{anew::max_attempts<3>{}, anew::retry_on<net_error>{}}, ask);
}

// section: A misspelt policy
// g++: 'exponental_backoff' is not a member of 'anew'
// clang: did you mean 'exponential_backoff'
// beyond: g++ 5, which goes on after a name that it does not know
int typo_policy() {
  return anew::retry(anew::strategy<anew::exponental_backoff<50ms, 1s>, anew::retry_on<net_error>>{}, ask);
}

// section: A misspelt policy in with<>
// g++: 'full_jiter' is not a member of 'anew'
// clang: no member named 'full_jiter' in namespace 'anew'
// beyond: g++ 2, which goes on after a name that it does not know
int typo_jitter_in_with() { return anew::retry(anew::with<patient, anew::full_jiter>{}, ask); }

// section: A policy of the catalogue, and only the core is included
// expect-error: Include <anew/policies.hpp>
int missing_include_breaker() {
  return anew::retry(anew::strategy<anew::circuit_breaker<>, anew::retry_on<net_error>>{}, ask);
}

// section: A policy looked for in the namespace of its role
// g++: 'backoff' is not a member of 'anew'
// clang: no member named 'backoff' in namespace 'anew'
// beyond: g++ 2, clang 5, which go on after a name that they do not know
int wrong_namespace() {
  return anew::retry(anew::strategy<anew::backoff::exponential<50ms, 1s>, anew::retry_on<net_error>>{}, ask);
}

// section: A policy's type in the place of its value in compose()
// g++: expected primary-expression before ',' token
// clang: expected '(' for function-style cast
int compose_type() { return anew::retry(anew::compose(anew::max_attempts<3>, anew::retry_on<net_error>{}), ask); }

// section: A factor as a number
// g++: could not convert '3' from 'int' to
// clang: no viable conversion from 'int' to 'rational'
int factor_as_number() {
  return anew::retry(anew::compose(anew::exponential_backoff<50ms, 1s, 3>{}, anew::retry_on<net_error>{}), ask);
}

// section: The name of a function as the predicate's type
// g++: type/value mismatch at argument 1
// clang: template argument for template type parameter must be a type
namespace retry_if_function_name {
bool is_busy(net_error const&) { return true; }

int run() { return anew::retry(anew::compose(anew::retry_if<is_busy>{}), ask); }
}  // namespace retry_if_function_name

// section: The address of a function as the predicate's type
// g++: type/value mismatch at argument 1
// clang: template argument for template type parameter must be a type
namespace retry_if_function_pointer {
bool is_busy(net_error const&) { return true; }

int run() { return anew::retry(anew::compose(anew::retry_if<&is_busy>{}), ask); }
}  // namespace retry_if_function_pointer

// section: A predicate with state in a strategy that is default-constructed
// expect-error: a policy of this strategy needs its values: anew::compose(policies...)
int retry_if_runtime_capture(int argc, char**) {
  auto const is_busy = [argc](net_error const&) { return argc > 1; };
  using client = anew::strategy<anew::retry_if<std::remove_const_t<decltype(is_busy)>>>;
  return anew::retry(client{}, ask);
}

// section: A result that is a pointer
// expect-error: anew::result_traits<R>
namespace char_pointer {
char const* name_of();

int run() { return anew::retry(patient{}, name_of) != nullptr ? 0 : 1; }
}  // namespace char_pointer

// section: A response that says nothing that the HTTP classifier reads
// expect-error: requires
namespace http_data_member {
struct response {
  int http_result;
};
response get();

using client = anew::strategy<anew::http_status_classifier<>>;

int run() { return anew::retry(client{}, get).http_result; }
}  // namespace http_data_member

// section: The default classifier over an error code
// expect-error: requires an error that says whether to retry
int error_code_default() { return anew::retry(anew::strategy<>{}, deliver) ? 1 : 0; }

// section: A reference as a type of exception
// expect-error: anew
int retry_on_reference() { return anew::retry(anew::strategy<anew::retry_on<net_error const&>>{}, ask); }

// section: Exceptions are named, and the operation returns error codes
// expect-error: requires a classifier that reads the operation's errors
int system_error_values_mixed() {
  return anew::retry(anew::strategy<anew::retry_on<std::system_error>>{}, deliver) ? 1 : 0;
}

// section: A strategy with a bucket is copied
// expect-error: two copies would be two budgets: pass a reference, or use anew::shared
namespace copy_strategy_with_bucket {
using client = anew::strategy<anew::token_bucket<500>, anew::retry_on<net_error>>;

int run() {
  client const first{};
  client const second = first;
  return anew::retry(second, ask);
}
}  // namespace copy_strategy_with_bucket

// section: A policy whose role is misspelt
// expect-error: has no nested type 'role'
namespace role_typo {
struct mine {
  using roll = anew::roles::backoff;
  anew::duration delay(std::uint32_t) const { return 1ms; }
};

using client = anew::strategy<mine, anew::retry_on<net_error>>;

int run() { return anew::retry(client{}, ask); }
}  // namespace role_typo

// section: A policy whose role is another than its functions
// expect-error: requires a Jitter policy to have
namespace role_of_another_kind {
struct mine {
  using role = anew::roles::jitter;
  anew::duration delay(std::uint32_t) const { return 1ms; }
};

using client = anew::strategy<mine, anew::retry_on<net_error>>;

int run() { return anew::retry(client{}, ask); }
}  // namespace role_of_another_kind

// section: A classifier that returns a bool
// expect-error: requires a classifier that reads the operation's errors
namespace classifier_returns_bool {
struct mine {
  using role = anew::roles::classifier;
  bool classify(std::error_code const& e) const { return e == std::errc::timed_out; }
};

using client = anew::strategy<mine>;

int run() { return anew::retry(client{}, deliver) ? 1 : 0; }
}  // namespace classifier_returns_bool

// section: A classifier of exceptions that does not list what it catches
// expect-error: anew::retry(strategy, operation) requires
namespace classifier_without_catches {
struct mine {
  using role = anew::roles::classifier;
  anew::directive classify(net_error const&) const { return anew::directive::fail(); }
};

using client = anew::strategy<mine>;

int run() { return anew::retry(client{}, ask); }
}  // namespace classifier_without_catches

// section: An error whose is_retry_safe() returns a bool
// expect-error: requires an error that says whether to retry
namespace is_retry_safe_bool {
struct busy {
  bool is_retry_safe() const { return true; }
};

result<busy> send();

int run() { return anew::retry(anew::strategy<>{}, send) ? 0 : 1; }
}  // namespace is_retry_safe_bool

// section: async_retry, and only the core is included
// expect-error: include <anew/asio.hpp>
int missing_asio_include() {
  anew::async_retry(patient{}, [](auto&& token) { return token; }, [](int) {});
}

// section: retry_traits specialised in another namespace
// expect-error: requires an error that says whether to retry
namespace retry_traits_wrong_namespace {
struct busy {};

namespace mine {
template <class E>
struct retry_traits;
template <>
struct retry_traits<busy> {
  static anew::retry_safety is_retry_safe(busy const&) { return anew::retry_safety::yes; }
};
}  // namespace mine

result<busy> send();

int run() { return anew::retry(anew::strategy<>{}, send) ? 0 : 1; }
}  // namespace retry_traits_wrong_namespace
