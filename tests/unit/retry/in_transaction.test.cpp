// SPDX-License-Identifier: BSL-1.0
// A transaction is repeated as a whole: which parts run, what a failure of each means, and what the call returns.
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/in_transaction.hpp"
#include "anew/machine.hpp"
#include "anew/virtual.hpp"

namespace retry_in_transaction_test {
namespace {

using anew::retry_safety, anew::stop_reason;

struct broke {
  char part;
  retry_safety safety;
  [[nodiscard]] retry_safety is_retry_safe() const noexcept { return safety; }
};
/// What a part returns.
struct answer {
  broke failed{' ', retry_safety::no};
  [[nodiscard]] bool has_value() const noexcept { return failed.part == ' '; }
  [[nodiscard]] broke const& error() const noexcept { return failed; }
};
struct thrown : std::runtime_error, anew::retry_info {
  explicit thrown(broke what) : std::runtime_error{std::string(1, what.part)}, failed{what} {}
  [[nodiscard]] retry_safety is_retry_safe() const override { return failed.safety; }
  broke failed;
};

/// One letter for each part that ran: b, w (the body works), c, r. `script` says of each in its turn: '.' it succeeds,
/// 'm' it fails and may have taken effect, 'y' it fails and is safe to repeat, 'n' it fails for good.
struct database {
  std::string script;
  std::string told{};
  answer step(char part) {
    char const how = told.size() < script.size() ? script[told.size()] : '.';
    told += part;
    if (how == '.') return {};
    return {{part, how == 'm' ? retry_safety::maybe : how == 'y' ? retry_safety::yes : retry_safety::no}};
  }
  void step_or_throw(char part) {
    if (auto const done = step(part); !done.has_value()) throw thrown{done.failed};
  }
};

auto returning(database& db) {
  return anew::in_transaction([&] { return db.step('b'); }, [&](anew::attempt&) { return db.step('w'); },
                              [&] { return db.step('c'); }, [&] { return db.step('r'); });
}
auto throwing(database& db) {
  return anew::in_transaction([&] { db.step_or_throw('b'); }, [&] { db.step_or_throw('w'); },
                              [&](anew::attempt&) { db.step_or_throw('c'); }, [&] { db.step_or_throw('r'); });
}

struct story {
  char const* script;
  char const* told;
  stop_reason reason;
  char failed;              ///< the part whose failure the call ends with
  bool idempotent = false;  ///< declared so
};
story const stories[]{
    {"...", "bwc", stop_reason::succeeded, ' '},
    // Before the commit nothing took effect, whatever the error says.
    {"m...", "bbwc", stop_reason::succeeded, ' '},
    {".m....", "bwrbwc", stop_reason::succeeded, ' '},
    {".y....", "bwrbwc", stop_reason::succeeded, ' '},
    {"mmm", "bbb", stop_reason::attempts, 'b'},
    {"n", "b", stop_reason::not_retryable, 'b'},
    {".n.", "bwr", stop_reason::not_retryable, 'w'},
    // A commit may have taken effect, unless its error says more.
    {"..m.", "bwcr", stop_reason::not_idempotent, 'c'},
    {"..y....", "bwcrbwc", stop_reason::succeeded, ' '},
    {"..m....", "bwcrbwc", stop_reason::succeeded, ' ', true},
    {"..n.", "bwcr", stop_reason::not_retryable, 'c'},
    // A later attempt is judged by itself.
    {".m.m..m.", "bwrbbwcr", stop_reason::not_idempotent, 'c'},
    {"..y.m...", "bwcrbbwc", stop_reason::succeeded, ' '},
    // A rollback that fails hides nothing.
    {".mm...", "bwrbwc", stop_reason::succeeded, ' '},
    {".nm", "bwr", stop_reason::not_retryable, 'w'},
    {"..mn", "bwcr", stop_reason::not_idempotent, 'c'},
};

using three = anew::strategy<anew::no_backoff, anew::max_attempts<3>>;

/// What each driver makes of a story: the reason, and the part of the error that the call ends with.
using ending = std::pair<stop_reason, char>;
ending by_blocking(auto const& strategy, auto&& operation) {
  auto const outcome = anew::retry_outcome(strategy, operation);
  return {outcome.reason(), outcome.result().failed.part};
}
template <class Op>
ending by_engine(Op&& operation) {
  three const strategy{};
  anew::call_engine<three, Op&> call{strategy, operation};
  answer last;
  for (auto step = call.begin(); step != anew::next_step::finished;) {
    step = step == anew::next_step::wait ? call.on_wait_over() : call.on_outcome(last = call.start());
  }
  return {call.reason(), last.failed.part};
}

void tell_all(auto make, auto play) {
  for (auto const& s : stories) {
    database db{s.script};
    auto const got = s.idempotent ? play(anew::idempotent(make(db))) : play(make(db));
    EXPECT_EQ(db.told, s.told) << s.script;
    EXPECT_EQ(got.first, s.reason) << s.script << ": " << to_string(got.first);
    EXPECT_EQ(got.second, s.failed) << s.script;
  }
}

TEST(InTransaction, RepeatsTheWholeTransaction) {
  tell_all(returning, [](auto&& operation) { return by_blocking(three{}, operation); });
}
TEST(InTransaction, BehindTheVirtualInterface) {
  anew::virtual_strategy const behind{three{}};
  anew::strategy_view const strategy{behind};
  tell_all(returning, [&](auto&& operation) { return by_blocking(strategy, operation); });
}
TEST(InTransaction, InALoopOfYourOwn) {
  tell_all(returning, [](auto&& operation) { return by_engine(operation); });
}
TEST(InTransaction, InsideAnotherDeclaration) {
  int rewinds = 0;
  tell_all(returning, [&](auto&& operation) {
    return by_blocking(three{}, anew::rewinding(std::move(operation), [&] { ++rewinds; }));
  });
  EXPECT_EQ(rewinds, 12);
}
TEST(InTransaction, PartsThatThrow) {
  tell_all(throwing, [](auto&& operation) -> ending {
    auto const outcome = anew::retry_outcome(three{}, operation);
    try {
      (void)outcome.result();
    } catch (thrown const& error) {
      return {outcome.reason(), error.failed.part};
    }
    return {outcome.reason(), ' '};
  });
}

/// A result whose shape says nothing of a failure, read by a classifier that does.
struct row {
  int value;
};
struct says_again {
  bool operator()(row const& r) const noexcept { return r.value == 0; }
};

TEST(InTransaction, ACommittedTransactionIsNotRepeatedForItsValue) {
  database db{""};
  auto const body = [&] { return db.step('w'), row{0}; };
  auto const nothing = [] {};
  anew::strategy<anew::no_backoff, anew::retry_if<says_again>> const strategy{};
  EXPECT_EQ(anew::retry_outcome(strategy, anew::in_transaction(nothing, body, nothing, nothing)).reason(),
            stop_reason::not_idempotent);
  EXPECT_EQ(db.told, "w");
  EXPECT_EQ(anew::retry_outcome(strategy, anew::in_transaction(nothing, nothing, body, nothing)).reason(),
            stop_reason::not_idempotent);
  EXPECT_EQ(
      anew::retry_outcome(strategy, anew::in_transaction(nothing, anew::idempotent(body), nothing, nothing)).reason(),
      stop_reason::attempts);
}

struct owner {
  std::unique_ptr<int> number;
};
TEST(InTransaction, ReturnsWhatTheBodyReturnedOrElseTheCommit) {
  auto const nothing = [] {};
  auto const body = [] { return owner{std::make_unique<int>(7)}; };
  EXPECT_EQ(*anew::retry(three{}, anew::in_transaction(nothing, body, nothing, nothing)).number, 7);
  auto const commits = [] { return answer{{'c', retry_safety::no}}; };
  EXPECT_EQ(anew::retry(three{}, anew::in_transaction(nothing, nothing, commits, nothing)).failed.part, 'c');
  auto const count = anew::throws_only([] { return -1; });
  EXPECT_EQ(anew::retry(three{}, anew::in_transaction(nothing, count, nothing, nothing)), -1);
  answer const kept{{'b', retry_safety::no}};
  auto const refers = [&kept]() -> answer const& { return kept; };  // the failure of a commit is no object to refer to
  static_assert(std::is_same_v<decltype(anew::in_transaction(nothing, refers, nothing, nothing))::result_type, answer>);
}

}  // namespace
}  // namespace retry_in_transaction_test
