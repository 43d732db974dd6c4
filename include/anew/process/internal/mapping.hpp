// SPDX-License-Identifier: BSL-1.0
#ifndef ANEW_PROCESS_INTERNAL_MAPPING_HPP
#define ANEW_PROCESS_INTERNAL_MAPPING_HPP

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>

#include "anew/platform/compiler.hpp"
#include "anew/platform/internal/atomic.hpp"
#include "anew/process/file_error.hpp"
#include "anew/process/internal/boot_id.hpp"
#include "anew/process/internal/kept_file.hpp"
#include "anew/process/internal/place.hpp"
#include "anew/process/internal/requires_linux.hpp"  // before headers that others do not have

namespace anew::inline ANEW_ABI::detail {

/// The contents of a quota's file. Every quota has the same size, so that another quota is recognised by its text.
struct quota_file {
  static constexpr std::uint64_t this_magic = 0x746f757177656e61U;  // "anewquot"
  static constexpr std::uint32_t this_layout = 1;
  static constexpr std::uint64_t is_ready = 0x7964616572U;  // "ready"
  static constexpr std::size_t text_size = 192;
  static constexpr std::size_t body_size = std::size_t{65} * 64;

  std::uint64_t magic;  // written first
  std::uint32_t layout;
  std::uint32_t size;
  host_boot boot;
  std::uint64_t ready;  // written last
  std::uint64_t unused[3];
  char policy[text_size];  // as `describe()` writes it, and zeros
  alignas(64) unsigned char body[body_size];
};
static_assert(sizeof(quota_file) == 64 + quota_file::text_size + quota_file::body_size);
static_assert(__atomic_always_lock_free(sizeof(std::uint64_t), nullptr));

/// A quota's file in memory: opened, checked, and made where it does not exist.
///
/// The process that makes it locks its first byte and writes `ready` last. If that process is killed, the kernel frees the
/// lock, and the next process writes the file again. Nothing of the contents is used as an index or a length.
class quota_mapping {
 public:
  /// `policy` is the text of the quota; `first` is the first word of the body of a new file; `patience` is how many
  /// milliseconds to wait for another process that is making it.
  quota_mapping(std::string_view place, std::string const& policy, std::uint32_t first, kept_files& all,
                int patience = 1000)
      : patience_{patience}, place_{place}, path_{detail::absolute(detail::path_of_quota(place))}, file_{all} {
    if (policy.size() >= quota_file::text_size) refuse("text of the quota is too long");
    if (!file_.open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)) refuse_by_system("open");
    auto const found = check_rights();
    // A umask may have taken away the rights of the user, too.
    if (found.st_size == 0 && ::fchmod(file_.descriptor(), S_IRUSR | S_IWUSR) != 0) refuse_by_system("fchmod");
    if (lacks_room(found)) make_room();
    check_size();
    map();
    if (!is_ready()) {
      lock_creation();
      if (!is_ready()) start(policy, first);
      file_.unlock_byte(0);
    }
    check_contents(policy);
  }
  quota_mapping(quota_mapping const&) = delete;
  quota_mapping& operator=(quota_mapping const&) = delete;
  ~quota_mapping() {
    if (contents_ != nullptr) ::munmap(contents_, sizeof(quota_file));
  }

  [[nodiscard]] void* body() const noexcept { return contents_->body; }
  /// The name or the path that the user wrote.
  [[nodiscard]] std::string const& place() const noexcept { return place_; }
  [[nodiscard]] std::string const& path() const noexcept { return path_; }
  /// Its locks; it is not what is mapped.
  [[nodiscard]] kept_file& file() noexcept { return file_; }
  /// For quotas without locks.
  void close_file() noexcept { file_.close(); }

  /// Opens the same file again, in a forked child. False, with `errno`, when it is not there any more (ESTALE: another
  /// one is), or when the user of the child may not open it.
  [[nodiscard]] bool open_again() noexcept { return open_same(file_); }

  [[noreturn]] ANEW_COLD void refuse(std::string const& why) const { detail::refuse_file(path_, why); }

  [[noreturn]] ANEW_COLD void refuse_by_system(char const* operation) const {
    auto const error = errno;
    refuse(std::string{operation}.append(": ").append(std::generic_category().message(error)));
  }

 private:
  [[nodiscard]] bool open_same(kept_file& file) const noexcept {
    return file.open(path_.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, file_.identity());
  }

  [[nodiscard]] struct ::stat look() const {
    struct ::stat found{};
    if (::fstat(file_.descriptor(), &found) != 0) refuse_by_system("fstat");
    return found;
  }
  [[nodiscard]] struct ::stat check_rights() const {
    auto const found = look();
    if (!S_ISREG(found.st_mode)) refuse("is not a regular file");
    if (auto const why = detail::belongs_to_another_user(found.st_uid); !why.empty()) refuse(why);
    if ((found.st_mode & (S_IRWXG | S_IRWXO)) != 0) refuse("gives rights to other users; remove them (chmod 600)");
    return found;
  }

