// SPDX-License-Identifier: BSL-1.0
// The words of the notation, as docs/reference/notation.md has them.
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "anew/anew.hpp"
#include "anew/bridges/http/words.hpp"
#include "anew/strategy/for_each_policy.hpp"
#include "anew/text/core_words.hpp"
#include "anew/text/words/hedge.hpp"

namespace words = anew::words;

/// By role: how a word is written, and what names it in `read_strategy<...>`.
using table = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;

template <class Word>
void add(table& rows, std::string_view named_by) {
  std::string role{"hedging"};
  if constexpr (requires { typename Word::policy_type::role; })
    role = anew::role_name<typename Word::policy_type::role>;
  rows[role].emplace_back(Word::written(), named_by);
}
template <class... Words>
void add_all(table& rows, std::string_view named_by, anew::vocabulary<Words...> /*words*/) {
  (add<Words>(rows, named_by), ...);
}

int main() {
  table rows;
  add_all(rows, "core_words", anew::core_words{});
  add_all(rows, "attempt_timeout_words", anew::attempt_timeout_words{});
  add_all(rows, "pacer_words", anew::pacer_words{});
  add_all(rows, "reset_words", anew::reset_words{});
  add_all(rows, "nesting_words", anew::nesting_words{});
  add_all(rows, "striped_words", anew::striped_words{});
  add_all(rows, "striped_pacer_words", anew::striped_pacer_words{});
  add_all(rows, "random_source_words", anew::random_source_words{});
  add_all(rows, "clock_words", anew::clock_words{});
  add_all(rows, "retry_all_words", anew::retry_all_words{});
  rows["classifier"].emplace_back("retry_info", "the classifier that you give to read_strategy()");
  add<words::error_code>(rows, "words::error_code");
  add<words::asio>(rows, "words::asio");
  add<words::http_status>(rows, "words::http_status");
  add<words::grpc_status>(rows, "words::grpc_status");
  add<words::http>(rows, "words::http");
  add<words::any_of<words::http_status, words::error_code>>(rows, "words::any_of<Words...>, with any words");
  add<words::first_of<words::http_status, words::error_code>>(rows, "words::first_of<Words...>, with any words");
  add<words::not_<words::error_code>>(rows, "words::not_<Word>, with any word");
  add<words::caused_by<words::error_code>>(rows, "words::caused_by<Word>, with any word");
  add<words::idempotent_only<words::error_code>>(rows, "words::idempotent_only<Word>, with any word");
  rows["classifier"].emplace_back("curl(http_status(STATUS,...))", "words::curl (anew/bridges/curl/words.hpp)");
  rows["classifier"].emplace_back("beast(http_status(STATUS,...))", "words::beast (anew/bridges/beast/words.hpp)");
  rows["classifier"].emplace_back("boost_system(error_code)",
                                  "words::boost_system<Word> (anew/bridges/boost_system/words.hpp)");
  add<words::hedge_after>(rows, "read_policy<words::hedge_after> (anew/text/words/hedge.hpp)");
  add<words::hedge_at_quantile>(rows, "read_policy<words::hedge_at_quantile> (anew/text/words/hedge.hpp)");
  for (auto const& [role, all] : rows) {
    std::printf("\n## %s\n\n| written | named by |\n|---|---|\n", role.c_str());
    for (auto const& [written, by] : all) {
      std::string cell;
      for (char const c : written) cell.append(c == '|' ? "\\" : "").push_back(c);
      std::printf("| `%s` | `%s` |\n", cell.c_str(), by.c_str());
    }
  }

  // A text can name each of them all the same, if you give it to read_strategy().
  constexpr std::pair<char const*, char const*> cannot_be_read[] = {
      {"retry_if", "a predicate is code"},
      {"retry_while", "a predicate is code"},
      {"retry_on", "an exception is named by a type"},
      {"retry_info_on", "an exception is named by a type"},
      {"retry_on_codes", "a code is of an enumeration, which is a type"},
      {"history", "the number of failures is a part of the outcome's type"},
      {"fan_out", "an observer is code"},
      {"timeline", "an observer is code"},
      {"json_lines", "an observer is code"},
      {"trace_events", "an observer is code"},
      {"otlp_spans", "an observer is code"},
      {"prometheus_metrics", "an observer is code"},
      {"usdt", "an observer is code"},
      {"shared", "the program says which calls share a policy"},
      {"borrowed", "the program says which calls share a policy"},
      {"leased", "the program says which calls share a policy"},
      {"partitioned", "the program says which calls share a policy"},
      {"nested_in", "the program tells each call whether it is nested"},
      {"redis_bucket", "the program says where Redis is"},
      {"code_classifier", "a preset of AWS composes it"},
      {"guide_classifier", "a preset of Smithy composes it"},
      {"guide_bucket", "a preset of Smithy composes it"},
      {"retriers", "a document of Step Functions holds it: read_retriers in anew/ports/states_language.hpp"},
      {"choice", "a text is read into choices"},
      {"view_backoff", "the delays of a schedule are a range"},
      {"virtual_classifier", "it forwards to a strategy behind the virtual interface"},
  };
  std::printf("\n## Policies that no text can hold\n\n| policy | because |\n|---|---|\n");
  for (auto const& [policy, because] : cannot_be_read) std::printf("| `%s` | %s |\n", policy, because);
}
