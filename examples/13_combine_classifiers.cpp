// SPDX-License-Identifier: BSL-1.0
// Several sources of failure, each with its rule; exceptions to a rule; what must not run twice; and the cause inside.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>

#include "anew/anew.hpp"
#include "anew/http.hpp"
#include "anew/policies/classifier/any_of.hpp"
#include "anew/policies/classifier/caused_by.hpp"
#include "anew/policies/classifier/error_code.hpp"
#include "anew/policies/classifier/idempotent_only.hpp"

struct response {
  int code;
  [[nodiscard]] int status() const { return code; }
};

// [any_of]
// A response is read by its status, an exception by its code: each by the classifier that can read it.
using http =
    anew::strategy<anew::no_backoff, anew::any_of<anew::http_status_classifier<>, anew::error_code_classifier>>;
// [/any_of]

// [codes]
using when_slow =
    anew::strategy<anew::no_backoff, anew::retry_on_codes<std::errc::timed_out, std::errc::connection_reset>>;
// [/codes]

// [first_of]
// The special rule stands before the general one.
struct is_disk_full {
  bool operator()(std::system_error const& e) const { return e.code() == std::errc::no_space_on_device; }
};
using all_but_disk_full =
    anew::strategy<anew::no_backoff, anew::first_of<anew::not_<anew::retry_if<is_disk_full>>, anew::retry_all>>;
// [/first_of]

// [logic_error]
// A programmer's error is final, unless a classifier names it.
using usual = anew::strategy<anew::no_backoff, anew::retry_all>;
using stubborn = anew::strategy<anew::no_backoff, anew::first_of<anew::retry_on<std::logic_error>, anew::retry_all>>;
// [/logic_error]

// [idempotent_only]
// Any error may pass, but what may have been executed runs again only where that is declared to do no harm.
using careful = anew::strategy<anew::no_backoff, anew::idempotent_only<anew::retry_on<std::system_error>>>;
// [/idempotent_only]

// [caused_by]
using looks_inside = anew::strategy<anew::no_backoff, anew::caused_by<anew::error_code_classifier>>;

void load() {
  try {
    throw std::system_error{make_error_code(std::errc::connection_refused)};
  } catch (...) {
    std::throw_with_nested(std::runtime_error{"could not load the settings"});
  }
}
// [/caused_by]

// [body]
// An answer of 200 may hold an error. All other answers are read by their status.
struct answer {
  int status;
  std::string body;
};
struct holds_an_error {
  bool operator()(answer const& a) const { return a.body.starts_with("<Error>"); }
};
using store =
    anew::with<anew::http::standard,
               anew::first_of<anew::idempotent_only<anew::retry_if<holds_an_error>>, anew::http::classifier<>>>;
// [/body]

[[noreturn]] void fail(std::errc code) { throw std::system_error{make_error_code(code)}; }

// Runs an operation whose every attempt fails in the same way, and says how often it was called and why no more.
template <class Strategy, class Op>
void show(char const* what, Strategy const& strategy, Op operation) {
  auto const no_sleep = [](anew::duration) {};
  auto const outcome = anew::retry_outcome(strategy, operation, no_sleep);
  std::printf("%-44s %u attempt%s (%s)\n", what, outcome.attempts(), outcome.attempts() == 1 ? "" : "s",
              to_string(outcome.reason()));
}

int main() {
  show("any_of: 503", http{}, [] { return response{503}; });
  show("any_of: 404", http{}, [] { return response{404}; });
  show("any_of: connection refused", http{}, []() -> response { fail(std::errc::connection_refused); });
  show("any_of: connection reset", http{}, []() -> response { fail(std::errc::connection_reset); });
  show("any_of: connection reset, idempotent", http{},
       anew::idempotent([]() -> response { fail(std::errc::connection_reset); }));

  show("retry_on_codes: timed out", when_slow{}, [] { return make_error_code(std::errc::timed_out); });
  show("retry_on_codes: connection refused", when_slow{},
       [] { return make_error_code(std::errc::connection_refused); });

  show("all but disk full: timed out", all_but_disk_full{}, [] { fail(std::errc::timed_out); });
  show("all but disk full: disk full", all_but_disk_full{}, [] { fail(std::errc::no_space_on_device); });

  show("retry_all: out of range", usual{}, [] { static_cast<void>(std::string{}.at(1)); });
  show("first_of logic_error: out of range", stubborn{}, [] { static_cast<void>(std::string{}.at(1)); });

  show("idempotent_only: connection refused", careful{}, [] { fail(std::errc::connection_refused); });
  show("idempotent_only: broken pipe", careful{}, [] { fail(std::errc::broken_pipe); });
  show("idempotent_only: broken pipe, idempotent", careful{}, anew::idempotent([] { fail(std::errc::broken_pipe); }));

  show("caused_by: connection refused inside", looks_inside{}, load);

  auto const broken = [] { return answer{200, "<Error>SlowDown</Error>"}; };
  show("an error in a 200, idempotent", store{}, anew::idempotent(broken));
  show("an error in a 200", store{}, broken);
  show("503 beside such a rule", store{}, [] { return answer{503, ""}; });
  show("404 beside such a rule", store{}, [] { return answer{404, ""}; });

  // [state]
  // Rules that are known at run time: a classifier holds those that it is made of.
  auto const few = [enough = 3](int found) { return found < enough; };
  auto const strategy =
      anew::compose(anew::no_backoff{}, anew::any_of{anew::retry_while{few}, anew::error_code_classifier{}});
  // [/state]
  int calls = 0;
  std::printf("any_of with state: %d\n", anew::retry(strategy, [&calls] { return ++calls; }));
  std::printf("%s\n", strategy.classifier().describe().c_str());
}
