// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SPOOL_HPP
#define ANEW_GET_SPOOL_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace anew_get {

/// Keeps the bytes that were received in a file, so that memory does not grow with it. All functions but the destructor throw
/// std::system_error.
class spool {
 public:
  /// For what is passed on: in memory up to a mebibyte, then in a file without a name where the system keeps temporary
  /// files.
  spool() = default;
  /// A file without a name, which is gone with the process, however that ends. In the directory of `name` where that can
  /// be, so that it may get this name.
  explicit spool(std::string const& name);
  /// Takes over a descriptor, at the end of whose file it goes on.
  explicit spool(int descriptor);
  ~spool();
  spool(spool const&) = delete;
  spool& operator=(spool const&) = delete;

  [[nodiscard]] std::uint64_t size() const { return size_; }
  void write(std::string_view data);
  /// Forgets what is behind the first `size` bytes.
  void cut(std::uint64_t size);
  /// Calls `use` with the pieces from the byte at `from` to the end, in order, until it returns false.
  void read(std::uint64_t from, std::function<bool(std::string_view)> const& use) const;
  /// Gives it the name if no file has it, and returns whether it did.
  [[nodiscard]] bool become(std::string const& name);
  /// Replaces what is in the file of that name, which stays what it is otherwise. First the space is reserved: when the
  /// disk is full, the old content stays.
  void copy_into(std::string const& name);

 private:
  int descriptor_ = -1;
  std::string memory_;  // before there is a file
  std::uint64_t size_ = 0;
};

}  // namespace anew_get

#endif
