// SPDX-License-Identifier: Apache-2.0
#include "common/temporary_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <regex>
#include <system_error>
#include <utility>
#include <vector>

namespace kernbench::common {
namespace {

namespace fs = std::filesystem;

/// A slot is filled only by the thread that took it from Free, and read only when Full.
struct Slot {
  enum class State : char { Free, Filling, Full };
  std::atomic<State> state{State::Free};
  std::array<char, PATH_MAX> path{};
};
static_assert(std::atomic<Slot::State>::is_always_lock_free,
              "a signal handler may only use lock-free atomics");

std::array<Slot, TemporaryFileEntry::kMaxEntries> g_slots;

/// The head of an entry that getdents64() returns; its name follows.
struct DirectoryEntry {
  ino64_t inode;
  off64_t offset;
  unsigned short size;
  unsigned char type;
};
constexpr std::size_t kNameAt = 19;

/// Deletes what is in a folder. Async-signal-safe, as opendir() is not. Returns false if nothing
/// was deleted.
bool empty_folder(int folder) {
  bool deleted = false;
  alignas(DirectoryEntry) std::array<char, 4096> buffer{};
  for (long bytes = 0;
       (bytes = syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0;) {
    for (long at = 0; at < bytes;) {
      DirectoryEntry entry{};
      std::memcpy(&entry, buffer.data() + at, kNameAt);
      const char* const name = buffer.data() + at + kNameAt;
      at += entry.size;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      if (unlinkat(folder, name, 0) == 0) {
        deleted = true;
        continue;
      }
      if (errno != EISDIR && errno != EPERM) continue;
      const int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner < 0) continue;
      while (empty_folder(inner)) lseek(inner, 0, SEEK_SET);
      close(inner);
      deleted = unlinkat(folder, name, AT_REMOVEDIR) == 0 || deleted;
    }
  }
  return deleted;
}

/// Deletes a file, or a folder with its content. Async-signal-safe.
void remove_tree(const char* path) {
  if (unlink(path) == 0 || (errno != EISDIR && errno != EPERM)) return;
  const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  while (empty_folder(folder)) lseek(folder, 0, SEEK_SET);
  close(folder);
  rmdir(path);
}

/// Returns the names in a folder that end as temporary ones do. A process looks into each folder
/// once: what others leave later is for their next run.
const std::vector<std::string>& temporary_names_in(const fs::path& folder) {
  static std::mutex mutex;
  static std::map<fs::path, std::vector<std::string>> known;
  static const std::regex kEnd(R"(.*\.tmp-[0-9]+-[0-9]+)");
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = known.try_emplace(folder);
  if (!is_new) return found->second;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end; !error && at != end;
       at.increment(error)) {
    std::string name = at->path().filename().string();
    if (name.find(".tmp-") != std::string::npos && std::regex_match(name, kEnd)) {
      found->second.push_back(std::move(name));
    }
  }
  return found->second;
}

/// Opens a file or folder of this user and locks it. Returns -1 if it is in use, or not ours.
int locked(const fs::path& path, unsigned kind) {
  const int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int descriptor = open(path.c_str(), flags | (kind == S_IFDIR ? O_RDONLY : O_RDWR));
  struct stat state {};
  if (descriptor >= 0 && fstat(descriptor, &state) == 0 && (state.st_mode & S_IFMT) == kind &&
      state.st_uid == geteuid() && flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
    return descriptor;
  }
  if (descriptor >= 0) close(descriptor);
  return -1;
}

/// Deletes what killed processes have left under temporary names that begin with `stem`.
void remove_left(const fs::path& stem, unsigned kind) {
  const fs::path folder = stem.parent_path();
  const std::string begin = stem.filename().string() + ".tmp-";
  for (const std::string& name : temporary_names_in(folder)) {
    if (!name.starts_with(begin) || name.find(".tmp-", begin.size()) != std::string::npos) continue;
    const int left = locked(folder / name, kind);
    if (left < 0) continue;
    remove_tree((folder / name).c_str());
    close(left);
  }
}

/// Returns another name of a temporary file at each call.
std::string next_name(const fs::path& stem) {
  static std::atomic<unsigned> counter{0};
  // Unique across the threads of this process and across processes.
  return fmt::format("{}.tmp-{}-{}", stem.string(), getpid(), counter.fetch_add(1));
}

/// Locks a new file. Returns false if another process has locked it first, to delete it.
bool lock_new(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;  // not supported
  struct stat state {};
  return fstat(descriptor, &state) == 0 && state.st_nlink > 0;
}

[[noreturn]] void fail_with(int reason) {
  throw std::system_error(reason, std::generic_category());
}

}  // namespace

TemporaryFileEntry::TemporaryFileEntry(std::string_view path) {
  if (path.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < kMaxEntries; ++i) {
    Slot& slot = g_slots.at(i);
    Slot::State expected = Slot::State::Free;
    if (!slot.state.compare_exchange_strong(expected, Slot::State::Filling)) continue;
    *std::copy(path.begin(), path.end(), slot.path.begin()) = '\0';
    slot.state.store(Slot::State::Full);
    slot_ = i;
    return;
  }
}

TemporaryFileEntry::~TemporaryFileEntry() {
  if (slot_ < kMaxEntries) g_slots.at(slot_).state.store(Slot::State::Free);
}

void remove_temporary_files() {
  for (Slot& slot : g_slots) {
    if (slot.state.load() == Slot::State::Full) remove_tree(slot.path.data());
  }
}

TemporaryFile::TemporaryFile(fs::path target) : target_(std::move(target)) {
  constexpr mode_t kNewFile = 0666;
  constexpr std::size_t kNameBytes = 200;  // of at most 255
  const fs::path stem = target_.parent_path() / target_.filename().string().substr(0, kNameBytes);
  remove_left(stem, S_IFREG);
  for (;;) {
    path_ = next_name(stem);
    entry_.emplace(path_);
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile);
    if (file_ >= 0 && lock_new(file_)) return;
    const int reason = errno;
    entry_.reset();
    // A process of the same number may have left a file when it was killed.
    if (file_ < 0 && reason != EEXIST) fail_with(reason);
    if (file_ >= 0) close(file_);
  }
}

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) close(file_);
  if (entry_) unlink(path_.c_str());
}

int TemporaryFile::descriptor() const {
  const int copy = fcntl(file_, F_DUPFD_CLOEXEC, 3);
  if (copy < 0) fail_with(errno);
  return copy;
}

void TemporaryFile::become_target() {
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail_with(errno);
  entry_.reset();
}

void TemporaryFolder::remove_left(const fs::path& name) {
  common::remove_left(name, S_IFDIR);
}

TemporaryFolder::TemporaryFolder(const fs::path& name) {
  remove_left(name);
  for (;;) {
    path_ = next_name(name);
    entry_.emplace(path_);
    if (mkdir(path_.c_str(), 0777) == 0) {
      folder_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (folder_ >= 0 && lock_new(folder_)) return;
      if (folder_ < 0) fail_with(errno);
      close(folder_);
      continue;
    }
    const int reason = errno;
    entry_.reset();
    if (reason != EEXIST) fail_with(reason);
  }
}

TemporaryFolder::~TemporaryFolder() {
  remove_tree(path_.c_str());
  if (folder_ >= 0) close(folder_);
}

}  // namespace kernbench::common
