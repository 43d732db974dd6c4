// SPDX-License-Identifier: BSL-1.0
#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "behind_interface.hpp"
#include "chosen.hpp"
#include "named.hpp"
#include "read_chosen.hpp"

namespace anew_get {

namespace {

/// Words of the library that make no sense for requests over HTTP.
struct refusal {
  std::string_view word;
  std::string_view why;
};
constexpr std::string_view by_status = "what a request came to is read by its status alone; write http_status(429,503)";
constexpr std::string_view no_second = "this strategy makes one attempt at a time; anew-load has --hedge";
constexpr std::array refused{
    refusal{"error_code", by_status},
    refusal{"grpc_status", by_status},
    refusal{"beast", by_status},
    refusal{"asio", by_status},
    refusal{"retry_info", by_status},
    refusal{"boost_system", by_status},
    refusal{"any_of", by_status},
    refusal{"first_of", by_status},
    refusal{"not", "most other statuses would fail again; write those to retry, as in http_status(429,503)"},
    refusal{"caused_by", "no failure of a request has another one inside it"},
    refusal{"nesting_guard", "no call of this program is made inside another"},
    refusal{"hedge_after", no_second},
    refusal{"hedge_at_quantile", no_second},
    refusal{"reset_after", "it expects one attempt at a time, and --hedge makes two"},
};

}  // namespace

/// The library reads the word as the classifier that the program gives to it, which is not what the text asks for.
std::optional<anew::text_fault> find_retry_info(std::string_view text) {
  constexpr std::string_view name = "retry_info";
  constexpr std::string_view blanks = " \t\r\n";
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    auto const next = at + name.size();
    bool const begins = at == 0 || blanks.find(text[at - 1]) != std::string_view::npos;
    bool const ends = next == text.size() || blanks.find(text[next]) != std::string_view::npos;
    if (begins && ends) return anew::text_fault{at, name.size(), "this program does not read 'retry_info' here"};
  }
  return std::nullopt;
}

/// The library says that such a word is not read, and the program why.
anew::text_fault explained(anew::text_fault fault, std::string_view text) {
  auto const word = fault.at < text.size() ? text.substr(fault.at, fault.length) : std::string_view{};
  for (auto const& one : refused) {
    if (one.word == word) fault.what.append(": ").append(one.why);
  }
  if (fault.what.find("; write one of ") == std::string::npos) return fault;
  auto const quoted = "'" + std::string{word} + "'";
  if (is_strategy_name(word)) {
    fault.what = quoted + " is the name of a whole strategy; write it alone, without policies";
  } else if (auto const near = near_strategy_name(word); !near.empty()) {
    fault.what = "there is no strategy " + quoted + "; did you mean '" + std::string{near} + "'?";
  }
  return fault;
}

namespace {

made_strategy make_chosen(std::string const& text, hearer& who, std::optional<shared_quota> const& quota) {
  auto read = read_chosen<vocabulary>(text, who, quota_for(quota));
  if (!read) throw strategy_error{in_lines(read.error(), text)};
  bool const names_a_quota = !read->quota().visit([]<class Q>(Q const&) { return std::is_same_v<Q, retry_quota>; });
  if (quota && names_a_quota) throw strategy_error{"the text names a quota, and so does --quota; omit one of them"};
  auto const& deadline = read->deadline();
  auto const total = deadline.total();
  auto const longest_hint = read->hint().visit([]<class Hint>(Hint const& hint) {
    if constexpr (requires { hint.longest(); }) return hint.longest();
    return anew::duration::max();  // none ends the call
  });
  bool const makes_a_last_try = deadline.fit(anew::duration::max(), total) == total;
  std::function<anew::duration(anew::duration)> limit;
  if (!read->attempt_timeout().describe().empty()) {
    limit = [of = read->attempt_timeout()](anew::duration remaining) {
      return of.of(remaining == anew::duration::zero() ? anew::duration::max() : remaining);  // the last try
    };
  }
  bool const limits_last_try =
      read->attempt_timeout().visit([]<class Timeout>(Timeout const&) { return requires(Timeout t) { t.value(); }; });
  auto const resets_after = read->reset().visit([]<class Reset>(Reset const& reset) -> std::optional<anew::duration> {
    if constexpr (requires { reset.value(); }) return reset.value();
    return std::nullopt;
  });
  auto made = behind_interface(*std::move(read), false);
  made.attempt_limit = std::move(limit);
  made.limits_last_try = limits_last_try;
  if (total != anew::duration::max()) {
    made.deadline = total;
    made.makes_a_last_try = makes_a_last_try;
  }
  made.longest_hint = longest_hint;
  made.resets_after = resets_after;
  return made;
}

}  // namespace

made_strategy make_strategy(std::string const& name_or_text, hearer& who, std::optional<shared_quota> const& quota) {
  return is_strategy_name(name_or_text) ? make_named(name_or_text, who) : make_chosen(name_or_text, who, quota);
}

made_strategy make_strategy(std::string const& name_or_text, std::optional<shared_quota> const& quota) {
  nobody who;
  return make_strategy(name_or_text, who, quota);
}

}  // namespace anew_get
