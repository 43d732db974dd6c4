// SPDX-License-Identifier: BSL-1.0
#include <unistd.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "downloads.hpp"
#include "exit_code.hpp"
#include "json_lines.hpp"
#include "output.hpp"
#include "partial.hpp"
#include "progress.hpp"
#include "session.hpp"
#include "text.hpp"
#include "timeline.hpp"

namespace anew_get {

namespace {

std::string shown_name(std::string const& file) { return printable(without_user(file)); }

/// A file that cannot be written, and what could not be done.
struct unwritable {
  std::string name;
  std::string why;
  bool is_part = false;
};

/// Where rows and lines are shown. The calls of several threads write theirs whole.
class screen {
 public:
  screen(settings const& s, std::stop_source unheard)
      : settings_{s},
        unheard_{std::move(unheard)},
        progress_{std::cerr, STDERR_FILENO, s.progress_every, s.urls.size(), s.parallel} {}

  /// For a thread that is alone.
  std::unique_ptr<listener> direct() {
    if (settings_.json) return std::make_unique<json_lines>(settings_, std::cout, unheard_);
    return std::make_unique<below_progress>(*this);
  }
  /// For one of several.
  std::unique_ptr<listener> gathered() { return std::make_unique<whole_calls>(*this); }

  [[nodiscard]] bool shows_progress() const { return !settings_.json && !settings_.quiet; }
  void received(std::size_t slot, std::uint64_t held, std::optional<std::uint64_t> whole) {
    std::lock_guard const lock{mutex_};
    progress_.received(slot, held, whole);
  }
  void settled(std::size_t slot) {
    std::lock_guard const lock{mutex_};
    progress_.settled(slot);
  }
  void wipe() {
    std::lock_guard const lock{mutex_};
    progress_.wipe();
  }

 private:
  std::unique_ptr<listener> rows(std::ostream& out) {
    if (settings_.json) return std::make_unique<json_lines>(settings_, out);
    if (settings_.quiet) return std::make_unique<failures_only>(settings_, out);
    return std::make_unique<timeline>(settings_, out, paint_for(STDERR_FILENO));
  }

  void show(std::string const& text) {
    std::lock_guard const lock{mutex_};
    progress_.wipe();
    auto& out = settings_.json ? std::cout : std::cerr;
    if (!settings_.json && !settings_.quiet && std::exchange(has_calls_, true)) out << '\n';
    out << text << std::flush;
    if (settings_.json && !out) unheard_.request_stop();
  }

  /// Shows a call when it is over; the lines of JSON, which say whose they are, at once.
  class whole_calls final : public listener {
   public:
    explicit whole_calls(screen& on) : on_{on} {}
    void call_begins(call_begin const& call) override {
      inner_ = on_.rows(text_);
      inner_->call_begins(call);
      if (on_.settings_.json) show();
    }
    void attempt_ended(attempt_record const& attempt) override {
      inner_->attempt_ended(attempt);
      if (on_.settings_.json) show();
    }
    void call_ended(call_report const& report) override {
      inner_->call_ended(report);
      show();
    }

   private:
    void show() {
      if (auto const text = std::exchange(text_, std::ostringstream{}).str(); !text.empty()) on_.show(text);
    }

    screen& on_;
    std::ostringstream text_;
    std::unique_ptr<listener> inner_;
  };

  /// Shows each row at once, in the place of the bar.
  class below_progress final : public listener {
   public:
    explicit below_progress(screen& on) : on_{on}, inner_{on.rows(std::cerr)} {}
    void call_begins(call_begin const& call) override {
      on_.wipe();
      inner_->call_begins(call);
    }
    void attempt_ended(attempt_record const& attempt) override {
      on_.wipe();
      inner_->attempt_ended(attempt);
    }
    void call_ended(call_report const& report) override {
      on_.wipe();
      inner_->call_ended(report);
    }

   private:
    screen& on_;
    std::unique_ptr<listener> inner_;
  };

