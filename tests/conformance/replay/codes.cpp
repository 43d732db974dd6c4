// SPDX-License-Identifier: BSL-1.0
// Error codes and statuses in, kinds of errors out: the columns of the two texts that `aws::classifier` and
// `aws::classifier_2020` follow. What other implementations do differs, and is skipped.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "anew/presets/aws/classifier.hpp"
#include "anew/presets/aws/error.hpp"

#include "modes.hpp"

namespace replay {

namespace {

namespace aws = anew::aws;

constexpr char const* this_text = "spec2026";
constexpr char const* older_text = "older_sdkref_text";
constexpr int bad_request = 400;

/// In the words of the files. A time-out is a transient error whose retry may cost something else.
std::string word_of(anew::directive const& verdict) {
  if (verdict.is_success()) return "success";
  if (!verdict.is_retry()) return "final";
  return verdict.what().kind == anew::error_kind::throttling ? "throttling" : "transient";
}

template <class Classifier = aws::classifier>
std::string word_of(aws::error const& response) {
  return word_of(Classifier::classify_result(response));
}

std::optional<difference> compare(std::string_view expected, std::string const& got, std::string_view where = {}) {
  if (expected == got) return std::nullopt;
  return difference{std::string{expected}.append(where), got};
}

/// A column must be a text. What it says of a code beyond a kind ("transient (STS only)") is no case.
std::string column(json const& row, char const* name) {
  return find(row, name) == nullptr ? std::string{"final"} : text(row, name);
}

std::optional<difference> replay_code(std::string const& code, json const& row) {
  return compare(column(row, this_text), word_of({.status = bad_request, .code = code}));
}

std::optional<difference> replay_clock(std::string const& code) {
  if (auto found = compare("final", word_of({.status = bad_request, .code = code}), " while the clock is as it was")) {
    return found;
  }
  return compare("transient", word_of({.status = bad_request, .code = code, .clock_skew_corrected = true}),
                 " once the clock was set right");
}

std::optional<difference> replay_status(int status, json const& row) {
  if (auto found = compare(column(row, this_text), word_of({.status = status}))) return found;
  auto const older = column(row, older_text);
  auto const got = word_of<aws::classifier_2020>({.status = status});
  if (older == "transient or throttling") {
    if (got == "transient" || got == "throttling") return std::nullopt;
    return difference{older, got};
  }
  constexpr std::string_view by_code = " when the code says so";
  if (!older.ends_with(by_code)) return compare(older, got, " by the older text");
  if (auto found = compare("final", got, " without a code, by the older text")) return found;
  return compare("throttling", word_of<aws::classifier_2020>({.status = status, .code = "Throttling"}),
                 " with a code, by the older text");
}

void replay_list(json const& file, char const* name, char const* kind, report& to) {
  auto const* const list = find_array(file, name);
  if (list == nullptr) return;
  for (auto const& one : *list) {
    to.run(std::string{name}.append(": ").append(one.is_string() ? one.get<std::string>() : one.dump()), one, [&] {
      if (one.is_string()) return compare(kind, word_of({.status = bad_request, .code = one.get<std::string>()}));
      return compare(kind, word_of({.status = static_cast<int>(to_number(one, name))}));
    });
  }
}

/// A row of one status, or of a class, such as `5xx`: of all its statuses that have no row of their own.
std::optional<difference> replay_statuses(json const& rows, std::string const& name, json const& row) {
  auto const is_digit = [](char c) { return '0' <= c && c <= '9'; };
  if (name.size() != 3 || !is_digit(name[0])) throw malformed{std::string{"'"}.append(name).append("' is no status")};
  auto const first = (name[0] - '0') * 100;
  if (name.ends_with("xx")) {
    for (int status = first; status != first + 100; ++status) {
      if (rows.contains(std::to_string(status))) continue;
      if (auto found = replay_status(status, row)) {
        found->got.append(" with ").append(std::to_string(status));
        return found;
      }
    }
    return std::nullopt;
  }
  if (!is_digit(name[1]) || !is_digit(name[2])) throw malformed{std::string{"'"}.append(name).append("' is no status")};
  return replay_status(first + (name[1] - '0') * 10 + (name[2] - '0'), row);
}

}  // namespace

void replay_codes(json const& file, report& to) {
  replay_list(file, "throttling_codes_2026", "throttling", to);
  replay_list(file, "transient_codes_2026", "transient", to);
  replay_list(file, "transient_statuses_2026", "transient", to);
  if (auto const* const clock = find(file, "clock_skew"); clock != nullptr) {
    for (char const* const name : {"definite", "possible"}) {
      if (auto const* const list = find_array(*clock, name); list != nullptr) {
        for (auto const& code : *list) {
          auto const known = code.get<std::string>();
          to.run(std::string{"clock_skew: "}.append(known), code, [&] { return replay_clock(known); });
        }
      }
    }
  }
  if (auto const* const codes = find(file, "codes"); codes != nullptr) {
    for (auto const& [code, row] : codes->items()) {
      to.run("code " + code, row, [&code = code, &row = row] { return replay_code(code, row); });
    }
  }
  if (auto const* const statuses = find(file, "statuses"); statuses != nullptr) {
    for (auto const& [status, row] : statuses->items()) {
      auto const id = "status " + status;
      to.run(id, row, [&, &status = status, &row = row] { return replay_statuses(*statuses, status, row); });
    }
  }
}

}  // namespace replay
