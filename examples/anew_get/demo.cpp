// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "anew/anew.hpp"
#include "anew/policies/observer/timeline.hpp"
#include "anew/process.hpp"

#include "demo.hpp"
#include "fetch.hpp"
#include "json_lines.hpp"
#include "options.hpp"
#include "policies.hpp"
#include "processes.hpp"
#include "session.hpp"
#include "support/misbehaving_server.hpp"
#include "timeline.hpp"

namespace anew_get {

namespace {

using namespace std::chrono_literals;
using anew::stop_reason;
using demo::step;

/// A command line as one would type it, in lines that fit; of many URLs the first two and the last.
std::string shown(std::vector<std::string> const& arguments, std::size_t width) {
  auto const first_url = static_cast<std::size_t>(
      std::find_if(arguments.begin(), arguments.end(), [](auto const& a) { return a.starts_with("http"); }) -
      arguments.begin());
  std::string text = "$ anew-get";
  std::size_t used = columns(text);
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    bool const left_out = i >= first_url + 2 && i + 1 < arguments.size();
    if (left_out && i != first_url + 2) continue;
    auto const word = left_out ? std::string{"…"} : arguments[i];
    // An option stays in one line with its value.
    auto const needed =
        columns(word) + (word.starts_with("--") && i + 1 < arguments.size() ? columns(arguments[i + 1]) + 1 : 0);
    if (used + 1 + needed + 3 > width) {
      text += " \\\n   ";
      used = 3;
    }
    text += " " + word;
    used += 1 + columns(word);
  }
  return text;
}

/// The stage of all scenes.
class stage {
 public:
  stage(bool json, std::ostream& out, paint colours, std::stop_token stop)
      : json_{json}, out_{&out}, paint_{colours}, stop_{std::move(stop)} {}

  demo::misbehaving_server server;

  void opens(unsigned number, std::string const& title, std::initializer_list<std::string_view> look_for) {
    scene_ = number;
    good_ = true;
    if (json_) return json_lines::scene(*out_, number, title);
    auto const head = "━━ " + std::to_string(number) + "  " + title + " ";
    *out_ << '\n' << paint_.bold(paint_.cyan(head + repeated("━", paint_.width - 1 - columns(head)))) << '\n';
    std::string_view lead = "Look for: ";
    for (auto const line : look_for) {
      *out_ << lead << wrapped(line, paint_.width - 1 - lead.size(), lead.size()) << '\n';
      lead = "          ";
    }
  }

  /// The settings of a command line, which is shown. So that what is shown is what runs.
  settings command(std::vector<std::string> const& arguments) {
    if (!json_) {
      *out_ << '\n' << paint_.cyan(shown(arguments, paint_.width)) << '\n';
    }
    std::ostringstream errors;
    auto parsed = parse_options(arguments, errors, errors);
    if (!std::holds_alternative<settings>(parsed)) throw std::logic_error{errors.str()};
    auto read = std::get<settings>(std::move(parsed));
    read.asked.through_proxy = false;
    return read;
  }

  /// Code that is shown instead of a command.
  void code(std::initializer_list<std::string> lines) {
    if (json_) return;
    *out_ << '\n';
    for (auto const& line : lines) *out_ << paint_.cyan(line) << '\n';
  }

  session::fetched fetch(settings const& s) {
    auto const who = listener_for(s);
    session run{s, *who, stop_};
    spool into;
    body content{&into, {}};
    auto done = run.fetch(s.urls.front(), content);
    text_.clear();
    into.read(0, [this](std::string_view piece) { return text_ += piece, true; });
    return done;
  }
  /// The body of the last call.
  [[nodiscard]] std::string const& text() const { return text_; }

  /// For a scene with a drawing of its own.
  [[nodiscard]] std::unique_ptr<listener> quiet_listener_for(settings const& s) const {
    if (json_) return listener_for(s);
    return std::make_unique<silent>();
  }

