// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_PARTIAL_HPP
#define ANEW_GET_PARTIAL_HPP

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "body.hpp"
#include "spool.hpp"

namespace anew_get {

/// A FILE.part that cannot be used, and why; what() is the reason alone.
struct unusable_part : std::runtime_error {
  unusable_part(std::string which, std::string const& why) : std::runtime_error{why}, name{std::move(which)} {}
  std::string name;
};

/// The files that a run of --continue leaves to the next run: FILE.part holds the bytes, FILE.part.json says of which body
/// they are the beginning. The second is written before the first byte, so that a process that is killed leaves nothing that
/// deceives; it names the URL by its checksum, because a URL may hold a secret.
///
/// The files are trusted in part: they must belong to this user, and no other process may use them meanwhile. All functions
/// but the destructor throw std::system_error.
class partial {
 public:
  /// Throws unusable_part while another process has the files, and for a FILE.part that is a link, another user's,
  /// without a note, or the beginning of another URL.
  partial(std::string const& file, std::string const& url);
  /// Removes files in which there is nothing.
  ~partial();
  partial(partial const&) = delete;
  partial& operator=(partial const&) = delete;

  [[nodiscard]] spool& bytes() { return *bytes_; }
  /// The beginning that an earlier run has left for this URL.
  [[nodiscard]] std::optional<beginning> known() const;
  /// Nothing: what is received is of no use to a later run.
  void remember(beginning const* known) const;
  /// Moves the bytes to the file's own name, or copies them into a file that exists.
  void become_the_file();

 private:
  std::string file_;
  std::string part_;
  std::string note_;
  std::string url_sha256_;
  std::optional<spool> bytes_;
};

}  // namespace anew_get

#endif
