// SPDX-License-Identifier: BSL-1.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "anew/run_time/virtual/token_acquisition_failed.hpp"

#include "anew_get/made_strategy.hpp"
#include "anew_get/text.hpp"
#include "explain_strategy.hpp"
#include "promises.hpp"

namespace anew_get {

namespace {

constexpr std::size_t calls_tried = 100;
constexpr std::size_t waits_shown = 5;
constexpr std::uint32_t most_retries = 10'000;

fetch_error answer(int status) {
  fetch_error made;
  made.status = status;
  return made;
}

fetch_error broken(CURLcode code, bool sent) {
  fetch_error made;
  made.code = code;
  made.sent = sent;
  return made;
}

/// A 503 that may be repeated, as this strategy reads it.
anew::failure failure_of_503(made_strategy const& made) {
  auto const error = answer(503);
  auto const verdict = made.strategy->classify(anew::error_ref{error});
  if (!verdict || !verdict->is_retry()) return {};
  auto what = verdict->what();
  what.safety = anew::retry_safety::yes;
  return what;
}

struct wait_range {
  anew::duration least;
  anew::duration most;
};

struct seen_calls {
  std::vector<wait_range> waits;  // before the second attempt and so on
  std::optional<anew::stop_reason> end;
};

/// As a call does: an attempt begins, and fails at once. Without the beginning a reset takes it for a long one.
anew::retry_token next_token(made_strategy const& made, anew::retry_token token) {
  if (made.resets_after) static_cast<void>(made.strategy->admit(token, made.strategy->now()));
  return made.strategy->refresh_retry_token(std::move(token), failure_of_503(made));
}

/// Calls whose attempts all fail with 503.
seen_calls try_calls(std::string const& strategy) {
  seen_calls seen;
  for (std::size_t call = 0; call != calls_tried; ++call) {
    auto const made = make_strategy(strategy);  // none pays for the one before
    try {
      auto token = made.strategy->acquire_initial_token();
      for (std::size_t retry = 0; retry != waits_shown + 1; ++retry) {
        token = next_token(made, std::move(token));
        auto const wait = token.delay();
        if (retry == seen.waits.size()) seen.waits.push_back({wait, wait});
        auto& range = seen.waits[retry];
        range = {std::min(range.least, wait), std::max(range.most, wait)};
      }
    } catch (anew::token_acquisition_failed const& e) {
      seen.end = e.reason();
    }
  }
  return seen;
}

/// As many retries as the quota pays before an attempt succeeds.
std::optional<std::uint32_t> retries_in_a_row(std::string const& strategy) {
  auto const made = make_strategy(strategy);
  if (!made.quota().is_limited) return std::nullopt;
  std::vector<anew::retry_token> paid;  // one that is dropped may give its price back
  for (std::uint32_t n = 0; n != most_retries; ++n) {
    try {
      auto first = made.strategy->acquire_initial_token();
      paid.push_back(next_token(made, std::move(first)));
    } catch (anew::token_acquisition_failed const& e) {
      if (e.reason() == anew::stop_reason::quota) return n;
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// To three digits.
std::string rounded(anew::duration d) {
  anew::duration::rep unit = 1;
  while (d.count() / unit >= 1000) unit *= 10;
  auto const is_up = d.count() % unit >= unit - unit / 2;
  return as_given(anew::duration{(d.count() / unit + (is_up ? 1 : 0)) * unit});
}

std::string list(std::vector<std::string> const& all) {
  std::string text;
  for (auto const& one : all) text.append(text.empty() ? "" : ", ").append(one);
  return text.empty() ? "nothing" : text;
}

std::string attempts_line(made_strategy const& made, seen_calls const& seen) {
  std::string text = made.max_attempts != 0 ? "at most " + std::to_string(made.max_attempts) + " in a call"
                     : seen.end             ? "at most " + std::to_string(seen.waits.size() + 1) + " in a call"
                                            : std::string{"without a limit"};
  if (made.resets_after && seen.end) {
    text.append(", counted again from an attempt on that ran ").append(as_given(*made.resets_after));
  }
  return text;
}

std::string waits_line(seen_calls const& seen) {
  if (seen.waits.empty()) return "none";
  std::string text;
  for (std::size_t i = 0; i != std::min(seen.waits.size(), waits_shown); ++i) {
    auto const& [least, most] = seen.waits[i];
    text.append(text.empty() ? "before attempt " : "; ").append(std::to_string(i + 2)).append(": ");
    if (least != most) text.append(rounded(least)).append(" to ");
    text.append(rounded(most));
  }
  if (seen.waits.size() > waits_shown) text.append("; and so on");
  return text + " (drawn " + std::to_string(calls_tried) + " times)";
}

std::string repeats_line(made_strategy const& made) {
  std::vector<std::string> always;
  std::vector<std::string> only_idempotent;
  auto const ask = [&](fetch_error const& error, std::string const& words) {
    auto const verdict = made.strategy->classify(anew::error_ref{error});
    if (!verdict || !verdict->is_retry()) return;
    (verdict->what().safety == anew::retry_safety::yes ? always : only_idempotent).push_back(words);
  };
  for (int status = 400; status != 600; ++status) ask(answer(status), std::to_string(status));
  ask(broken(CURLE_COULDNT_CONNECT, false), "no connection");
  ask(broken(CURLE_RECV_ERROR, true), "a connection that breaks");
  ask(broken(CURLE_OPERATION_TIMEDOUT, true), "an attempt that takes too long");
  auto text = list(always);
  if (!only_idempotent.empty()) text.append("; where a request may run twice also ").append(list(only_idempotent));
  return text;
}

std::string limits_line(made_strategy const& made, std::string const& strategy, set_beside const& more) {
  std::vector<std::string> all;
  auto const quota = made.quota();
  if (!more.shared_quota.empty()) {
    all.push_back("the quota of all processes at " + more.shared_quota);
  } else if (auto const retries = retries_in_a_row(strategy)) {
    all.push_back("the quota of all calls pays " + std::to_string(*retries) + (*retries == 1 ? " retry" : " retries") +
                  " in a row");
  } else {
    all.push_back(quota.is_limited ? "a quota of all calls" : "no quota");
  }
  all.push_back(made.deadline ? "a call takes at most " + as_given(*made.deadline) : "no deadline of a call");
  constexpr auto none = anew::duration::max();
  auto const attempt = made.attempt_limit ? made.attempt_limit(made.deadline.value_or(none)) : none;
  if (auto const least = std::min(attempt, more.attempt_timeout.value_or(none)); least != none) {
    all.push_back("an attempt takes at most " + as_given(least));
  }
  if (made.is_of_aws) {
    all.push_back("x-amz-retry-after is obeyed, Retry-After is not");
  } else if (made.longest_hint != anew::duration::max()) {
    all.push_back("Retry-After is obeyed up to " + as_given(made.longest_hint));
  }
  return list(all);
}

}  // namespace

std::string explain(std::string const& name_or_text, set_beside const& more) {
  auto const made = make_strategy(name_or_text);
  auto const seen = try_calls(name_or_text);
  std::string text;
  auto const line = [&text](char const* name, std::string const& words) {
    text.append(fitted(name, 10)).append(printable(words)).append("\n");
  };
  line("strategy", made.strategy->describe());
  line("attempts", attempts_line(made, seen));
  line("waits", waits_line(seen));
  line("repeats", repeats_line(made));
  line("limits", limits_line(made, name_or_text, more));
  line("promises", promises_in_words(made.promised, more.shared_quota.empty()));
  return text;
}

}  // namespace anew_get
