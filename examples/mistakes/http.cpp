// SPDX-License-Identifier: BSL-1.0
// chapter: HTTP

#include <chrono>
#include <stdexcept>
#include <string>

#include "anew/anew.hpp"
#include "anew/http.hpp"

// section: A class of statuses
// Write `anew::http::any_5xx` for a class of statuses.
// expect-error: anew::http_status_classifier<Statuses...> requires statuses from 100 to 599, or a class of them
namespace http_class_of_one_digit {
#ifdef ANEW_REJECT  // wrong
using server_errors = anew::strategy<anew::http_status_classifier<429, 5>>;
#else  // right
using server_errors = anew::strategy<anew::http_status_classifier<429, anew::http::any_5xx>>;
#endif

int run() {
  return anew::retry(server_errors{}, [] { return 200; }) == 200 ? 0 : 1;
}
}  // namespace http_class_of_one_digit

// section: A pause without a unit
// A plain number may count seconds or milliseconds, so the pause would be ignored.
// expect-error: anew::http::classifier requires a 'retry_after' that is a std::chrono duration, a std::optional of
namespace http_retry_after_is_a_number {
struct response {
  int status = 200;
#ifdef ANEW_REJECT  // wrong
  int retry_after = 0;
#else  // right
  std::chrono::seconds retry_after{};
#endif
};

int run() {
  anew::http::standard const strategy{};
  return anew::retry(strategy, [] { return response{}; }).status == 200 ? 0 : 1;
}
}  // namespace http_retry_after_is_a_number

// section: A result without an HTTP status
// `anew::http::standard` would treat every such result as a success. If your operation throws for statuses from 400
// on, name the exceptions.
// expect-error: anew::http::classifier requires a result with an HTTP status
// expect-error: anew::with<anew::http::standard, anew::http::statuses_and<E>>
namespace http_body_without_exceptions {
struct http_error : std::runtime_error {
  using runtime_error::runtime_error;
  int status = 503;
};
std::string body() { return "hello"; }  // throws http_error

#ifdef ANEW_REJECT  // wrong
using for_http = anew::http::standard;
#else  // right
using for_http = anew::with<anew::http::standard, anew::http::statuses_and<http_error>>;
#endif

int run() {
  for_http const strategy{};
  return anew::retry(strategy, body).empty() ? 1 : 0;
}
}  // namespace http_body_without_exceptions

// section: A result without an HTTP status
// The classifier finds the status of a response [by its name](/docs/how_to/retry_http.md#which-types-are-read). A
// status with another name, or in a private member, needs a trait.
// expect-error: anew::http_status_classifier requires a result with an HTTP status
// expect-error: Specialise anew::http_traits<R> with 'static int status(R const&)'
struct reply {
  int number = 200;
};

#ifndef ANEW_REJECT  // right; without it, it is wrong
template <>
struct anew::http_traits<reply> {
  static int status(reply const& r) { return r.number; }
};
#endif

namespace http_result_without_status {
int run() {
  anew::strategy<anew::http_status_classifier<>> const strategy{};
  return anew::retry(strategy, [] { return reply{}; }).number;
}
}  // namespace http_result_without_status

// section: Exceptions in place of statuses
// The first argument classifies statuses; exceptions follow it.
// expect-error: anew::http::classifier<Statuses, Exceptions...> requires a classifier of HTTP statuses as its first
// expect-error: Did you mean anew::http::statuses_and<Exceptions...>?
namespace http_exceptions_before_statuses {
#ifdef ANEW_REJECT  // wrong
using for_http = anew::with<anew::http::standard, anew::http::classifier<std::runtime_error>>;
#else  // right
using for_http = anew::with<anew::http::standard, anew::http::statuses_and<std::runtime_error>>;
#endif

int run() {
  for_http const strategy{};
  return anew::retry(strategy, [] { return 200; }) == 200 ? 0 : 1;
}
}  // namespace http_exceptions_before_statuses
