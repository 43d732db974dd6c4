// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/base/directive.hpp"
#include "anew/base/failure.hpp"
#include "anew/bounds/bounds_of.hpp"
#include "anew/drivers/retry_machine.hpp"
#include "anew/strategy/describe.hpp"
#include "anew/strategy/for_each_policy.hpp"

#include "answer.hpp"
#include "clients.hpp"
#include "json.hpp"
#include "request.hpp"
#include "result.hpp"
#include "scenario.hpp"
#include "support/promises.hpp"

namespace playground {

namespace {

using namespace fleet_simulation;
using machine_type = anew::retry_machine<strategy_type, anew::declared::idempotent>;
constexpr unsigned most_attempts = 200;  // of a call that is shown
constexpr std::size_t bins = 32;

constexpr std::array kinds{anew::error_kind::transient, anew::error_kind::throttling, anew::error_kind::timeout,
                           anew::error_kind::server, anew::error_kind::client};
std::optional<anew::error_kind> kind_named(std::string_view name) {
  for (auto const kind : kinds) {
    if (name == anew::to_string(kind)) return kind;
  }
  return std::nullopt;
}
std::int64_t microseconds(anew::duration of) { return of.count() / 1000; }

void begin(std::int64_t seed) {
  virtual_clock::ticks = 0;
  virtual_random::numbers = anew::generator{static_cast<std::uint64_t>(seed), 3};
}

/// {"ok":false,...}, where in the text and why.
void write_fault(json& to, anew::text_fault const& fault) {
  to.name("ok").value(false);
  to.name("at").value(fault.at);
  to.name("length").value(fault.length);
  to.name("what").value(fault.what);
}

void check(json& to, request const& /*of*/, strategy_type const& strategy) {
  to.name("policies").array([&] {
    anew::for_each_policy(strategy, [&to](std::string_view role, auto const& policy) {
      auto const text = anew::detail::describe_policy(policy);
      if (role == "clock" || role == "random_source" || text.empty()) return;
      to.object([&] {
        to.name("role").value(role);
        to.name("text").value(text);
      });
    });
  });
  to.name("promises").value(promises_in_words(anew::bounds(strategy)));
}

/// The words that a text may have, with an example of each.
template <class... Words>
void write_words(json& to, anew::vocabulary<Words...> /*all*/) {
  auto const write = [&to]<class Word>(std::type_identity<Word> /*which*/) {
    to.object([&to] {
      to.name("role").value(anew::role_name<typename Word::policy_type::role>);
      to.name("name").value(Word::name);
      to.name("written").value(Word::written());
      to.name("example").value(anew::detail::describe_policy(typename Word::example_type{}));
    });
  };
  (write(std::type_identity<Words>{}), ...);
}

/// Calls `wait(retry, delay)` for each wait of a call that fails each time, from retry 0 on.
template <class Wait>
void fail(strategy_type const& strategy, anew::directive const& verdict, std::size_t retries, Wait const& wait) {
  machine_type machine{strategy, anew::idempotent_call};
  auto step = machine.begin();
  for (std::size_t retry = 0; step != anew::next_step::finished && retry != retries;) {
    if (step == anew::next_step::attempt) {
      step = machine.on_verdict(verdict);
    } else {
      wait(retry++, machine.wait());
      virtual_clock::ticks += machine.wait().count();
      step = machine.on_wait_over();
    }
  }
}

/// For each retry, how the delays of some calls are spread. Each call has a quota of its own.
void delays(json& to, request const& of, strategy_type const& /*first*/) {
  auto const text = of.text();
  auto const calls = of.number("calls", 400, 1, 10'000);
  auto const verdict = anew::directive::retry(kind_named(of.word("kind")).value_or(anew::error_kind::transient));
  std::vector<std::vector<std::int64_t>> found(static_cast<std::size_t>(of.number("retries", 8, 1, 20)));
  begin(of.number("seed", 1, 0, 1'000'000));
  for (std::int64_t i = 0; i != calls; ++i) {
    virtual_clock::ticks = 0;
    fail(*read_client(text), verdict, found.size(),
         [&found](std::size_t retry, anew::duration delay) { found[retry].push_back(microseconds(delay)); });
  }
  std::int64_t longest = 1;
  for (auto& one : found) {
    std::sort(one.begin(), one.end());
    if (!one.empty()) longest = std::max(longest, one.back());
  }
  to.name("longest").value(longest);
  to.name("retries").array([&] {
    for (auto const& one : found) {
      if (one.empty()) break;
      to.object([&] {
        to.name("calls").value(one.size());
        to.name("least").value(one.front());
        to.name("p50").value(one[one.size() / 2]);
        to.name("p90").value(one[one.size() * 9 / 10]);
        to.name("most").value(one.back());
        std::array<std::int64_t, bins> counts{};
        for (auto const delay : one) {
          auto const share = static_cast<double>(delay) / static_cast<double>(longest);
          ++counts[std::min(static_cast<std::size_t>(share * bins), bins - 1)];
        }
        to.name("bins").array([&] {
          for (auto const count : counts) to.value(count);
        });
      });
    }
  });
}

/// The answers of a server in turn, "KIND:MS" or "KIND:MS:HINT_MS" with blanks between them; the last goes on for good.
class script {
 public:
  explicit script(std::string_view text) : rest_{text} {}

  struct reply {
    anew::directive verdict = anew::directive::succeed();
    std::string_view kind{"ok"};
    anew::duration takes{};
  };
  [[nodiscard]] reply next() {
    auto const word = rest_.substr(0, rest_.find(' '));
    if (word.size() < rest_.size()) rest_.remove_prefix(word.size() + 1);
    auto const colon = std::min(word.find(':'), word.size());
    reply one;
    one.kind = word.substr(0, colon);
    std::array<std::int64_t, 2> numbers{0, -1};
    auto const* at = word.data() + colon;
    for (auto& number : numbers) {
      if (at == word.data() + word.size()) break;
      at = std::from_chars(at + 1, word.data() + word.size(), number).ptr;
    }
    constexpr std::int64_t most = 3'600'000;
    one.takes = std::chrono::milliseconds{std::clamp(numbers[0], std::int64_t{0}, most)};
    if (auto const kind = kind_named(one.kind)) {
      std::optional<anew::duration> hint;
      if (numbers[1] >= 0) hint = std::chrono::milliseconds{std::min(numbers[1], most)};
      one.verdict = anew::directive::retry(*kind, hint);
    }
    return one;
  }

 private:
  std::string_view rest_;
};

/// One call, from its beginning to its end.
void call(json& to, request const& of, strategy_type const& strategy) {
  script server{of.word("script")};
  begin(of.number("seed", 7, 0, 1'000'000));
  machine_type machine{strategy, anew::idempotent_call};
  auto step = machine.begin();
  unsigned made = 0;
  to.name("spans").array([&] {
    while (step != anew::next_step::finished && made != most_attempts) {
      to.object([&] {
        to.name("from").value(virtual_clock::ticks / 1000);
        if (step == anew::next_step::attempt) {
          auto const reply = server.next();
          ++made;
          to.name("attempt").value(made);
          to.name("got").value(reply.kind);
          virtual_clock::ticks += reply.takes.count();
          step = machine.on_verdict(reply.verdict);
        } else {
          virtual_clock::ticks += machine.wait().count();
          step = machine.on_wait_over();
        }
        to.name("until").value(virtual_clock::ticks / 1000);
      });
    }
  });
  to.name("attempts").value(made);
  to.name("reason").value(step == anew::next_step::finished ? anew::to_string(machine.reason()) : "it goes on");
}

/// A fleet through an outage: what anew-fleet says of it, and its tenths of a second.
void outage(json& to, request const& of, strategy_type const& /*first*/) {
  anew_plan::scenario s;
  auto const per_second = [&of](std::string_view name, std::int64_t otherwise) {
    return static_cast<double>(of.number(name, otherwise, 1, 5'000));
  };
  s.clients = static_cast<std::uint32_t>(of.number("clients", 100, 1, 1'000));
  s.rate = per_second("rate", 700) / s.clients;
  s.capacity = per_second("capacity", 1'000);
  s.remaining = static_cast<double>(of.number("remaining", 10, 0, 100)) / 100;
  s.mode = static_cast<anew_plan::outage_mode>(of.number("mode", 0, 0, 2));
  s.timeout = of.milliseconds("timeout", 1'000);
  s.before = of.milliseconds("before", 5'000);
  s.outage = of.milliseconds("outage", 10'000);
  s.after = of.milliseconds("after", 45'000);
  s.seed = static_cast<std::uint64_t>(of.number("seed", 1, 0, 1'000'000));
  world w = s;
  w.most_events = 4'000'000;
  begin(1);
  auto const found = simulate(of.text(), w);
  auto const told = anew_fleet::result_of(found, w, {"before", "outage", "after"});
  constexpr std::array ends{"recovered", "failing", "too short", "collapsed"};
  to.name("end").value(ends[static_cast<std::size_t>(told.end)]);
  to.name("recovery").parts(told.recovery.value_or(-1), 1e6);
  to.name("events").value(told.events);
  to.name("phases").array([&] {
    for (auto const& row : told.rows) {
      to.object([&] {
        to.name("name").value(row.name);
        to.name("calls").parts(row.calls, 1);
        to.name("attempts").parts(row.attempts, 1);
        to.name("good").parts(row.good, 1);
        to.name("failed").parts(row.failed, 1);
        to.name("p50").parts(row.p50, 1e6);
        to.name("p99").parts(row.p99, 1e6);
      });
    }
  });
  for (auto const& of_tenth :
       {std::pair{"calls", &tenth::calls}, {"attempts", &tenth::attempts}, {"succeeded", &tenth::succeeded}}) {
    to.name(of_tenth.first).array([&] {
      for (auto const& one : found.times.tenths()) to.value(one.*of_tenth.second);
    });
  }
}

struct question {
  std::string_view name;
  void (*write)(json&, request const&, strategy_type const&);
};
constexpr std::array questions{question{"check", &check}, question{"delays", &delays}, question{"call", &call},
                               question{"fleet", &outage}};

}  // namespace

std::string answer(std::string_view asked) {
  request const of{asked};
  json to;
  to.object([&] {
    if (of.what() == "words") return to.name("words").array([&to] { write_words(to, vocabulary{}); });
    begin(1);
    auto const reading = read_client(of.text());
    if (!reading) return write_fault(to, reading.error());
    to.name("ok").value(true);
    for (auto const& one : questions) {
      if (one.name == of.what()) one.write(to, of, *reading);
    }
  });
  return std::move(to).text();
}

}  // namespace playground
