// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_BRIDGES_PROCESS_INTERNAL_MAPPING_HPP
#define ANEW_BRIDGES_PROCESS_INTERNAL_MAPPING_HPP

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "anew/base/internal/shown.hpp"
#include "anew/base/internal/text.hpp"
#include "anew/base/platform/compiler.hpp"
#include "anew/base/platform/internal/atomic.hpp"
#include "anew/base/platform/internal/fork.hpp"
#include "anew/bridges/process/file_error.hpp"
#include "anew/bridges/process/internal/kept_file.hpp"
#include "anew/bridges/process/internal/place.hpp"
#include "anew/bridges/process/internal/requires_linux.hpp"  // before headers that others do not have
#include "anew/roles/quota.hpp"

namespace anew::inline ANEW_ABI::detail {

/// A permit and, in its upper half, how many forks lie before the process that took it. A forked child has copies of the
/// permits of its parent: the parent gives them back, and the child nothing.
using own_permit = std::uint64_t;

[[nodiscard]] inline std::optional<own_permit> owned(std::optional<std::uint32_t> granted) noexcept {
  if (!granted) return std::nullopt;
  return *granted == 0 ? 0 : own_permit{counted_fork_generation()} << 32U | *granted;
}
[[nodiscard]] inline std::uint32_t held_by(own_permit permit) noexcept { return static_cast<std::uint32_t>(permit); }
/// True for no permit, too.
[[nodiscard]] inline bool is_own(own_permit permit) noexcept {
  return permit == 0 || permit >> 32U == counted_fork_generation();
}

/// The contents of a quota's file. Every quota has the same size, so that another quota is recognised by its text.
struct quota_file {
  static constexpr std::uint64_t this_magic = 0x746f757177656e61U;  // "anewquot"
  static constexpr std::uint32_t this_layout = 2;
  static constexpr std::uint64_t is_ready = 0x7964616572U;  // "ready"
  static constexpr std::size_t text_size = 192;
  static constexpr std::size_t body_size = std::size_t{257} * 64;

  std::uint64_t magic;  // written first
  std::uint32_t layout;
  std::uint32_t size;
  std::uint64_t ready;  // written last
  std::uint64_t unused[5];
  char policy[text_size];  // as `describe()` writes it, and zeros
  alignas(64) unsigned char body[body_size];
};
static_assert(sizeof(quota_file) == 64 + quota_file::text_size + quota_file::body_size);
static_assert(__atomic_always_lock_free(sizeof(std::uint64_t), nullptr));

/// A quota's file in memory, and a lock that says that a process uses it.
///
/// The lock is on the first byte of the file, of the description that is mapped. A mapping keeps its description open, and
/// a forked child inherits both: so the file counts as used until the last process that counts in it has ended, whatever
/// descriptors were closed. The process that makes or removes the file has the lock alone; those that use it share it.
///
/// The process that makes the file writes `ready` last. If it is killed, the kernel frees the lock, and the next process
/// writes the file again. A file that is ready is never started again: words of an earlier boot are as good as those of
/// processes that ended, and a quota that has times in it finds out that they are not its own. Nothing of the contents is
/// used as an index or a length.
class quota_mapping {
 public:
  static constexpr off_t byte_of_life = 0;

  /// `policy` is the text of the quota; `first` is the first word of the body of a new file; `patience` is how many
  /// milliseconds to wait for another process that is making it.
  quota_mapping(std::string_view place, std::string const& policy, std::uint32_t first, kept_files& all,
                int patience = 1000)
      : all_{&all}, place_{place} {
    if (policy.size() >= quota_file::text_size) refuse("text of the quota is too long");
    if (!place_.make_directory()) refuse_by_system("mkdir");
    for (int tries = 0; !try_to_map(policy, first); ++tries) {
      if (tries >= patience) refuse("another process has been making it for too long; is it stopped?");
      std::timespec const pause{.tv_sec = 0, .tv_nsec = 1'000'000};
      static_cast<void>(::nanosleep(&pause, nullptr));
    }
    check_contents(policy);
  }

  [[nodiscard]] void* body() const noexcept { return mapped_->body; }
  /// The name or the path that the user wrote.
  [[nodiscard]] std::string const& place() const noexcept { return place_.text(); }
  [[nodiscard]] std::string const& path() const noexcept { return place_.path(); }
  [[nodiscard]] kept_files& all() const noexcept { return *all_; }

