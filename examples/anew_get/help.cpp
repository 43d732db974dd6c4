// SPDX-License-Identifier: BSL-1.0
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "help.hpp"
#include "option_values.hpp"

namespace anew_get {

std::string_view const help_on_strategies =
    R"(A strategy as text: policies with their arguments, in any order, as anew-get --describe prints
them. What it does not name is as without options. A mistake is pointed at. --explain says in six
lines what a strategy will do.
  'linear(1s,10s) equal_jitter unbounded deadline(1m)'

A strategy by its name: aws-standard, aws-standard-2020, aws-adaptive, aws-adaptive-2020,
aws-legacy, aws-dynamodb, aws-long-polling, grpc, step-functions; from-config is what
AWS_RETRY_MODE, AWS_MAX_ATTEMPTS and the files ~/.aws/config and ~/.aws/credentials say.
These count a bare 503 as throttling, and those of AWS tell the service in a header which attempt
of which call a request is.

Durations: 250ms, 2s, 1.5s, 100us, 1m.
)";

std::string_view const help_on_retries =
    R"(Retried are connections that fail, answers that are cut off or do not come in time, and the
statuses 408, 429, 500, 502, 503, 504. What may have taken effect on the server (all of these but
408, 429, 503 and a request that was never sent) is repeated for GET, HEAD, PUT, DELETE, OPTIONS
and TRACE; for POST, PATCH and others only with --idempotent.
)";

namespace {

std::vector<CLI::Option const*> options_of(CLI::App const& app, std::string_view group) {
  return app.get_options([group](CLI::Option const* one) { return one->get_group() == group && one->nonpositional(); });
}

std::string text_of(help_section const& one, CLI::App const& app, CLI::Formatter const& formatter) {
  std::string text;
  if (!one.group.empty()) {
    text = formatter.make_group(std::string{one.group}, false, options_of(app, one.group));
    text.erase(0, text.find_first_not_of('\n'));
    if (!one.text.empty()) text += '\n';
  }
  return text.append(one.text);
}

/// The names of its options, in lines of 80 columns.
std::string names_of(help_section const& one, CLI::App const& app) {
  constexpr std::size_t margin = 14;
  constexpr std::size_t width = 80;
  std::string text{"  "};
  text.append(one.topic).append(margin - 2 - one.topic.size(), ' ');
  auto used = margin;
  for (auto const* const option : options_of(app, one.group)) {
    auto name = option->get_name();  // the first of its names
    auto const longer = name.size() + 1;
    if (used + longer > width + 1) {
      text.pop_back();
      text.append("\n").append(margin, ' ');
      used = margin;
    }
    text.append(name).append(" ");
    used += longer;
  }
  text.pop_back();
  return text + "\n";
}

std::string usage_of(help_page const& page) {
  return std::string{"Usage: "}.append(page.program).append(" ").append(page.arguments);
}

std::string overview(help_page const& page, CLI::App const& app) {
  auto text = usage_of(page);
  text.append("\n").append(page.first_line).append("\n\nOptions, by topic; ").append(page.program);
  text.append(" --help TOPIC explains them:\n");
  for (auto const& one : page.sections) {
    if (!one.group.empty()) text += names_of(one, app);
  }
  text += "  and about    ";
  for (auto const& one : page.sections) {
    if (one.group.empty()) text.append(one.topic).append(", ");
  }
  return text.append("or all\n\n").append(page.examples);
}

}  // namespace

std::string help_on(help_page const& page, CLI::App const& app, CLI::Formatter const& formatter,
                    std::string const& topic) {
  if (topic.empty()) return overview(page, app);
  if (topic == "all") {
    std::string text{page.first_line};
    text.append("\n").append(usage_of(page)).append("\n\n");
    text.append(formatter.make_group("Options", false, options_of(app, "Options")).substr(1));
    for (auto const& one : page.sections) text.append("\n").append(text_of(one, app, formatter));
    return text.append("\n").append(page.examples);
  }
  std::string topics{"all"};
  for (auto const& one : page.sections) {
    if (one.topic == topic) return text_of(one, app, formatter);
    topics.append(", ").append(one.topic);
  }
  refuse("--help", topic, "must be one of " + topics);
}

}  // namespace anew_get
