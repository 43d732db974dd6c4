// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_INTERNAL_SLOTS_HPP
#define ANEW_BRIDGES_PROCESS_INTERNAL_SLOTS_HPP

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <system_error>

#include "anew/base/duration.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/base/platform/internal/fork_safe_mutex.hpp"
#include "anew/bridges/process/internal/kept_file.hpp"
#include "anew/bridges/process/internal/mapping.hpp"

namespace anew::inline ANEW_ABI::detail {

/// The time by which it is decided whether to look for dead processes, and nothing else.
struct monotonic_time {
  [[nodiscard]] std::int64_t operator()() const noexcept {
    return duration{std::chrono::steady_clock::now().time_since_epoch()}.count();
  }
};

/// Calls and retries under way, of one process or of all.
struct under_way {
  std::uint64_t calls;
  std::uint64_t retries;
};

/// A slot for each process, which counts its calls and retries under way. The slots are the only truth: no count of all
/// could disagree with them.
///
/// A retry adds itself to the own slot, then sums all slots, in one order for all processes. The last of them sees all
/// others, so never more are granted than the limit; two that come for the last place at the same time may both step
/// back. Nothing waits.
///
/// The calls that began and those that ended are counted apart, and both counts only grow: a sum of all that began, before
/// any that ended, finds at most the calls that were under way in between. Counts that went up and down would add
/// a call that has ended to one that began after it.
///
/// A process owns the slot whose byte it has locked. The kernel frees the lock when the process ends, however it ends,
/// so a process that can lock the byte of a slot that has calls or retries has found a dead owner, and ends them. If it is
/// killed before that, the next process that looks does the same.
class process_slots {
 public:
  static constexpr std::uint32_t most = 256;
  static constexpr std::int64_t look_at_refusal = 10'000'000;
  static constexpr std::int64_t look_at_grant = 1'000'000'000;

  /// Takes a slot. Throws `process::file_error` when all are taken.
  explicit process_slots(quota_mapping const& mapping)
      : mapping_{&mapping}, file_{mapping.all(), true}, body_{static_cast<contents*>(mapping.body())} {
    if (auto const why = mapping.open_again(file_) ? take_slot() : errno; why != 0) mapping.refuse(text_of(why));
  }
  process_slots(process_slots const&) = delete;
  process_slots& operator=(process_slots const&) = delete;
  ~process_slots() {
    if (auto const number = file_.slot(); number != 0 && file_.is_open()) end_all(body_->lines[number - 1]);
  }

  /// Its locks.
  [[nodiscard]] kept_file& file() noexcept { return file_; }

  void begin_call() noexcept {
    if (auto* const own = mine(monotonic_time{})) __atomic_fetch_add(&own->begun, 1, __ATOMIC_SEQ_CST);
  }
  /// Ends no more than have begun: a forked child may end calls of its parent.
  void end_call() noexcept {
    auto const number = file_.slot();
    if (number == 0) return;
    auto& own = body_->lines[number - 1];
    auto ended = load(own.ended);
    while (ended < load(own.begun) && !exchange(own.ended, ended, ended + 1)) {
    }
  }

  /// Counts one more retry while `limit(calls)` allows it; returns what `give_back` takes, or 0.
  [[nodiscard]] std::uint32_t claim(auto const& limit, auto const& now) noexcept {
    auto const at = now();
    check_slot(at);
    auto* const own = mine([at] { return at; });
    if (own == nullptr) return 0;
    for (int tries = 0; tries != 3; ++tries) {
      auto const before = sum();
      if (before.retries < limit(before.calls)) {
        __atomic_fetch_add(&own->retries, 1, __ATOMIC_SEQ_CST);
        auto const with_this = sum();
        if (with_this.retries <= limit(with_this.calls)) {
          static_cast<void>(take_back_from_the_dead(at, look_at_grant));  // their calls raise the limit
          return epoch_.load();
        }
        take_back_one(*own);
      } else if (!take_back_from_the_dead(at, look_at_refusal)) {
        return 0;
      }
    }
    return 0;
  }
  /// `claimed` is what `claim` returned; a forked child ignores what its parent claimed.
  void give_back(std::uint32_t claimed) noexcept {
    auto const number = file_.slot();
    if (number != 0 && claimed != 0 && claimed == epoch_.load()) take_back_one(body_->lines[number - 1]);
  }

  /// Why this process has no slot; empty when it has one. Asks for one, as a call does.
  [[nodiscard]] std::string why_without(auto const& now) {
    auto const at = now();
    check_slot(at);
    if (mine([at] { return at; }) != nullptr) return {};
    fork_safe_lock const lock{taking_, nothing_to_recover};
    return text_of(why_);
  }

  [[nodiscard]] under_way sum() const noexcept {
    auto const count = used();
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
    std::uint64_t retries = 0;
    for (std::uint32_t i = 0; i != count; ++i) {
      begun += load(body_->lines[i].begun);
      retries += static_cast<std::uint32_t>(load(body_->lines[i].retries));
    }
    for (std::uint32_t i = 0; i != count; ++i) ended += load(body_->lines[i].ended);
    constexpr std::uint64_t most_calls = 0xFFFF'FFFF;  // also where a file has other words
    return {ended < begun ? detail::smaller(begun - ended, most_calls) : 0, retries};
  }

