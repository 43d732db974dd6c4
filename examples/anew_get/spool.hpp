// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_GET_SPOOL_HPP
#define ANEW_GET_SPOOL_HPP

#include <string>
#include <string_view>

namespace anew_get {

/// A file without a name: it is gone with the process, however that ends. All functions but the destructor throw
/// std::system_error.
class spool {
 public:
  /// In the directory of `name` where that can be, so that it may get this name.
  explicit spool(std::string const& name);
  ~spool();
  spool(spool const&) = delete;
  spool& operator=(spool const&) = delete;

  void write(std::string_view data);
  /// Gives it the name if no file has it, and returns whether it did.
  [[nodiscard]] bool become(std::string const& name);
  /// Replaces what is in the file of that name, which stays what it is otherwise. First the space is reserved: when the
  /// disk is full, the old content stays.
  void copy_into(std::string const& name);

 private:
  int descriptor_;
};

}  // namespace anew_get

#endif