  settings const& settings_;
  std::stop_source unheard_;
  std::mutex mutex_;
  progress progress_;
  bool has_calls_ = false;
};

/// The URLs of a run, and the threads that fetch them.
class batch {
 public:
  batch(settings const& s, interruptible const& writing, signal_watch const& signals)
      : settings_{s}, writing_{writing}, signals_{signals}, screen_{s, over_}, interrupted_{signals.token(), [this] {
                                                                                              over_.request_stop();
                                                                                            }} {
    codes_.resize(s.urls.size(), unfetched);
    if (!is_shared()) return;
    if (!s.json || !s.output.empty()) shared_ = opened(s.output, s.urls.front());
  }

  int run() {
    auto const strategy = std::make_shared<shared_strategy>(settings_);
    if (settings_.parallel == 1) {
      auto const who = screen_.direct();
      work(*who, strategy, 0);
    } else {
      std::vector<std::jthread> threads;
      for (std::uint32_t i = 0; i != settings_.parallel && i != settings_.urls.size(); ++i) {
        threads.emplace_back([&, i] {
          auto const who = screen_.gathered();
          work(*who, strategy, i);
        });
      }
    }
    if (failed_) std::rethrow_exception(failed_);
    return finish();
  }

 private:
  static constexpr int unfetched = -1;

  /// Whether all bodies go to one place.
  [[nodiscard]] bool is_shared() const { return settings_.files.empty(); }

  [[nodiscard]] std::unique_ptr<output> opened(std::string const& name, std::string const& url) const {
    try {
      if (settings_.continues) return std::make_unique<output>(name, writing_, url);
      return std::make_unique<output>(name, writing_);
    } catch (std::system_error const& e) {
      throw unwritable{name, e.code().message()};
    } catch (unusable_part const& e) {
      throw unwritable{e.name, e.what(), true};
    }
  }

  void work(listener& who, std::shared_ptr<shared_strategy> const& strategy, std::size_t slot) noexcept {
    try {
      session run{settings_, who, over_.get_token(), strategy};
      while (auto const next = taken()) fetch(run, *next, slot);
    } catch (...) {
      std::lock_guard const lock{mutex_};
      if (!failed_) failed_ = std::current_exception();
      over_.request_stop();
      turn_.notify_all();
    }
  }

  std::optional<std::size_t> taken() {
    std::unique_lock lock{mutex_};
    // A body waits for those before it: no more of them than a few for each thread.
    constexpr std::size_t ahead = 4;
    auto const is_due = [this] {
      return !is_shared() || next_ < written_ + ahead * settings_.parallel || over_.stop_requested();
    };
    turn_.wait(lock, is_due);
    if (over_.stop_requested() || !std::cout || next_ == settings_.urls.size()) return std::nullopt;
    return next_++;
  }

  [[nodiscard]] body::wishes wishes_of(std::size_t index, std::size_t slot) {
    body::wishes what;
    if (settings_.asked.method != "HEAD") what.most = settings_.max_size;
    if (!settings_.sha256.empty()) what.sha256 = settings_.sha256[index];
    what.resumes = settings_.asked.method == "GET" && !settings_.asked.data && !settings_.asks_for_parts;
    what.takes_parts = settings_.asks_for_parts;
    what.is_interrupted = [this] { return over_.stop_requested(); };
    if (screen_.shows_progress()) {
      what.on_bytes = [this, slot](std::uint64_t held, std::optional<std::uint64_t> whole) {
        screen_.received(slot, held, whole);
      };
    }
    return what;
  }