  void lock_creation() const {
    for (int tries = 0; !file_.lock_byte(0); ++tries) {
      if (errno != EAGAIN && errno != EACCES && errno != EINTR) refuse_by_system("lock");
      if (tries >= patience_) refuse("another process has been making it for too long; is it stopped?");
      std::timespec const pause{.tv_sec = 0, .tv_nsec = 1'000'000};
      static_cast<void>(::nanosleep(&pause, nullptr));
    }
  }

  static bool lacks_room(struct ::stat const& found) noexcept {
    constexpr off_t size = sizeof(quota_file);
    return found.st_size == 0 || (found.st_size == size && off_t{found.st_blocks} * 512 < size);
  }
  /// Gives an empty file its size, and the memory that it needs: a page that cannot be had would raise SIGBUS.
  void make_room() const {
    lock_creation();
    if (lacks_room(look())) {
      auto const error = ::posix_fallocate(file_.descriptor(), 0, sizeof(quota_file));
      errno = error;
      if (error != 0) refuse_by_system("fallocate");
    }
    file_.unlock_byte(0);
  }
  void check_size() const {
    auto const size = look().st_size;
    if (size == static_cast<off_t>(sizeof(quota_file))) return;
    std::uint64_t head[2]{};
    bool const is_ours = ::pread(file_.descriptor(), head, sizeof(head), 0) == static_cast<ssize_t>(sizeof(head)) &&
                         head[0] == quota_file::this_magic;
    auto const layout = static_cast<std::uint32_t>(head[1]);
    if (is_ours && layout != quota_file::this_layout) refuse_layout(layout);
    refuse(std::string{"has "}
               .append(std::to_string(size))
               .append(" bytes, but a quota has ")
               .append(std::to_string(sizeof(quota_file))));
  }
  /// By a description of its own: a forked child has the mapping, and with it the description, as long as it lives. The
  /// locks of that description would so outlive a parent that is killed.
  void map() {
    kept_file mapped{file_.all()};
    if (!open_same(mapped)) {
      if (errno == ENOENT || errno == ESTALE) refuse("was removed while it was opened");
      refuse_by_system("open");
    }
    auto* const at = ::mmap(nullptr, sizeof(quota_file), PROT_READ | PROT_WRITE, MAP_SHARED, mapped.descriptor(), 0);
    if (at == MAP_FAILED) refuse_by_system("mmap");
    contents_ = static_cast<quota_file*>(at);
  }

  /// False also for a file from before the last boot: its processes are gone, and its times mean nothing.
  [[nodiscard]] bool is_ready() const {
    if (ready().load_acquire() != quota_file::is_ready) return false;
    auto const now = host_boot::this_one();
    return now == contents_->boot || !now.is_known() || !contents_->boot.is_known();
  }

  void start(std::string const& policy, std::uint32_t first) {
    check_that_it_may_be_written();
    ready().store_release(0);
    atomic_view<std::uint64_t>{contents_->magic}.store_release(quota_file::this_magic);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // a kill comes between two instructions
    contents_->layout = quota_file::this_layout;
    contents_->size = sizeof(quota_file);
    contents_->boot = host_boot::this_one();
    std::memset(contents_->policy, 0, quota_file::text_size);
    std::memcpy(contents_->policy, policy.data(), policy.size());
    std::memset(contents_->body, 0, quota_file::body_size);
    std::memcpy(contents_->body, &first, sizeof(first));
    ready().store_release(quota_file::is_ready);
  }
  /// A file of zeros is one whose maker was killed before the first word.
  void check_that_it_may_be_written() const {
    if (contents_->magic == quota_file::this_magic) {
      if (contents_->layout != quota_file::this_layout && contents_->layout != 0) refuse_layout(contents_->layout);
      return;
    }
    auto const* const bytes = reinterpret_cast<unsigned char const*>(contents_);
    for (std::size_t i = 0; i != sizeof(quota_file); ++i) {
      if (bytes[i] != 0) refuse("has other contents than a quota");
    }
  }
  void check_contents(std::string const& policy) const {
    if (contents_->magic != quota_file::this_magic) refuse("has other contents than a quota");
    if (contents_->layout != quota_file::this_layout) refuse_layout(contents_->layout);
    std::string found;
    for (char const c : contents_->policy) {
      if (c == 0) break;
      found.append(1, c < ' ' || c > '~' ? '?' : c);
    }
    if (found == policy) return;
    refuse(std::string{"holds "}.append(found).append(", but ").append(policy).append(" was asked for"));
  }
  [[noreturn]] void refuse_layout(std::uint32_t found) const {
    refuse(std::string{"has layout "}
               .append(std::to_string(found))
               .append(", but this build reads layout ")
               .append(std::to_string(quota_file::this_layout)));
  }

  [[nodiscard]] atomic_view<std::uint64_t> ready() const noexcept {
    return atomic_view<std::uint64_t>{contents_->ready};
  }

  int patience_;
  std::string place_;
  std::string path_;
  kept_file file_;
  quota_file* contents_ = nullptr;
};

}  // namespace anew::inline ANEW_ABI::detail

#endif