  /// Ends the calls and retries of dead processes; true when there was one. Looks only if no process did for `age`.
  [[nodiscard]] bool take_back_from_the_dead(std::int64_t now, std::int64_t age) noexcept {
    atomic_view<std::uint64_t> const looked{body_->looked};
    auto last = looked.load();
    // A time in the future is wrong, and as good as none.
    if (static_cast<std::uint64_t>(now) - last < static_cast<std::uint64_t>(age)) return false;
    // One thread at a time: a description may lock again what it has locked.
    if (!looking_.try_lock(nothing_to_recover)) return false;
    fork_safe_lock const lock{looking_, already_locked{}};
    bool found = false;
    if (looked.compare_exchange(last, static_cast<std::uint64_t>(now))) {
      // A lock on another file would tell nothing.
      auto const count = file_.is_open() ? used() : 0;
      for (std::uint32_t i = 0; i != count; ++i) found = take_back(i) || found;
    }
    return found;
  }

 private:
  struct line {
    alignas(64) std::uint64_t begun;
    std::uint64_t ended;
    std::uint64_t retries;
  };
  struct contents {
    alignas(64) std::uint64_t looked;  // when a process last looked for dead processes
    std::uint64_t used;                // slots that were ever taken are among so many
    line lines[most];
  };
  static_assert(sizeof(contents) == quota_file::body_size);

  static std::string text_of(int error) {
    if (error == 0) return {};
    if (error == EAGAIN)
      return std::to_string(most).append(" processes have it open, and there is no slot for another");
    if (error == ESTALE) return "was removed, and another file has its name";
    return std::string{error == ENOLCK ? "lock: " : "open: "}.append(std::generic_category().message(error));
  }

  static off_t byte_of(std::uint32_t i) noexcept { return quota_mapping::byte_of_life + 1 + static_cast<off_t>(i); }
  static std::uint64_t load(std::uint64_t const& word) noexcept { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }
  static bool exchange(std::uint64_t& word, std::uint64_t& found, std::uint64_t next) noexcept {
    return __atomic_compare_exchange_n(&word, &found, next, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  [[nodiscard]] std::uint32_t used() const noexcept {
    return static_cast<std::uint32_t>(detail::smaller(load(body_->used), std::uint64_t{most}));
  }
  static void take_back_one(line& of) noexcept {
    auto found = load(of.retries);
    while (found != 0 && !exchange(of.retries, found, found - 1)) {
    }
  }
  static void end_all(line& of) noexcept {
    __atomic_store_n(&of.retries, 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&of.ended, load(of.begun), __ATOMIC_SEQ_CST);
  }

  bool take_back(std::uint32_t i) noexcept {
    auto& each = body_->lines[i];
    bool const is_idle = load(each.begun) == load(each.ended) && load(each.retries) == 0;
    if (i + 1 == file_.slot() || is_idle || !file_.lock_byte(byte_of(i))) return false;
    end_all(each);
    file_.unlock_byte(byte_of(i));
    return true;
  }

  line* mine(auto const& now) noexcept {
    auto const number = file_.slot();
    if (number != 0) [[likely]]
      return &body_->lines[number - 1];
    return take_own_slot(now());
  }

  /// Gives the slot up if the program has closed the descriptor: the lock went with it, and another process may own the
  /// slot by now. Checks at most once in 10 ms, because a check is a system call.
  void check_slot(std::int64_t now) noexcept {
    auto last = checked_at_.load();
    auto const at = static_cast<std::uint64_t>(now);
    if (at - last < std::uint64_t{look_at_refusal} || !checked_at_.compare_exchange_weak(last, at)) return;
    if (file_.slot() == 0 || file_.is_open()) return;
    fork_safe_lock const lock{taking_, nothing_to_recover};
    if (!file_.is_open()) file_.keep_slot(0);  // else another thread has just taken a new one
  }

  /// A forked child takes a slot of its own with its first call, and so does a process that lost its lock. While all are
  /// taken, or the file cannot be opened, it makes no retries; it asks again once a second.
  ANEW_COLD line* take_own_slot(std::int64_t now) noexcept {
    fork_safe_lock const lock{taking_, nothing_to_recover};
    if (file_.slot() == 0) {
      auto const generation = counted_fork_generation();
      bool const is_first = generation != tried_in_;
      if (!is_first && static_cast<std::uint64_t>(now - tried_at_) < std::uint64_t{look_at_grant}) return nullptr;
      tried_in_ = generation;
      tried_at_ = now;
      why_ = file_.is_open() || mapping_->open_again(file_) ? take_slot() : errno;
      if (why_ != 0) return nullptr;
    }
    return &body_->lines[file_.slot() - 1];
  }

  /// Returns 0, or why no slot was taken.
  int take_slot() noexcept {
    for (int round = 0; round != 2; ++round) {  // another process may have a byte for the moment of a look
      for (std::uint32_t i = 0; i != most; ++i) {
        if (!file_.lock_byte(byte_of(i))) continue;
        end_all(body_->lines[i]);
        for (auto found = load(body_->used); found <= i && !exchange(body_->used, found, i + std::uint64_t{1});) {
        }
        epoch_.fetch_add(1);
        file_.keep_slot(i + 1);
        return 0;
      }
    }
    return kept_file::is_taken(errno) ? EAGAIN : errno;
  }

  quota_mapping const* mapping_;
  kept_file file_;
  contents* body_;
  fork_safe_mutex looking_;
  fork_safe_mutex taking_;
  atomic_cell<std::uint32_t> epoch_{0};  // how many slots this process and its parents took, one after the other
  std::uint32_t tried_in_ = 0;
  std::int64_t tried_at_ = 0;
  int why_ = 0;
  atomic_cell<std::uint64_t> checked_at_{0};
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
