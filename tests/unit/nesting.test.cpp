// SPDX-License-Identifier: BSL-1.0
// Three layers, each in a thread of its own, make three attempts each: with guards and the field 3 calls arrive, not 27.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "anew/anew.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/policies/nesting/nesting_guard.hpp"
#include "anew/policies/nesting/retries_above.hpp"
#include "anew/policies/quota/token_bucket.hpp"
#include "anew/run_time/choice.hpp"
#include "anew/strategy/adjusted.hpp"

#include "driver_support.hpp"
#include "names.hpp"
#include "recording_quota.hpp"

namespace nesting_test {
namespace {

using namespace anew;
using support::recording_quota;

using share = nesting_guard<when_nested::share_quota>;
using book = std::vector<std::string>;

auto three(auto... policies) { return compose(no_backoff{}, retry_all{}, max_attempts<3>{}, std::move(policies)...); }
auto const guarded = three(nesting_guard<>{});

/// How a call that fails ends, and after how many attempts.
auto end_of(auto const& strategy) {
  auto const outcome = retry_outcome(strategy, [] { return false; }, no_sleep);
  return std::pair{outcome.reason(), outcome.attempts()};
}

struct counted {
  int calls = 0;
  int good = 1'000'000;
  bool operator()() { return ++calls >= good; }
};

/// How often the request of a call that calls is made.
int calls_of(counted request, auto const& outer, auto const&... inner) {
  auto const call = [&request](auto const& self, auto const& strategy, auto const&... below) -> bool {
    if constexpr (sizeof...(below) == 0) {
      return retry(strategy, request, no_sleep);
    } else {
      return retry(strategy, [&] { return self(self, below...); }, no_sleep);
    }
  };
  EXPECT_EQ(call(call, outer, inner...), request.good < 1'000);
  EXPECT_FALSE(nesting_guard<>::is_nested());
  return request.calls;
}

TEST(NestingGuard, WhoeverHasOneInsideOfOneMakesOneAttempt) {
  auto const plain = three();
  auto const same = three(nesting_guard<>{});
  auto const sharing = three(share{});  // an unlimited quota: then only the attempts limit
  EXPECT_EQ(calls_of({}, guarded), 3);
  EXPECT_EQ(calls_of({}, guarded), 3) << "one call after another is not nested";
  EXPECT_EQ(calls_of({}, plain, plain), 9);
  EXPECT_EQ(calls_of({}, plain, guarded), 9);
  EXPECT_EQ(calls_of({}, guarded, plain), 9);
  EXPECT_EQ(calls_of({}, guarded, same), 3);
  EXPECT_EQ(calls_of({.good = 2}, guarded, guarded), 2);
  EXPECT_EQ(calls_of({}, guarded, plain, same), 9) << "a layer between does not hide the outer one";
  EXPECT_EQ(calls_of({}, guarded, guarded, guarded), 3);
  EXPECT_EQ(calls_of({}, sharing, sharing), 9);
  auto const spent = three(share{}, token_bucket{28});  // two retries
  auto const rich = three(share{}, token_bucket<500>{});
  EXPECT_EQ(calls_of({}, spent, rich, rich), 3);
  EXPECT_EQ(spent.quota().balance(), 0U);
  EXPECT_EQ(rich.quota().balance(), 500U);
}

TEST(NestingGuard, WhoseQuotaPays) {
  recording_quota const outers;
  recording_quota const inners;
  auto const outer = three(share{}, recording_quota{outers});
  auto const inner = three(share{}, recording_quota{inners});
  EXPECT_EQ(calls_of({.good = 3}, outer, inner), 3);
  book all{"acquire 1", "failure 1", "acquire 2", "success 2", "success 0"};
  EXPECT_EQ(outers.book(), all);
  EXPECT_EQ(inners.book(), book{});
  EXPECT_EQ(calls_of({.good = 1}, outer, inner), 1);
  all.push_back("success 0");
  EXPECT_EQ(outers.book(), all);
  EXPECT_EQ(inners.book(), book{"success 0"}) << "a success without a retry is told to its own quota";
  EXPECT_EQ(calls_of({.good = 2}, inner), 2);
  EXPECT_EQ(inners.book(), (book{"success 0", "acquire 1", "success 1"})) << "not nested, its own quota pays";
  EXPECT_EQ(calls_of({.good = 2}, three(nesting_guard<>{}, recording_quota{outers}), three(share{})), 2);
  all.insert(all.end(), {"acquire 3", "success 3", "success 0"});
  EXPECT_EQ(outers.book(), all) << "one that shares inside of one that does not";
  outers.refuse();
  auto const outcome = retry_outcome(
      outer,
      [&] {
        auto const nested = retry_outcome(inner, counted{}, no_sleep);
        EXPECT_EQ(nested.reason(), stop_reason::quota);
        return nested.succeeded();
      },
      no_sleep);
  EXPECT_EQ(outcome.reason(), stop_reason::quota);
}

TEST(NestingGuard, ASleeperIsNotInsideTheAttempt) {
  std::vector<bool> seen;
  (void)retry(
      guarded, [&] { return seen.push_back(nesting_guard<>::is_nested()), false; },
      [&](duration) { seen.push_back(nesting_guard<>::is_nested()); });
  EXPECT_EQ(seen, (std::vector<bool>{true, false, true, false, true}));
}

TEST(NestingGuard, AThreadStartedInsideIsNotNested) {
  counted request;
  (void)retry(
      guarded,
      [&] {
        std::thread other{[&] {
          EXPECT_FALSE(nesting_guard<>::is_nested());
          (void)retry(guarded, request, no_sleep);
        }};
        other.join();
        EXPECT_TRUE(nesting_guard<>::is_nested());
        return true;
      },
      no_sleep);
  EXPECT_EQ(request.calls, 3);
}

// A quota whose permit is neither a number nor without a value of its own.
struct pair_permit {
  std::uint16_t which = 0;
  float weight = 0;
  friend bool operator==(pair_permit const&, pair_permit const&) = default;
};
template <class Permit>
struct grants {
  using role = roles::quota;
  using permit_type = Permit;
  Permit permit;
  std::vector<Permit>* released;
  [[nodiscard]] std::optional<Permit> try_acquire(failure const&) const { return permit; }
  void on_success(Permit const&) const {}
  void release(Permit const& given) const { released->push_back(given); }
};

TEST(NestingGuard, APermitOfTheUsersOwnComesBackAsItWas) {
  std::vector<pair_permit> released;
  auto const outer = three(share{}, grants<pair_permit>{{7, 1.5F}, &released});
  auto const inner = three(share{});
  (void)retry(
      outer,
      [&] {
        auto token = inner.acquire_initial_token();
        auto next = inner.refresh_retry_token(std::move(token), failure{});
        EXPECT_TRUE(next.has_value());
        return true;  // the retry is never made
      },
      no_sleep);
  EXPECT_EQ(released, (std::vector<pair_permit>{{7, 1.5F}}));
}

TEST(NestingGuard, ALentQuotaHearsTheFailureAsItWas) {
  for (auto const& told : {failure{error_kind::throttling, retry_safety::no, 3s}, failure{error_kind::timeout}}) {
    EXPECT_EQ(detail::as_heard(detail::as_told(told)), told);
  }
}

// The outer guard collapses, and its quota is one that cannot be lent: the inner one's retries are refused.
TEST(NestingGuard, AQuotaThatCannotBeLentLendsNothing) {
  using heavy = std::array<std::uint64_t, 2>;
  auto const outer = three(nesting_guard<>{}, grants<heavy>{{1, 1}, nullptr});
  auto const inner = three(share{});
  counted request;
  (void)retry(
      outer,
      [&] {
        auto const nested = retry_outcome(inner, request, no_sleep);
        EXPECT_EQ(nested.reason(), stop_reason::quota);
        return true;
      },
      no_sleep);
  EXPECT_EQ(request.calls, 1);
}

TEST(NestingGuard, DescribesAndHasNoSize) {
  EXPECT_EQ(nesting_guard<>::describe(), "nesting_guard(collapse)");
  EXPECT_EQ(share::describe(), "nesting_guard(share_quota)");
  static_assert(sizeof(anew::strategy<nesting_guard<>>) == 1);
  static_assert(sizeof(anew::strategy<nesting_guard<>>::token_type) == sizeof(anew::strategy<>::token_type));
  static_assert(!std::is_move_constructible_v<detail::nesting_scope>);
}

#if ANEW_EXCEPTIONS
TEST(NestingGuard, AnExceptionEndsTheFrame) {
  auto const outer = three(share{}, token_bucket<500>{});
  auto const inner = three(share{});
  int calls = 0;
  auto const throws = [&] { throw ++calls; };
  auto const call = [&] { return retry(inner, throws, no_sleep); };
  EXPECT_THROW((void)retry(outer, call, no_sleep), int);
  EXPECT_FALSE(share::is_nested());
  EXPECT_GT(calls, 3);
  calls = 0;
  EXPECT_THROW((void)retry(inner, throws, no_sleep), int);
  EXPECT_EQ(calls, 3);
}
#endif

TEST(RetriesAbove, IsNestedWhereTheFieldIs) {
  EXPECT_FALSE(retries_above{}.is_nested() || retries_above::read(std::nullopt).is_nested());
  EXPECT_TRUE(retries_above::read(std::optional<std::string>{"0"}).is_nested());
  EXPECT_EQ(retries_above::read("0"), retries_above{0});
  EXPECT_EQ(retries_above::read("7").retries(), 7U);
}

// Boost.Beast's `request["..."]`, `std::map`'s `operator[]` and many clients return an empty text for an absent field.
TEST(RetriesAbove, IsNotNestedWhereTheValueIsEmpty) {
  std::map<std::string, std::string> fields;
  EXPECT_FALSE(retries_above::read(fields["anew-retries-above"]).is_nested());
  EXPECT_FALSE(retries_above::read(std::string_view{}).is_nested());
  EXPECT_FALSE(retries_above::read(std::optional<std::string>{""}).is_nested());
  for (char const* const blank : {"", " ", "\t", " \t \t"}) {
    EXPECT_EQ(retries_above::read(blank), retries_above{}) << '"' << blank << '"';
    EXPECT_EQ(retries_above::read(std::string{blank}), retries_above{}) << '"' << blank << '"';
  }
  EXPECT_EQ(retries_above::read(std::string(100'000, ' ')), retries_above{});
}

TEST(RetriesAbove, IsNotNestedWhereThePointerIsNull) {
  char const* const absent = nullptr;
  EXPECT_EQ(retries_above::read(absent), retries_above{});
  EXPECT_EQ(retries_above::read(std::getenv("ANEW_NO_SUCH_VARIABLE")), retries_above{});  // NOLINT(concurrency-*)
  EXPECT_EQ(retries_above::read(nullptr), retries_above{});
  EXPECT_EQ(retries_above::read({}), retries_above{});
  std::array<char, 3> text{'1', '2', '\0'};
  EXPECT_EQ(retries_above::read(text.data()), retries_above{12});
  static_assert(retries_above::read(static_cast<char const*>(nullptr)) == retries_above{});
}

TEST(RetriesAbove, ReadsWhateverStandsThere) {
  using row = std::pair<std::string, std::uint32_t>;
  for (auto const& [value, retries] :
       {row{" 12\t", 12}, row{"007", 7}, row{"4294967295", 4'294'967'295}, row{"4294967296", 4'294'967'295},
        row{"18446744073709551617", 4'294'967'295}, row{std::string(100'000, '9'), 4'294'967'295},
        row{std::string(100'000, '0') + "3", 3},
        // What is no number is none, and of a list the largest counts.
        row{"-1", 0}, row{"+1", 0}, row{"1.5", 0}, row{"0x10", 0}, row{"1 2", 0}, row{"yes", 0},
        row{std::string("1\0", 2), 0}, row{"\xff\xfe", 0}, row{"1, 2", 2}, row{"5,x,-9,3", 5}, row{",", 0},
        row{",,4", 4}, row{std::string(10'000, ','), 0}}) {
    auto const above = retries_above::read(value);
    EXPECT_TRUE(above.is_nested()) << value;
    EXPECT_EQ(above.retries(), retries) << value.substr(0, 40);
    EXPECT_EQ(retries_above::read(above.value()), above);
  }
}

TEST(RetriesAbove, WritesTheRetriesOfTheCallAndThoseAbove) {
  std::vector<std::string> sent;
  auto const send = [&sent](retries_above above) {
    return [&sent, above](anew::attempt& attempt) { return sent.push_back(above.below(attempt).value()), false; };
  };
  (void)retry(three(), send(retries_above{}), no_sleep);
  (void)retry(three(), send(retries_above{40}), no_sleep);
  (void)retry(three(), send(retries_above{4'294'967'294}), no_sleep);
  EXPECT_EQ(sent, (book{"0", "1", "2", "40", "41", "42", "4294967294", "4294967295", "4294967295"}));
}

// Read and written in constant expressions too.
static_assert(retries_above::read(" 3 , 12").retries() == 12);
static_assert(noexcept(retries_above::read(std::nullopt)));
static_assert(retries_above_field == "anew-retries-above");

TEST(NestingScope, MakesTheGuardedCallsOfAThreadNested) {
  {
    nesting_scope const scope{retries_above{2}};
    EXPECT_EQ(end_of(guarded), (std::pair{stop_reason::nested, 1U}));
    EXPECT_EQ(nesting_scope::current(), retries_above{2});
    std::thread{[] { EXPECT_EQ(nesting_scope::current(), retries_above{}); }}.join();
  }
  EXPECT_EQ(nesting_scope::current(), retries_above{});
  nesting_scope const scope{retries_above{}};
  EXPECT_EQ(end_of(guarded), (std::pair{stop_reason::attempts, 3U}));
}

TEST(NestingScope, ScopesInScopesGiveBackWhatWasAroundThem) {
  nesting_scope const outer{retries_above{2}};
  {
    nesting_scope const inner{retries_above{9}};
    EXPECT_EQ(nesting_scope::current(), retries_above{9});
    nesting_scope const none{retries_above{}};
    EXPECT_EQ(nesting_scope::current(), retries_above{9});
  }
  EXPECT_EQ(nesting_scope::current(), retries_above{2});
}

TEST(NestingScope, AnAttemptOfAGuardedCallTellsItsRequests) {
  std::vector<std::uint32_t> told;
  auto const request = [&told](anew::attempt& attempt) {
    EXPECT_TRUE(nesting_scope::current().is_nested());
    told.push_back(nesting_scope::current().below(attempt).retries());
    return false;
  };
  (void)retry(guarded, request, no_sleep);
  nesting_scope const scope{retries_above{5}};
  (void)retry(guarded, request, no_sleep);
  EXPECT_EQ(told, (std::vector<std::uint32_t>{0, 1, 2, 5}));
}

TEST(NestingScope, NoQuotaPaysForACallerInAnotherProcess) {
  auto const strategy = three(nesting_guard<when_nested::share_quota>{}, token_bucket<500>{});
  nesting_scope const scope{retries_above{0}};
  EXPECT_EQ(end_of(strategy), (std::pair{stop_reason::quota, 1U}));
  EXPECT_EQ(strategy.quota().balance(), 500U);
}

TEST(NestedIn, MakesOneAttemptInEveryDriver) {
  auto const usual = three(token_bucket<500>{});
  auto const nested = adjusted(usual, nested_in{retries_above{1}});
  EXPECT_EQ(end_of(nested), (std::pair{stop_reason::nested, 1U}));
  EXPECT_EQ(usual.quota().balance(), 500U);

  retry_machine machine{nested};
  EXPECT_EQ(machine.begin(), next_step::attempt);
  EXPECT_EQ(machine.on_outcome(false), next_step::finished);
  EXPECT_EQ(machine.reason(), stop_reason::nested);

  EXPECT_EQ(end_of(adjusted(usual, nested_in{})), (std::pair{stop_reason::attempts, 3U}));
  EXPECT_EQ(usual.quota().balance(), 472U);
}

TEST(NestedIn, ASuccessIsReportedToTheQuota) {
  auto const usual = three(token_bucket<500>{});
  auto const permit = usual.quota().try_acquire({});
  ASSERT_TRUE(permit.has_value());
  EXPECT_TRUE(retry(adjusted(usual, nested_in{retries_above{1}}), [] { return true; }, no_sleep));
  EXPECT_EQ(usual.quota().balance(), 487U);
}

TEST(NestedIn, SaysWhatItWasTold) {
  EXPECT_EQ(nested_in{retries_above{4}}.above(), retries_above{4});
  EXPECT_EQ(nested_in{}.above(), retries_above{});
  EXPECT_EQ(nested_in{}.describe(), "nested_in");
  EXPECT_EQ(nested_in{retries_above{4}}.describe(), "nested_in(retries_above)");
}

TEST(NestedIn, ABlockingCallInItsAttemptIsNested) {
  auto const outer = three(nested_in{});
  int calls = 0;
  (void)retry(outer, [&] { return retry(guarded, [&calls] { return ++calls == 0; }, no_sleep); }, no_sleep);
  EXPECT_EQ(calls, 3);
}

TEST(NestedIn, CanBeChosen) {
  using chosen = choice<roles::nesting, nesting_guard<>, nested_in>;
  EXPECT_EQ(end_of(three(chosen{nested_in{retries_above{0}}})).first, stop_reason::nested);
}

// Over services: each has a thread of its own, and of the layer above it only the field of a request.

using field = std::optional<std::string>;
using service = std::function<bool(field const&)>;

/// The calls that arrive at a service which fails, below three layers. `layer` answers a request by asking the service
/// below it.
int calls_at_the_end(std::function<bool(service const& below, field const& above)> const& layer) {
  int calls = 0;
  service const failing = [&calls](field const&) { return ++calls == 0; };
  auto const above = [&layer](service const& below) {
    return service{[&layer, below](field const& request) {
      bool answer = true;
      std::thread{[&] { answer = layer(below, request); }}.join();
      return answer;
    }};
  };
  EXPECT_FALSE(above(above(above(failing)))(std::nullopt));  // the first layer serves nobody
  return calls;
}

TEST(RetriesAboveOverServices, WithoutTheFieldRetriesMultiply) {
  EXPECT_EQ(calls_at_the_end([&](service const& below, field const& /*above*/) {
              return retry(guarded, [&] { return below(std::nullopt); }, no_sleep);
            }),
            27);
}

TEST(RetriesAboveOverServices, TheOutermostLayerAloneRetries) {
  EXPECT_EQ(calls_at_the_end([&](service const& below, field const& above) {
              nesting_scope const scope{retries_above::read(above)};
              return retry(
                  guarded,
                  [&](anew::attempt& attempt) { return below(nesting_scope::current().below(attempt).value()); },
                  no_sleep);
            }),
            3);
}

}  // namespace
}  // namespace nesting_test