  /// Opens the same file, for locks of one process. False, with `errno`, when it is not there any more (ESTALE: another
  /// one is), or when the user may not open it.
  [[nodiscard]] bool open_again(kept_file& file) const {
    auto const directory = place_.directory();
    return directory.descriptor >= 0 && file.open(directory.descriptor, place_.file_name(), O_NOFOLLOW, identity_);
  }

  /// Says that the file was removed; empty while other processes find it at its path.
  [[nodiscard]] std::string trouble() const {
    auto const directory = place_.directory();
    struct ::stat found{};
    if (directory.descriptor >= 0 &&
        ::fstatat(directory.descriptor, place_.file_name(), &found, AT_SYMLINK_NOFOLLOW) == 0) {
      return file_identity{found.st_dev, found.st_ino} == identity_ ? std::string{}
                                                                    : "was removed, and another file has its name";
    }
    return errno == ENOENT
               ? "was removed, or is outside of this root directory; a process that opens it now shares another quota"
               : "";
  }

  [[noreturn]] ANEW_COLD void refuse(std::string const& why) const { detail::refuse_file(path(), why); }
  [[noreturn]] ANEW_COLD void refuse_by_system(char const* operation) const {
    detail::refuse_by_system(path(), operation);
  }

 private:
  struct unmap {
    void operator()(quota_file* at) const noexcept { ::munmap(at, sizeof(quota_file)); }
  };

  /// False while another process makes the file, or when one has just removed it.
  [[nodiscard]] bool try_to_map(std::string const& policy, std::uint32_t first) {
    kept_file file{*all_};
    auto const directory = place_.directory();
    if (directory.why != nullptr) refuse(directory.why);
    if (directory.descriptor < 0 || !file.open(directory.descriptor, place_.file_name(), O_CREAT | O_NOFOLLOW)) {
      refuse_by_system("open");
    }
    auto found = check_rights(file);
    // A umask may have taken away the rights of the user, too.
    if (found.st_size == 0 && ::fchmod(file.descriptor(), S_IRUSR | S_IWUSR) != 0) refuse_by_system("fchmod");
    bool const is_alone = file.lock_byte(byte_of_life);
    if (!is_alone && !file.share_byte(byte_of_life)) {
      if (!kept_file::is_taken(errno)) refuse_by_system("lock");
      return false;
    }
    found = check_rights(file);
    if (found.st_nlink == 0) return false;
    if (is_alone && lacks_room(found)) make_room(file);
    if (!is_alone && found.st_size == 0) return false;
    check_size(file);
    auto* const at = ::mmap(nullptr, sizeof(quota_file), PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor(), 0);
    if (at == MAP_FAILED) refuse_by_system("mmap");
    mapped_.reset(static_cast<quota_file*>(at));
    if (ready().load_acquire() != quota_file::is_ready) {
      if (is_alone) start(policy, first);
      if (!is_alone) mapped_.reset(nullptr);  // its maker was killed
    }
    if (is_alone && !file.share_byte(byte_of_life)) refuse_by_system("lock");
    identity_ = file.identity();
    return mapped_ != nullptr;
  }

  [[nodiscard]] struct ::stat check_rights(kept_file const& file) const {
    struct ::stat found{};
    if (::fstat(file.descriptor(), &found) != 0) refuse_by_system("fstat");
    if (!S_ISREG(found.st_mode)) refuse("is not a regular file");
    if (auto const why = detail::belongs_to_another_user(found.st_uid); !why.empty()) refuse(why);
    if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0) refuse("gives rights to other users; remove them (chmod 600)");
    return found;
  }