  void fetch(session& run, std::size_t index, std::size_t slot) {
    auto const& url = settings_.urls[index];
    auto const own = is_shared() ? nullptr : opened(settings_.files[index], url);
    auto* const into = own ? own.get() : shared_.get();
    // While others are received too, and where it goes nowhere but has a checksum.
    bool const is_apart = !own && (shared_ ? settings_.parallel > 1 : !settings_.sha256.empty());
    auto apart = is_apart ? std::make_unique<spool>() : nullptr;
    auto* const earlier = into != nullptr ? into->continued() : nullptr;
    auto known = earlier != nullptr ? earlier->known() : std::nullopt;
    if (earlier != nullptr && !known) earlier->bytes().cut(0);
    body content{apart ? apart.get() : into != nullptr ? &into->room() : nullptr, wishes_of(index, slot)};
    if (known) content.hold(*std::move(known), earlier->bytes().size());
    if (earlier != nullptr) content.on_beginning([earlier](beginning const* now) { earlier->remember(now); });
    try {
      auto const [result, report] = run.fetch(url, content);
      bool const is_good = result.has_value();
      screen_.settled(slot);
      if (!is_good) content.drop();
      if (own && is_good) {
        own->accept();
        own->finish();
      }
      settle(index, is_good ? exit_code::fetched : exit_code_of(report), std::move(apart));
    } catch (std::system_error const& e) {
      throw unwritable{own ? settings_.files[index] : settings_.output, e.code().message()};
    }
  }

  /// The bodies of a shared output follow in the order of their URLs.
  void settle(std::size_t index, int code, std::unique_ptr<spool> apart) {
    std::lock_guard const lock{mutex_};
    codes_[index] = code;
    if (code == exit_code::fetched && is_shared() && shared_) {
      if (settings_.parallel == 1) {
        shared_->accept();
      } else {
        waiting_.resize(settings_.urls.size());
        waiting_[index] = std::move(apart);
      }
    }
    for (; written_ != codes_.size() && codes_[written_] != unfetched; ++written_) {
      if (written_ >= waiting_.size()) continue;
      if (auto const body = std::move(waiting_[written_])) shared_->append(*body);
    }
    turn_.notify_all();
  }

  int finish() {
    std::size_t good = 0;
    int code = exit_code::fetched;
    for (int const one : codes_) {
      if (one == exit_code::fetched) ++good;
      if (one > exit_code::fetched && code == exit_code::fetched) code = one;
    }
    bool const is_whole = good == settings_.urls.size();
    if (is_whole && shared_) {
      try {
        shared_->finish();
      } catch (std::system_error const& e) {
        throw unwritable{settings_.output, e.code().message()};
      }
    }
    if (settings_.urls.size() > 1 && !settings_.quiet && !settings_.json) {
      std::cerr << '\n' << good << " of " << settings_.urls.size() << " URLs fetched";
      if (!is_whole && !settings_.output.empty() && settings_.output != "-")
        std::cerr << ": '" << shown_name(settings_.output) << "' stays as it was";
      std::cerr << '\n';
    }
    return signals_.caught() == 0 ? code : exit_code::signalled + signals_.caught();
  }

  settings const& settings_;
  interruptible const& writing_;
  signal_watch const& signals_;
  std::stop_source over_;
  screen screen_;
  std::unique_ptr<output> shared_;
  std::mutex mutex_;
  std::condition_variable turn_;
  std::size_t next_ = 0;
  std::size_t written_ = 0;                      // so many URLs are settled, those before them included
  std::vector<int> codes_;                       // of each URL
  std::vector<std::unique_ptr<spool>> waiting_;  // bodies whose turn has not come
  std::exception_ptr failed_;
  std::stop_callback<std::function<void()>> interrupted_;
};

}  // namespace

int fetch_all(settings const& s, interruptible const& writing, signal_watch const& signals) {
  bool has_begun = false;
  try {
    for (auto const& file : s.files) {
      try {
        output::check(file);
      } catch (std::system_error const& e) {
        throw unwritable{file, e.code().message()};
      }
    }
    batch all{s, writing, signals};
    has_begun = true;
    return all.run();
  } catch (unwritable const& e) {
    if (signals.caught() != 0) return exit_code::signalled + signals.caught();
    auto const named = e.name.empty() ? "to standard output" : "'" + shown_name(e.name) + "'";
    if (!has_begun) {
      std::cerr << "anew-get: " << (e.is_part ? "--continue " : "--output ") << named << ": " << shown_name(e.why)
                << '\n';
      return exit_code::bad_usage;
    }
    std::cerr << "anew-get: cannot " << (e.is_part ? "continue " : "write ") << named << ": " << shown_name(e.why)
              << '\n';
    return exit_code::final_error;
  }
}

}  // namespace anew_get
