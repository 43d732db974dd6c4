// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "anew/backoff/fibonacci.hpp"
#include "anew/backoff/floor.hpp"
#include "anew/backoff/immediate_first.hpp"
#include "anew/backoff/linear.hpp"
#include "anew/backoff/phased.hpp"
#include "anew/backoff/sequence.hpp"
#include "anew/backoff/sum.hpp"

#include "strategy_text.hpp"
#include "text.hpp"
#include "words.hpp"

namespace anew_get {

namespace {

names<anew::long_hint> const long_hints{
    {"stop", anew::long_hint::stop}, {"clamp", anew::long_hint::clamp}, {"ignore", anew::long_hint::ignore}};
names<anew::at_deadline> const endings{
    {"stop", anew::at_deadline::stop}, {"clamp", anew::at_deadline::clamp}, {"last_try", anew::at_deadline::last_try}};

/// The costs that stand last among the arguments by their names, taken off them. What is not named costs what
/// `transient` costs, but throttling, as in `retry_costs`.
std::optional<anew::retry_costs> take_costs(word& w, anew::retry_costs costs) {
  bool any = false;
  for (auto const& given : w.arguments) {
    if (given.key != "transient") continue;
    word value = given;
    value.key = {};
    auto const cost = count_of(value);
    if (!std::in_range<std::uint32_t>(cost)) continue;  // refused below
    costs.transient = costs.timeout = costs.server = costs.client = static_cast<std::uint32_t>(cost);
  }
  for (; !w.arguments.empty() && !w.arguments.back().key.empty(); w.arguments.pop_back()) {
    auto const& given = w.arguments.back();
    names<std::uint32_t*> const kinds{{"transient", &costs.transient},
                                      {"throttling", &costs.throttling},
                                      {"timeout", &costs.timeout},
                                      {"server", &costs.server},
                                      {"client", &costs.client}};
    auto const kind = find_in(kinds, given.key);
    if (!kind) {
      refuse(given, quoted(given.key) + " is no kind of error: transient, throttling, timeout, server, client");
    }
    word value = given;
    value.key = {};
    auto const cost = count_of(value);
    if (!std::in_range<std::uint32_t>(cost)) {
      refuse(given, quoted(given.name) + " must be a whole number from 0 to 4294967295");
    }
    for (std::size_t i = 0; i + 1 < w.arguments.size(); ++i) {
      if (w.arguments[i].key == given.key) refuse(given, quoted(given.key) + " stands there twice");
    }
    **kind = static_cast<std::uint32_t>(cost);
    any = true;
  }
  return any ? std::optional{costs} : std::nullopt;
}

struct policy;
policy const& policy_named(word const& w);
chosen_backoff backoff_of(word w);

template <std::size_t... I>
chosen_backoff phases_of(std::vector<std::pair<std::int64_t, chosen_backoff>> const& first, chosen_backoff last,
                         std::index_sequence<I...> /*phases*/) {
  return chosen_backoff{anew::phased_backoff{anew::for_first{first[I].first, first[I].second}..., std::move(last)}};
}

chosen_backoff phased_of(word& w) {
  std::vector<std::pair<std::int64_t, chosen_backoff>> first;
  for (std::size_t i = 0; i + 1 < w.arguments.size(); ++i) {
    auto const& phase = w.arguments[i];
    if (phase.name != "for_first" || phase.arguments.size() != 2 || !phase.key.empty()) {
      refuse(phase, quoted(phase.name) + " must be for_first(N,BACKOFF): all phases but the last have an end");
    }
    first.emplace_back(count_of(phase.arguments[0]), backoff_of(phase.arguments[1]));
  }
  auto last = backoff_of(w.arguments.back());
  switch (first.size()) {
    case 1: return phases_of(first, std::move(last), std::make_index_sequence<1>{});
    case 2: return phases_of(first, std::move(last), std::make_index_sequence<2>{});
    case 3: return phases_of(first, std::move(last), std::make_index_sequence<3>{});
    default: return phases_of(first, std::move(last), std::make_index_sequence<4>{});
  }
}

constexpr std::size_t any_number = 1000;

/// A policy by its name: the role that it plays, how it is written, how many arguments it takes, and what it puts where.
struct policy {
  std::string_view name;
  std::string_view role;
  std::string_view written;
  std::size_t least;
  std::size_t most;
  void (*take)(word& w, strategy_choice& into);
};

template <class Make>
constexpr auto backoff(std::string_view name, std::string_view written, std::size_t least, std::size_t most,
                       Make /*make*/) {
  return policy{
      name,    "backoff",
      written, least,
      most,    [](word& w, strategy_choice& into) {
                  into.policies.backoff = chosen_backoff{Make{}(w.arguments, w)}; }};
}
template <class Make>
constexpr auto jitter(std::string_view name, std::string_view written, std::size_t arguments, Make /*make*/) {
  return policy{
      name,      "jitter",
      written,   arguments,
      arguments, [](word& w, strategy_choice& into) {
                  into.policies.jitter = chosen_jitter{Make{}(w.arguments)}; }};
}

using arguments = std::vector<word>;

anew::rational factor_of(word const& w) {
  auto const [num, den] = ratio_of(w);
  return {num, den};
}
anew::rational fraction_of(word const& w) {
  auto const [num, den] = ratio_of(w);
  return {num, den};
}

chosen_hint::plain server_hint_of(word const& w, strategy_choice& into) {
  auto const& a = w.arguments;
  auto const then = one_of(long_hints, a[0]);
  if (a.size() == 1) return anew::server_hint{then};
  into.longest_hint = duration_of(a[1]);
  return anew::server_hint{then, into.longest_hint};
}

void take_refilling_bucket(word& w, strategy_choice& into) {
  auto const costs = take_costs(w, anew::one_each).value_or(anew::one_each);
  auto const& a = w.arguments;
  if (a.size() < 2) refuse(w, "'refilling_bucket' needs a capacity and the time for one token before the costs");
  auto const capacity = count_of(a[0]);
  auto const per = duration_of(a[1]);
  if (a.size() == 2) {
    into.policies.quota.emplace<chosen_quota::refilling>(capacity, per, costs);
    return;
  }
  one_of(names<bool>{{"reserve", true}}, a[2]);
  if (a.size() != 4) refuse(w, "'reserve' needs the longest wait behind it: reserve,1s");
  into.policies.quota.emplace<chosen_quota::lending>(capacity, per, anew::longest_wait{duration_of(a[3])}, costs);
}

void take_retry_throttle(word& w, strategy_choice& into) {
  auto const& ratio = w.arguments[1];
  must_be_plain(ratio);
  auto const number = read_decimal(ratio.name);
  if (!number || number->scale > 1000 || number->digits > 1'000'000 * number->scale) {
    refuse(ratio, quoted(ratio.name) + " must be a number with at most three decimals, such as 0.1");
  }
  auto const thousandths = number->digits * 1000 / number->scale;
  into.policies.quota.emplace<chosen_quota::throttle>(count_of(w.arguments[0]),
                                                      anew::rational{static_cast<std::uint32_t>(thousandths), 1000});
}

void take_cool_down(word& w, strategy_choice& into) {
  auto& a = w.arguments;
  std::int64_t ignored = 0;
  auto longest_wait = anew::duration::max();
  if (a.size() > 1 && a.back().key == "longest_wait") {
    auto value = a.back();
    value.key = {};
    longest_wait = duration_of(value);
    a.pop_back();
  }
  if (a.size() > 1 && a.back().key == "ignored") {
    auto value = a.back();
    value.key = {};
    ignored = count_of(value);
    a.pop_back();
  }
  bool const refuses = a.size() > 1 && one_of(names<bool>{{"refuse", true}}, a[1]);
  if (a.size() > 2)
    refuse(a[2], quoted(a[2].all) + " must be ignored=N or longest_wait=5s, in this order, or be left out");
  auto const by = backoff_of(a[0]);
  if (refuses) {
    into.policies.gate.emplace<chosen_gate::cooling<anew::when_cooling::refuse>>(by, ignored, longest_wait);
  } else {
    into.policies.gate.emplace<chosen_gate::cooling<anew::when_cooling::wait>>(by, ignored, longest_wait);
  }
}

void take_deadline(word& w, strategy_choice& into) {
  auto const& a = w.arguments;
  auto const total = duration_of(a[0]);
  auto reserve = anew::duration::zero();
  if (a.size() == 3) {
    into.then = one_of(endings, a[1]);
    reserve = duration_of(a[2]);
  } else if (a.size() == 2 && read_duration(a[1].name)) {
    reserve = duration_of(a[1]);
  } else if (a.size() == 2) {
    into.then = one_of(endings, a[1]);
  }
  into.policies.deadline = chosen_deadline{anew::deadline{total, into.then, reserve}};
  into.total = total;
}

void take_http_status(word& w, strategy_choice& into) {
  std::vector<int> statuses;
  for (auto const& one : w.arguments) {
    auto const status = count_of(one);
    if (status < http_statuses::lowest || status > http_statuses::highest) {
      refuse(one, quoted(one.name) + " must be the status of an error, from 400 to 599");
    }
    statuses.push_back(static_cast<int>(status));
  }
  into.policies.statuses = http_statuses{std::move(statuses)};
}

void take_rate_breaker(word& w, strategy_choice& into) {
  auto const& a = w.arguments;
  into.policies.gate.emplace<chosen_gate::rate>(count_of(a[0], "%"), duration_of(a[1]), count_of(a[2]),
                                                duration_of(a[3]), a.size() == 5 ? count_of(a[4]) : 1);
}

auto const& catalogue() {
  static std::array const all{
      backoff("no_backoff", "no_backoff", 0, 0, [](arguments&, word&) { return anew::no_backoff{}; }),
      backoff("constant", "constant(DELAY)", 1, 1,
              [](arguments& a, word&) { return anew::constant_backoff{duration_of(a[0])}; }),
      backoff("exponential", "exponential(BASE,CAP) or exponential(BASE,CAP,FACTOR)", 2, 3,
              [](arguments& a, word&) {
                return anew::exponential_backoff{duration_of(a[0]), duration_of(a[1]),
                                                 a.size() == 3 ? factor_of(a[2]) : anew::rational{2}};
              }),
      backoff("linear", "linear(BASE,CAP) or linear(BASE,CAP,STEP)", 2, 3,
              [](arguments& a, word&) {
                return anew::linear_backoff{duration_of(a[0]), duration_of(a[1]),
                                            duration_of(a[a.size() == 3 ? 2 : 0])};
              }),
      backoff("fibonacci", "fibonacci(BASE,CAP)", 2, 2,
              [](arguments& a, word&) { return anew::fibonacci_backoff{duration_of(a[0]), duration_of(a[1])}; }),
      backoff("sequence", "sequence(DELAY,DELAY,...)", 1, any_number,
              [](arguments& a, word&) {
                std::vector<anew::duration> delays;
                for (auto const& one : a) delays.push_back(duration_of(one));
                return anew::sequence_backoff{delays};
              }),
      backoff("phased", "phased(for_first(N,BACKOFF),BACKOFF), with at most four times for_first", 2, 5,
              [](arguments&, word& w) { return phased_of(w); }),
      backoff("immediate_first", "immediate_first(BACKOFF)", 1, 1,
              [](arguments& a, word&) { return anew::immediate_first{backoff_of(a[0])}; }),
      backoff("sum", "sum(BACKOFF,BACKOFF)", 2, 2,
              [](arguments& a, word&) { return anew::sum_backoff{backoff_of(a[0]), backoff_of(a[1])}; }),
      backoff("floor", "floor(BACKOFF,LEAST)", 2, 2,
              [](arguments& a, word&) { return anew::floor_backoff{backoff_of(a[0]), duration_of(a[1])}; }),

      jitter("full_jitter", "full_jitter", 0, [](arguments&) { return anew::full_jitter{}; }),
      jitter("no_jitter", "no_jitter", 0, [](arguments&) { return anew::no_jitter{}; }),
      jitter("equal_jitter", "equal_jitter", 0, [](arguments&) { return anew::equal_jitter{}; }),
      jitter("decorrelated_jitter", "decorrelated_jitter", 0, [](arguments&) { return anew::decorrelated_jitter{}; }),
      jitter("proportional_jitter", "proportional_jitter(FRACTION), such as 1/5", 1,
             [](arguments& a) { return anew::proportional_jitter{fraction_of(a[0])}; }),
      jitter("cap_after_draw_jitter", "cap_after_draw_jitter", 0,
             [](arguments&) { return anew::cap_after_draw_jitter{}; }),
      jitter("polly_decorrelated_jitter", "polly_decorrelated_jitter", 0,
             [](arguments&) { return anew::polly_decorrelated_jitter{}; }),

      policy{"unlimited_quota", "quota", "unlimited_quota", 0, 0,
             [](word&, strategy_choice& into) { into.policies.quota.emplace<anew::unlimited_quota>(); }},
      policy{"token_bucket", "quota", "token_bucket(CAPACITY) or token_bucket(CAPACITY,throttling=5,server=10,...)", 1,
             6,
             [](word& w, strategy_choice& into) {
               auto const costs = take_costs(w, anew::retry_costs{}).value_or(anew::retry_costs{});
               if (w.arguments.size() != 1) refuse(w, "'token_bucket' needs one capacity, before the costs");
               into.policies.quota.emplace<chosen_quota::bucket>(count_of(w.arguments[0]), costs);
             }},
      policy{"refilling_bucket", "quota",
             "refilling_bucket(CAPACITY,PER) or refilling_bucket(CAPACITY,PER,reserve,LONGEST), with costs behind it",
             2, 9, take_refilling_bucket},

      policy{"retry_budget", "quota", "retry_budget(20%,10/s,10s)", 3, 3,
             [](word& w, strategy_choice& into) {
               auto const& a = w.arguments;
               into.policies.quota.emplace<chosen_quota::budget>(count_of(a[0], "%"), count_of(a[1], "/s"),
                                                                 duration_of(a[2]));
             }},
      policy{"concurrency_budget", "quota", "concurrency_budget(20%,3)", 2, 2,
             [](word& w, strategy_choice& into) {
               auto const& a = w.arguments;
               into.policies.quota.emplace<chosen_quota::concurrency>(count_of(a[0], "%"), count_of(a[1]));
             }},
      policy{"retry_throttle", "quota", "retry_throttle(TOKENS,RATIO), such as 100,0.1", 2, 2, take_retry_throttle},

      // What a strategy without a classifier of its own says: errors that tell by themselves what they are. Those of
      // this program do, and so it stands for what anew-get does by itself.
      policy{"retry_info", "classifier", "retry_info", 0, 0, [](word&, strategy_choice&) {}},
      policy{"http_status", "classifier", "http_status(429,503,...)", 1, any_number, take_http_status},

      policy{"max_attempts", "limit of attempts", "max_attempts(N)", 1, 1,
             [](word& w, strategy_choice& into) {
               into.policies.limit = chosen_limit{anew::max_attempts{count_of(w.arguments[0])}};
             }},
      policy{"unbounded", "limit of attempts", "unbounded", 0, 0,
             [](word&, strategy_choice& into) { into.policies.limit = chosen_limit{anew::unbounded{}}; }},

      policy{"server_hint", "hint", "server_hint(stop), server_hint(clamp) or server_hint(ignore), each with ,LONGEST",
             1, 2, [](word& w, strategy_choice& into) { into.policies.hint = chosen_hint{server_hint_of(w, into)}; }},
      policy{"jittered_hint", "hint", "jittered_hint(1/2,server_hint(stop))", 2, 2,
             [](word& w, strategy_choice& into) {
               auto const& inner = w.arguments[1];
               if (inner.name != "server_hint" || inner.arguments.empty() || inner.arguments.size() > 2) {
                 refuse(inner, quoted(inner.name) + " must be server_hint(stop), (clamp) or (ignore)");
               }
               into.policies.hint =
                   chosen_hint{anew::jittered_hint{factor_of(w.arguments[0]), server_hint_of(inner, into)}};
             }},

      policy{"deadline", "deadline", "deadline(TOTAL), with ,clamp or ,last_try and ,RESERVE behind it", 1, 3,
             take_deadline},

      policy{"circuit_breaker", "gate",
             "circuit_breaker(FAILURES,OPEN_FOR) or circuit_breaker(FAILURES,OPEN_FOR,PROBES)", 2, 3,
             [](word& w, strategy_choice& into) {
               auto const& a = w.arguments;
               into.policies.gate.emplace<chosen_gate::circuit>(count_of(a[0]), duration_of(a[1]),
                                                                a.size() == 3 ? count_of(a[2]) : 1);
             }},
      policy{"rate_breaker", "gate", "rate_breaker(PERCENT,WINDOW,MIN_VOLUME,OPEN_FOR), with ,PROBES behind it", 4, 5,
             take_rate_breaker},
      policy{"cool_down", "gate", "cool_down(BACKOFF), with ,refuse and ,ignored=N and ,longest_wait=5s behind it", 1,
             4, take_cool_down},

      policy{"seed", "seed", "seed(N)", 1, 1,
             [](word& w, strategy_choice& into) { into.policies.seed = seed_of(w.arguments[0]); }},
  };
  return all;
}

/// How many letters one must add, leave out or change.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i != a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j != b.size(); ++j) {
      auto const changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

policy const& policy_named(word const& w) {
  auto const& all = catalogue();
  auto const* const found = std::find_if(all.begin(), all.end(), [&](policy const& p) { return p.name == w.name; });
  if (found != all.end()) return *found;
  // The name alone is underlined.
  word named = w;
  named.all = w.name;
  if (!w.key.empty()) refuse(w, "nothing here has a name; leave out " + quoted(std::string{w.key} + "="));
  if (w.name.size() <= 40) {
    auto const* const nearest = std::min_element(all.begin(), all.end(), [&](policy const& a, policy const& b) {
      return distance(w.name, a.name) < distance(w.name, b.name);
    });
    if (distance(w.name, nearest->name) <= std::min(w.name.size(), nearest->name.size()) / 3) {
      refuse(named, "there is no policy " + quoted(w.name) + "; did you mean " + quoted(nearest->name) + "?");
    }
    for (auto const& p : all) {
      bool const is_nothing = p.name.starts_with("no_");
      if (w.name.size() >= 3 && !is_nothing && (p.name.starts_with(w.name) || p.name.ends_with(w.name))) {
        refuse(named, "there is no policy " + quoted(w.name) + "; did you mean " + quoted(p.name) + "?");
      }
    }
  }
  std::string text;
  for (auto const& p : all) text.append(text.empty() ? "" : ", ").append(p.name);
  refuse(named, "there is no policy " + quoted(w.name) + ", but " + text);
}

/// Calls the policy's own constructor, which knows what its numbers may be.
void take(policy const& p, word& w, strategy_choice& into) {
  auto const written = "; it is written " + std::string{p.written};
  if (w.arguments.size() < p.least) refuse(w, quoted(w.name) + " needs more arguments" + written);
  if (w.arguments.size() > p.most) {
    refuse(w.arguments[p.most],
           quoted(w.name) + (p.most == 0 ? " takes no arguments" : " takes fewer arguments") + written);
  }
  if (w.is_call && p.most == 0) refuse(w, quoted(w.name) + " has no parentheses" + written);
  try {
    p.take(w, into);
  } catch (std::invalid_argument const& e) {
    refuse(w, e.what());
  }
}

chosen_backoff backoff_of(word w) {
  auto const& p = policy_named(w);
  if (p.role != "backoff") refuse(w, quoted(w.name) + " is no backoff: it plays the " + std::string{p.role});
  strategy_choice inner;
  take(p, w, inner);
  return inner.policies.backoff;
}

strategy_choice choose(std::vector<word>& words) {
  strategy_choice chosen;
  std::vector<std::pair<std::string_view, word const*>> played;
  auto const player_of = [&played](std::string_view role) -> word const* {
    for (auto const& [one, by] : played) {
      if (one == role) return by;
    }
    return nullptr;
  };
  for (auto& w : words) {
    auto const& p = policy_named(w);
    if (auto const* const other = player_of(p.role)) {
      refuse(w, quoted(w.name) + " plays the " + std::string{p.role} + ", as does " + quoted(other->all) +
                    " before it; remove one of them");
    }
    take(p, w, chosen);
    played.emplace_back(p.role, &w);
  }
  auto const* const deadline = player_of("deadline");
  if (deadline != nullptr && player_of("limit of attempts") == nullptr) {
    refuse(*deadline, "beside a deadline the limit of attempts must be said: unbounded, or max_attempts(N)");
  }
  return chosen;
}

}  // namespace

std::variant<strategy_choice, strategy_fault> read_strategy(std::string_view text) {
  try {
    auto words = words_of(text);
    return choose(words);
  } catch (fault_found& found) {
    return std::move(found.fault);
  }
}

std::string in_lines(strategy_fault const& fault, std::string_view text) {
  std::string shown{text};
  // A line of text, whatever is in it: the carets stand under it.
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  std::string what = fault.what;
  for (char& c : what) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  auto const before = columns(std::string_view{shown}.substr(0, fault.at));
  auto const wide = std::max<std::size_t>(columns(std::string_view{shown}.substr(fault.at, fault.length)), 1);
  return what + "\n  " + shown + "\n  " + std::string(before, ' ') + "^" + std::string(wide - 1, '~');
}

std::string describe(parts&& policies) {
  auto statuses = policies.statuses;
  auto const text = anew::describe(compose_of(std::move(policies), std::move(statuses)));
  // A policy that stands for nothing says nothing, and is not written.
  std::string words;
  for (char const c : text) {
    if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
  }
  while (words.ends_with(' ')) words.pop_back();
  return words;
}

}  // namespace anew_get