  static bool lacks_room(struct ::stat const& found) noexcept {
    constexpr off_t size = sizeof(quota_file);
    return found.st_size == 0 || (found.st_size == size && off_t{found.st_blocks} * 512 < size);
  }
  /// Gives an empty file its size, and the memory that it needs: a page that cannot be had would raise SIGBUS.
  void make_room(kept_file const& file) const {
    struct ::rlimit most{};
    if (::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < sizeof(quota_file)) {  // else SIGXFSZ
      refuse("needs " + std::to_string(sizeof(quota_file)) + " bytes, but a file of this process may have " +
             std::to_string(most.rlim_cur) + " (RLIMIT_FSIZE)");
    }
    errno = ::posix_fallocate(file.descriptor(), 0, sizeof(quota_file));
    if (errno != 0) refuse_by_system("fallocate");
  }
  void check_size(kept_file const& file) const {
    auto const size = check_rights(file).st_size;
    if (size == off_t{sizeof(quota_file)}) return;
    std::uint64_t head[2]{};
    bool const is_ours = ::pread(file.descriptor(), head, sizeof(head), 0) == static_cast<ssize_t>(sizeof(head)) &&
                         head[0] == quota_file::this_magic;
    auto const layout = static_cast<std::uint32_t>(head[1]);
    if (is_ours && layout != quota_file::this_layout) refuse_layout(layout);
    refuse("has " + std::to_string(size) + " bytes, but a quota has " + std::to_string(sizeof(quota_file)));
  }

  void start(std::string const& policy, std::uint32_t first) {
    auto& contents = *mapped_;
    check_that_it_may_be_written();
    ready().store_release(0);
    atomic_view<std::uint64_t>{contents.magic}.store_release(quota_file::this_magic);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // a kill comes between two instructions
    contents.layout = quota_file::this_layout;
    contents.size = sizeof(quota_file);
    std::memset(contents.policy, 0, quota_file::text_size);
    std::memcpy(contents.policy, policy.data(), policy.size());
    std::memset(contents.body, 0, quota_file::body_size);
    std::memcpy(contents.body, &first, sizeof(first));
    ready().store_release(quota_file::is_ready);
  }
  /// A file of zeros is one whose maker was killed before the first word.
  void check_that_it_may_be_written() const {
    auto const& contents = *mapped_;
    auto const* const bytes = reinterpret_cast<unsigned char const*>(&contents);
    if (contents.magic == quota_file::this_magic) {
      if (contents.layout != quota_file::this_layout && contents.layout != 0) refuse_layout(contents.layout);
    } else if (std::any_of(bytes, bytes + sizeof(contents), [](auto byte) { return byte != 0; })) {
      refuse("has other contents than a quota");
    }
  }
  void check_contents(std::string const& policy) const {
    auto const& contents = *mapped_;
    if (contents.magic != quota_file::this_magic) refuse("has other contents than a quota");
    if (contents.layout != quota_file::this_layout) refuse_layout(contents.layout);
    std::string const found{contents.policy, ::strnlen(contents.policy, quota_file::text_size)};
    if (found == policy) return;
    refuse("holds " + detail::shown(found, quota_file::text_size) + ", but " + policy + " was asked for");
  }
  [[noreturn]] void refuse_layout(std::uint32_t found) const {
    refuse("has layout " + std::to_string(found) + ", but this build reads layout " +
           std::to_string(quota_file::this_layout));
  }

  [[nodiscard]] atomic_view<std::uint64_t> ready() const noexcept { return atomic_view<std::uint64_t>{mapped_->ready}; }

  kept_files* all_;
  quota_place place_;
  file_identity identity_{};
  std::unique_ptr<quota_file, unmap> mapped_;
};

/// A quota in a file: its copies share what was opened, a mapping and the numbers of the plain quota.
template <class Opened>
class file_quota {
 public:
  static constexpr bool keeps_nothing = true;  // in a snapshot: the file keeps it

  file_quota(file_quota const&) = default;  // and so no move: a handle always has its quota
  file_quota& operator=(file_quota const&) = default;
  ~file_quota() = default;

  /// The path of the file.
  [[nodiscard]] std::string const& path() const noexcept { return opened_->mapping.path(); }

  /// Returns its promises at so many attempts of a call, of all processes together. Include anew/bounds.hpp.
  template <class Promise = quota_promise>
  [[nodiscard]] auto promises(std::uint64_t attempts) const noexcept {
    return opened_->numbers.template promises<Promise>(attempts);
  }
  [[nodiscard]] std::string describe() const {
    return detail::written("process", opened_->mapping.place(), opened_->numbers);
  }

 protected:
  explicit file_quota(std::shared_ptr<Opened> opened) noexcept : opened_{std::move(opened)} {}

  std::shared_ptr<Opened> opened_;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
