// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_TESTS_LAWS_COMBINATIONS_BY_TABLE_HPP
#define ANEW_TESTS_LAWS_COMBINATIONS_BY_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <type_traits>

#include <gtest/gtest.h>

#include "anew/anew.hpp"

#include "combinations.hpp"

/// A classifier that knows at run time which combination it is, so that a driver is compiled once for all of them.
namespace laws_combinations_test {

using anew::stop_reason;

template <class E>
concept Value = std::is_same_v<E, reply> || std::is_same_v<E, int> || std::is_same_v<E, anew::grpc::status_code>;
template <class E>
concept Code = std::is_same_v<E, std::error_code> || std::is_same_v<E, boost_code>;

/// The one combination that is asked.
struct by_table {
  using role = anew::roles::classifier;
  using catches =
      anew::catch_list<std::system_error, boost_error, anew::retry_info, std::runtime_error, std::logic_error>;
  combination const* is;

  template <class E>
    requires Value<E> || Code<E>
  [[nodiscard]] directive classify(E const& error) const {
    return said({type_of<E>, &error, nullptr}, asked_as::error);
  }
  [[nodiscard]] directive classify(std::system_error const& error) const { return thrown(error); }
  [[nodiscard]] directive classify(boost_error const& error) const { return thrown(error); }
  [[nodiscard]] directive classify(anew::retry_info const& error) const {
    return thrown(dynamic_cast<busy const&>(error));
  }
  [[nodiscard]] directive classify(std::runtime_error const& error) const { return thrown(error); }
  [[nodiscard]] directive classify(std::logic_error const& error) const { return thrown(error); }
  template <Value R>
  [[nodiscard]] directive classify_result(R const& result) const {
    return said({type_of<R>, &result, nullptr}, asked_as::result);
  }

 private:
  template <class E>
  [[nodiscard]] directive thrown(E const& error) const {
    return said({type_of<E>, &error, [](void const* object) { throw *static_cast<E const*>(object); }},
                asked_as::error);
  }
  [[nodiscard]] directive said(outcome const& about, asked_as how) const {
    return is->ask(about, how).value_or(directive::no_opinion());
  }
};

/// How a call ended.
struct ending {
  stop_reason reason{};
  std::uint32_t attempts = 0;
};
struct remembers {
  using role = anew::roles::observer;
  ending* end;
  void on_end(anew::end_event const& e) const { *end = {e.reason, e.attempts}; }
};
inline auto strategy_of(combination const& one, ending& end) {
  return anew::compose(by_table{&one}, anew::no_backoff{}, anew::no_jitter{}, anew::max_attempts<2>{}, remembers{&end});
}

template <class E>
struct failed {
  using result_type = failed;
  E const* what;
  [[nodiscard]] bool has_value() const { return false; }
  [[nodiscard]] E const& error() const { return *what; }
  static failed of(outcome const& about) { return {static_cast<E const*>(about.object)}; }
};
inline bool is_exception(outcome const& about) {
  return about.type >= type_of<std::system_error> && about.type < type_of<reply>;
}

/// The ending that the verdict means, of an outcome that cannot be a success unless the classifier says so.
inline bool is_right(ending const& end, std::optional<directive> const& verdict, bool is_thrown) {
  if (verdict && verdict->is_retry()) return end.attempts == 2 && end.reason == stop_reason::attempts;
  if (verdict && verdict->is_success() && !is_thrown) return end.attempts == 1 && end.reason == stop_reason::succeeded;
  return end.attempts == 1 && (end.reason == stop_reason::not_retryable || end.reason == stop_reason::unclassified);
}

struct tally {
  std::size_t calls = 0;
  std::size_t wrong = 0;
};

template <class Driver, class How>
void ask_one(tally& count, char const* driver, combination const& one, outcome const& about, asked_as how) {
  ending end;
  auto const strategy = strategy_of(one, end);
  try {
    Driver::template call<How>(strategy, about);
  } catch (std::exception const& /*left*/) {
    EXPECT_TRUE(is_exception(about)) << driver;
  }
  ++count.calls;
  auto const verdict = one.ask(about, how);
  if (is_right(end, verdict, is_exception(about)) || ++count.wrong > 10) return;
  ADD_FAILURE() << driver << ", " << one.name << ", outcome of type " << about.type
                << (how == asked_as::error ? " as an error: " : " as a result: ") << end.attempts << " attempts, "
                << to_string(end.reason) << ", with the verdict "
                << (!verdict                ? "nothing"
                    : verdict->is_retry()   ? "retry"
                    : verdict->is_success() ? "success"
                                            : "final");
}

}  // namespace laws_combinations_test

#endif
