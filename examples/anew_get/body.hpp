// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_BODY_HPP
#define ANEW_GET_BODY_HPP

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <curl/curl.h>

#include "spool.hpp"

namespace anew_get {

/// The body of which the held bytes are the beginning. Nothing is asked for by range unless there is a strong validator, which names
/// exactly these bytes.
struct beginning {
  std::string place;                   // where it came from after all redirections, without query and user
  std::string validator;               // for If-Range: a strong ETag, or a date that is strong
  std::optional<std::uint64_t> whole;  // how much it is in all
  std::string coding{};                // its Content-Encoding
};

/// The body of one URL, over all attempts to get it. The bytes of an attempt that broke stay, and the next attempt asks for
/// the rest, if the server named them by a strong validator. It begins at zero when they have changed since, when the
/// server has no ranges, and after an answer that is not what was asked for.
class body {
 public:
  struct wishes {
    std::optional<std::uint64_t> most;     // bytes of the body
    std::string sha256;                    // 64 hex digits; empty: unchecked
    bool resumes = false;                  // else each attempt begins at zero
    bool takes_parts = false;              // the request asks for a range by itself
    std::function<bool()> is_interrupted;  // ends the reading of a checksum
    std::function<void(std::uint64_t held, std::optional<std::uint64_t> whole)> on_bytes{};
  };
  struct fault {
    CURLcode code = CURLE_OK;
    bool mismatched = false;
    std::string words;
  };
  struct range {
    std::string bytes;  // "5-"
    std::string validator;
  };

  /// Appends to `into`, or only counts.
  body(spool* into, wishes what);

  /// A beginning that an earlier run has left at the end of `into`.
  void hold(beginning known, std::uint64_t size);
  /// Called with what is known of the bytes that are held, before any of them is written; with nothing when they will be
  /// of no use.
  void on_beginning(std::function<void(beginning const*)> tell) { tell_ = std::move(tell); }

  /// Begins an attempt; what it has to ask for if that is not all.
  [[nodiscard]] std::optional<range> begin();
  /// The next bytes of the answer. False: end the transfer.
  [[nodiscard]] bool take(CURL* easy, std::string_view data) noexcept;
  /// The end of an attempt that has the whole head of an answer; what is wrong with the body, if it is known. Throws
  /// what take() could not: a file that cannot be written.
  [[nodiscard]] std::optional<fault> end(CURL* easy, bool is_complete);
  /// Forgets what an attempt has left: the call failed.
  void drop();

  [[nodiscard]] std::uint64_t size() const { return held_; }
  [[nodiscard]] std::optional<std::uint64_t> whole() const { return known_.whole; }
  /// Where the attempt began: 0 unless it got the rest.
  [[nodiscard]] std::uint64_t resumed_at() const { return resumed_at_; }

 private:
  enum class reading { undecided, keeps, skips };

  [[nodiscard]] bool open(CURL* easy);
  [[nodiscard]] bool open_whole(CURL* easy);
  [[nodiscard]] bool open_rest(CURL* easy);
  [[nodiscard]] bool mismatch(std::string words);
  [[nodiscard]] bool is_within_limit(std::uint64_t size, char const* verb);
  void restart();
  [[nodiscard]] bool is_resumable() const;
  [[nodiscard]] bool has_right_checksum();

  spool* into_;
  wishes wishes_;
  std::uint64_t base_;  // in the spool
  std::uint64_t held_ = 0;
  beginning known_;
  std::function<void(beginning const*)> tell_;

  // Of this attempt:
  std::uint64_t asked_from_ = 0;
  std::uint64_t resumed_at_ = 0;
  std::optional<std::uint64_t> end_;  // of the part that is received
  std::uint64_t skipped_ = 0;
  reading reading_ = reading::undecided;
  std::optional<fault> fault_;
  std::exception_ptr thrown_;
};

}  // namespace anew_get

#endif