  void expect(bool holds, std::string const& what) {
    if (json_) json_lines::check(*out_, scene_, what, holds);
    if (!holds && !json_ && !stopped()) *out_ << paint_.red("✘ did not hold: " + what) << '\n';
    good_ = good_ && holds;
  }

  /// True when the scene went as it should.
  bool closes(std::string const& what_happened) {
    if (!json_ && !stopped()) {
      *out_ << '\n'
            << (good_ ? paint_.green("➜ ") + wrapped(what_happened, paint_.width - 3, 2)
                      : paint_.red("✘ This scene did not go as it should."))
            << '\n';
    }
    return good_ && !stopped();
  }

  [[nodiscard]] bool stopped() const { return stop_.stop_requested(); }
  [[nodiscard]] std::stop_token stop() const { return stop_; }
  [[nodiscard]] bool json() const { return json_; }
  [[nodiscard]] std::ostream& out() const { return *out_; }
  [[nodiscard]] paint const& colours() const { return paint_; }

 private:
  [[nodiscard]] std::unique_ptr<listener> listener_for(settings const& s) const {
    if (json_) return std::make_unique<json_lines>(s, *out_);
    return std::make_unique<timeline>(s, *out_, paint_);
  }

  bool json_;
  std::ostream* out_;
  paint paint_;
  std::stop_token stop_;
  std::string text_;
  unsigned scene_ = 0;
  bool good_ = true;
};

bool ended_with(call_report const& report, stop_reason reason, std::size_t attempts) {
  return report.reason() == reason && report.attempts.size() == attempts;
}

/// No attempt began before the wait that was announced was over.
bool waits_were_kept(call_report const& report) {
  for (std::size_t i = 0; i + 1 < report.attempts.size(); ++i) {
    auto const& one = report.attempts[i];
    if (!one.wait || report.attempts[i + 1].began < one.ended + one.wait->delay) return false;
  }
  return true;
}

bool recovers(stage& on) {
  on.opens(1, "recovers", {"two failures of different kinds, a wait after each, and then the whole body."});
  std::string const body = "the whole report\n";
  on.server.script("/report", {step::status(503), step::reset_in_body(9), step::status(200, body)});
  auto const s = on.command({"--base", "200ms", "--seed", "3", on.server.url("/report")});
  auto const [result, report] = on.fetch(s);

  on.expect(ended_with(report, stop_reason::succeeded, 3), "success at the third attempt");
  on.expect(result.has_value() && on.text() == body, "the body is the last answer's, whole and once");
  on.expect(on.server.request_count("/report") == 3, "the server saw three requests");
  on.expect(waits_were_kept(report), "every wait was kept");
  return on.closes("It recovered by itself in " + anew::in_words(report.elapsed) +
                   ". The half body of the second attempt was thrown away.");
}

bool hints(stage& on) {
  on.opens(2, "the server asks for time",
           {"Retry-After: 1 is obeyed, although the backoff would wait 50 ms at most.",
            "Retry-After: 3600 is not waited for: the call ends at once and says so."});
  on.server.script("/busy", {step::status(503).retry_after(1s), step::status(200)});
  on.server.script("/closed", {step::status(503).retry_after(3600s)});
  auto const busy = on.fetch(on.command({"--base", "50ms", on.server.url("/busy")})).report;
  if (on.stopped()) return on.closes("");
  auto const closed = on.fetch(on.command({"--base", "50ms", on.server.url("/closed")})).report;

  on.expect(ended_with(busy, stop_reason::succeeded, 2), "success at the second attempt");
  on.expect(waits_were_kept(busy) && busy.elapsed >= 1s, "the wait was a second at least");
  on.expect(busy.attempts[0].wait && busy.attempts[0].wait->origin == anew::delay_origin::hint,
            "it was the hint that was waited for");
  on.expect(ended_with(closed, stop_reason::hint_too_long, 1), "one attempt, and the hint was too long");
  on.expect(closed.last_hint == anew::duration{3600s}, "the hint is told to the caller");
  on.expect(closed.elapsed < 10s, "nothing was waited for");
  return on.closes("A hint is a floor, and --longest-hint (60s) its ceiling: 1 s was waited, 3600 s was not.");
}

bool deadline(stage& on) {
  on.opens(3, "a deadline",
           {"the server never answers. Each attempt may take 400 ms, and none begins that could go on "
            "beyond the deadline of 1.5 s: the call ends early instead."});
  on.server.script("/silent", {step::silence()});
  auto const s = on.command({"--deadline", "1.5s", "--per-attempt", "400ms", "--reserve", "400ms", "--backoff",
                             "constant", "--base", "200ms", "--jitter", "none", on.server.url("/silent")});
  auto const report = on.fetch(s).report;

  on.expect(ended_with(report, stop_reason::deadline, 2), "two attempts, and then the deadline");
  on.expect(report.elapsed < 1500ms, "the call ended before the deadline");
  on.expect(waits_were_kept(report), "every wait was kept");
  on.expect(std::all_of(report.attempts.begin(), report.attempts.end(),
                        [](auto const& a) { return a.code == CURLE_OPERATION_TIMEDOUT; }),
            "every attempt ran into its own limit");
  return on.closes("It ended after " + anew::in_words(report.elapsed) + ", " + anew::in_words(1500ms - report.elapsed) +
                   " before the deadline: no time was spent on a try that could not help.");
}

/// The balance after each call as columns, and under them how many attempts the call made.
void draw_quota(stage const& on, std::vector<call_report> const& calls, std::size_t down, std::uint32_t capacity) {
  constexpr std::size_t height = 5;
  constexpr std::array<std::string_view, 9> eighths{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  auto& out = on.out();
  auto const& colours = on.colours();
  out << colours.dim("  tokens left after each call; " + std::to_string(capacity) + " at the start") << '\n';
  constexpr std::size_t margin = 12;
  std::size_t const each = margin + calls.size() < colours.width ? 1 : 2;  // on a narrow terminal every second call
  for (std::size_t row = height; row-- != 0;) {
    auto const label = row + 1 == height ? std::to_string(capacity) : row == 0 ? "0" : "";
    out << right_aligned(label, 10) << colours.dim(" │");
    for (std::size_t i = each - 1; i < calls.size(); i += each) {
      auto const filled = calls[i].quota.balance * height * 8 / capacity;
      auto const part = std::min<std::size_t>(filled > row * 8 ? filled - row * 8 : 0, 8);
      out << (i < down ? colours.red(eighths[part]) : colours.green(eighths[part]));
    }
    out << '\n';
  }
  out << colours.dim("  attempts  ");
  for (std::size_t i = each - 1; i < calls.size(); i += each) {
    auto const& call = calls[i];
    auto const digit = std::to_string(call.attempts.size());
    out << (call.attempts.size() > 1 ? colours.yellow(digit) : digit);
  }
  auto const under = [](std::string_view words, std::size_t columns_wide) {
    auto const dashes = columns_wide - 2 - columns(words);
    return "╰" + repeated("─", dashes / 2) + std::string{words} + repeated("─", dashes - dashes / 2) + "╯";
  };
  out << '\n'
      << std::string(margin, ' ') << colours.red(under(each == 1 ? " down " : "", down / each))
      << colours.green(under(each == 1 ? " up again: each success gives one token back " : " up again: a token each ",
                             (calls.size() - down) / each))
      << '\n';
}

bool quota(stage& on) {
  constexpr std::size_t calls_down = 10;
  constexpr std::uint32_t capacity = 70;
  constexpr std::size_t calls_up = capacity;
  on.opens(4, "an outage, and the quota that all calls share",
           {"the server is down for the first 10 of 80 calls. A retry costs 14 tokens; when they are "
            "gone, each call is still made, but once: a server that is down gets no extra load."});
  std::vector<std::string> arguments{"--quota", std::to_string(capacity), "--base", "2ms"};
  for (std::size_t i = 1; i <= calls_down + calls_up; ++i) {
    arguments.push_back(on.server.url("/"));
    arguments.back() += std::to_string(i);
  }
  auto const s = on.command(arguments);
  auto const who = on.quiet_listener_for(s);
  session run{s, *who, on.stop()};
  std::vector<call_report> calls;
  on.server.go_down();
  for (auto const& url : s.urls) {
    if (on.stopped()) break;
    if (calls.size() == calls_down) on.server.come_up();
    body content{nullptr, {}};
    calls.push_back(run.fetch(url, content).report);
  }
  on.server.come_up();
  if (on.stopped()) return on.closes("");
  if (!on.json()) draw_quota(on, calls, calls_down, capacity);

  auto const outage = calls.begin() + calls_down;
  std::size_t attempts = 0;
  for (auto call = calls.begin(); call != outage; ++call) attempts += call->attempts.size();
  on.expect(ended_with(calls[0], stop_reason::attempts, 3), "the first call may use all of its attempts");
  on.expect(ended_with(calls[2], stop_reason::quota, 2), "the third call finds the bucket empty");
  on.expect(std::all_of(calls.begin() + 3, outage, [](auto const& c) { return ended_with(c, stop_reason::quota, 1); }),
            "from then on every call is made, and made once");
  on.expect(attempts == calls_down + capacity / 14, "five retries were made in the whole outage");
  on.expect((outage - 1)->quota.balance == 0, "the bucket is empty at the end of the outage");
  on.expect(std::all_of(outage, calls.end(), [](auto const& c) { return ended_with(c, stop_reason::succeeded, 1); }),
            "after the outage every call succeeds at once");
  on.expect(calls.back().quota.balance == capacity, "the successes have filled the bucket");
  return on.closes("The outage saw " + std::to_string(attempts) + " attempts of " + std::to_string(calls_down) +
                   " calls, and not " + std::to_string(3 * calls_down) + "; the quota is back at " +
                   std::to_string(calls.back().quota.balance) + ".");
}

bool not_retryable(stage& on) {
  on.opens(5, "what is not retried",
           {"404 is final. A POST that met a 500 may have been executed: it is not sent again, unless "
            "you say that this does no harm."});
  on.server.script("/missing", {step::status(404)});
  on.server.script("/order", {step::status(500), step::status(500), step::status(201)});
  auto const missing = on.fetch(on.command({on.server.url("/missing")})).report;
  if (on.stopped()) return on.closes("");
  auto const order = on.fetch(on.command({"--data", "one=book", on.server.url("/order")})).report;
  if (on.stopped()) return on.closes("");
  auto const sent = on.server.request_count("/order");
  auto const keyed =
      on.fetch(on.command({"--data", "one=book", "--idempotent", "--seed", "1", on.server.url("/order")})).report;

  on.expect(ended_with(missing, stop_reason::not_retryable, 1), "404 ends the call at once");
  on.expect(ended_with(order, stop_reason::not_idempotent, 1) && sent == 1, "the POST was sent once");
  on.expect(ended_with(keyed, stop_reason::succeeded, 2), "the idempotent POST was sent again and succeeded");
  return on.closes("Nothing was repeated that could not help or might do harm.");
}

constexpr unsigned process_count = 4;
constexpr unsigned killed_process = process_count;
constexpr unsigned calls_of_a_process = 20;
constexpr std::uint32_t process_capacity = 140;
constexpr unsigned retries_of_a_budget = process_capacity / anew::retry_costs{}.transient;

/// The work of one process: calls to a server that is failing.
template <class Quota>
void call_often(Quota quota, std::string const& url) {
  auto const strategy = anew::compose(std::move(quota), anew::exponential_backoff{2ms, 10ms}, anew::full_jitter{},
                                      anew::http_statuses{}, anew::max_attempts<3>{});
  fetcher connection;
  auto const get = anew::idempotent([&](anew::attempt& attempt) {
    request what;
    what.url = url;
    what.headers.push_back("attempt: " + std::to_string(attempt.number()));
    what.through_proxy = false;
    body content{nullptr, {}};
    return connection.perform(what, attempt, anew::duration::max(), true, content);
  });
  for (unsigned call = 0; call != calls_of_a_process; ++call) (void)anew::retry(strategy, get);
}

/// The requests of one process, counted by the server.
struct traffic {
  std::size_t calls = 0;
  std::size_t retries = 0;
  bool killed = false;
};

/// The requests of each process to a path that begins like that, counted by the server; the last row is their sum.
std::vector<traffic> traffic_at(stage const& on, std::string const& path, processes const& workers) {
  std::vector<traffic> rows(process_count + 1);
  for (auto const& seen : on.server.requests()) {
    if (!seen.path.starts_with(path)) continue;
    auto const number = std::stoul(seen.path.substr(path.size()));
    for (auto* const row : {&rows.at(number - 1), &rows.back()}) {
      ++(seen.header("attempt") == "1" ? row->calls : row->retries);
    }
  }
  for (unsigned i = 0; i != process_count; ++i) rows[i].killed = workers.was_killed(i + 1);
  return rows;
}

void draw_processes(stage const& on, std::vector<traffic> const& own, std::vector<traffic> const& one) {
  auto& out = on.out();
  auto const& colours = on.colours();
  auto const cells = [&](traffic const& row) {
    out << right_aligned(std::to_string(row.calls), 8) << colours.yellow(right_aligned(std::to_string(row.retries), 10))
        << right_aligned(std::to_string(row.calls + row.retries), 11);
  };
  out << '\n'
      << fitted("", 21) << fitted("(a) a budget for each process", 31) << "(b) one budget for all\n"
      << colours.dim(fitted("  process", 19) + "   calls   retries   requests     calls   retries   requests") << '\n';
  for (std::size_t i = 0; i != own.size(); ++i) {
    std::string const killed = one[i].killed ? " (b: killed)" : "";
    out << fitted(i == process_count ? "  the server saw" : "  " + std::to_string(i + 1) + killed, 19);
    cells(own[i]);
    out << fitted("", 2);
    cells(one[i]);
    out << '\n';
  }
}

/// Removes the quota's file, when it begins and when it ends.
class removed_at_end {
 public:
  explicit removed_at_end(std::string name) : name_{std::move(name)} { anew::process::remove(name_); }
  ~removed_at_end() {
    try {
      anew::process::remove(name_);
    } catch (anew::process::file_error const&) {  // NOLINT(bugprone-empty-catch): the file is another user's now
    }
  }
  removed_at_end(removed_at_end const&) = delete;
  removed_at_end& operator=(removed_at_end const&) = delete;

 private:
  std::string name_;
};

bool one_budget(stage& on) {
  on.opens(6, "four processes, and one budget",
           {"four processes call a server that fails. A budget pays for 10 retries, so four budgets pay "
            "for 40. One budget for all pays for 10, also when process 4 is killed (SIGKILL)."});
  auto const name = "anew-get-demo-" + std::to_string(::getpid());
  auto const capacity = std::to_string(process_capacity);
  on.code({"(a)  anew::token_bucket budget{" + capacity + "};",
           "(b)  anew::process::token_bucket budget{\"" + name + "\", " + capacity + "};"});
  auto const url_of = [&on](std::string const& path, unsigned number) {
    auto const whole = path + std::to_string(number);
    on.server.script(whole, {step::status(503)});
    return on.server.url(whole);
  };
  std::vector<std::string> own_urls;
  std::vector<std::string> one_urls;
  for (unsigned i = 1; i <= process_count; ++i) {
    own_urls.push_back(url_of("/own/", i));
    one_urls.push_back(url_of("/one/", i));
  }

  processes own{process_count, [&own_urls](unsigned number) {
                  call_often(anew::token_bucket{process_capacity}, own_urls[number - 1]);
                }};
  bool const own_ended = own.wait(on.stop(), 10s);
  if (on.stopped()) return on.closes("");

  // The third request of the process to be killed is not answered: it dies in the middle of an attempt.
  auto const last_path = "/one/" + std::to_string(killed_process);
  on.server.script(last_path, {step::status(503), step::status(503)}, step::silence());
  removed_at_end const file{name};
  anew::process::token_bucket const budget{name, process_capacity};
  processes one{process_count, [&](unsigned number) {
                  call_often(anew::process::token_bucket{name, process_capacity}, one_urls[number - 1]);
                }};
  auto const latest = std::chrono::steady_clock::now() + 10s;
  while (on.server.request_count(last_path) < 3 && !on.stopped() && std::chrono::steady_clock::now() < latest) {
    std::this_thread::sleep_for(1ms);
  }
  one.kill(killed_process);
  bool const one_ended = one.wait(on.stop(), 10s);
  if (on.stopped()) return on.closes("");

  auto const with_own = traffic_at(on, "/own/", own);
  auto const with_one = traffic_at(on, "/one/", one);
  if (!on.json()) {
    draw_processes(on, with_own, with_one);
  } else {
    for (auto const& [whose, rows] : {std::pair{"own", &with_own}, std::pair{"one", &with_one}}) {
      for (unsigned i = 0; i != process_count; ++i) {
        auto const& row = (*rows)[i];
        json_lines::process(on.out(), whose, i + 1, row.calls, row.retries, row.killed);
      }
    }
  }
  auto const& apart = with_own.back();
  auto const& together = with_one.back();

  bool finished = own_ended && one_ended && one.was_killed(killed_process);
  for (unsigned i = 1; i <= process_count; ++i) {
    finished = finished && own.finished(i) && (i == killed_process || one.finished(i));
  }
  on.expect(finished, "the killed process apart, every process made its calls to the end");
  on.expect(apart.retries == process_count * retries_of_a_budget,
            "four budgets paid for four times the retries of one");
  on.expect(together.retries <= retries_of_a_budget, "one budget pays for " + std::to_string(retries_of_a_budget) +
                                                         " retries, and the server saw " +
                                                         std::to_string(together.retries));
  on.expect(together.retries + budget.balance() / anew::retry_costs{}.transient == retries_of_a_budget,
            "nothing of the budget was lost with the killed process");
  return on.closes("With own budgets the server got " + std::to_string(apart.retries) + " retries, with one budget " +
                   std::to_string(together.retries) +
                   ". The other processes spent the tokens that the killed process left.");
}

}  // namespace

bool run_demo(unsigned scene, bool json, std::ostream& out, paint colours, std::stop_token stop) {
  auto const began = std::chrono::steady_clock::now();
  stage on{json, out, colours, std::move(stop)};
  if (!json) {
    out << "A server inside this program misbehaves at " << on.server.url("") << ".\n"
        << "Each scene really runs what it shows.\n  " << colours.red("▒") << " failed attempt  " << colours.green("█")
        << " successful attempt  " << colours.yellow("·") << " wait  " << colours.bold("┃") << " deadline\n";
  }
  constexpr std::array scenes{&recovers, &hints, &deadline, &quota, &not_retryable, &one_budget};
  static_assert(scenes.size() == number_of_scenes);
  unsigned played = 0;
  unsigned good = 0;
  for (unsigned i = 0; i != number_of_scenes && !on.stopped() && out; ++i) {
    if (scene != 0 && scene != i + 1) continue;
    ++played;
    if (scenes[i](on)) ++good;
  }
  if (!json && !on.stopped()) {
    auto const words = counted(played, "scene") + ", " + std::to_string(good) + " as expected, in " +
                       anew::in_words(std::chrono::steady_clock::now() - began);
    out << '\n' << (good == played ? colours.green("✔ " + words) : colours.red("✘ " + words)) << '\n';
  }
  return good == played;
}

}  // namespace anew_get
