// SPDX-License-Identifier: Apache-2.0
#include "farm/folder_vfs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace kernbench::farm {
namespace {

// Bytes that programs lock, as SQLite's file format has them.
constexpr off_t kPendingByte = 0x40000000;
constexpr off_t kReservedByte = kPendingByte + 1;
constexpr off_t kSharedFirst = kPendingByte + 2;
constexpr off_t kSharedBytes = 510;

/// A file that SQLite allocates.
struct DatabaseFile {
  sqlite3_file base;
  int descriptor;
};

int descriptor_of(sqlite3_file* file) {
  return reinterpret_cast<DatabaseFile*>(file)->descriptor;
}

/// A lock of the open file. SQLite's locks belong to the process: it loses them when another thread
/// closes the same file.
struct flock lock_of(short type, off_t first, off_t bytes) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = first;
  lock.l_len = bytes;
  return lock;
}

bool set_lock(sqlite3_file* file, short type, off_t first, off_t bytes) {
  struct flock lock = lock_of(type, first, bytes);
  return fcntl(descriptor_of(file), F_OFD_SETLK, &lock) == 0;
}

int close_file(sqlite3_file* file) {
  ::close(descriptor_of(file));
  return SQLITE_OK;
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  auto* const bytes = static_cast<char*>(out);
  int done = 0;
  while (done < size) {
    const ssize_t got = pread(descriptor_of(file), bytes + done,
                              static_cast<std::size_t>(size - done), offset + done);
    if (got < 0) return SQLITE_IOERR_READ;
    if (got == 0) break;
    done += static_cast<int>(got);
  }
  if (done == size) return SQLITE_OK;
  std::memset(bytes + done, 0, static_cast<std::size_t>(size - done));
  return SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* /*file*/, const void* /*data*/, int /*size*/, sqlite3_int64 /*at*/) {
  return SQLITE_READONLY;
}

int truncate_file(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) {
  return SQLITE_READONLY;
}

int sync_file(sqlite3_file* /*file*/, int /*flags*/) {
  return SQLITE_OK;
}

int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
  struct stat status {};
  if (fstat(descriptor_of(file), &status) != 0) return SQLITE_IOERR_FSTAT;
  *size = status.st_size;
  return SQLITE_OK;
}

int lock_file(sqlite3_file* file, int level) {
  if (level > SQLITE_LOCK_SHARED) return SQLITE_READONLY;
  // A writer that waits for its readers holds the pending byte.
  if (!set_lock(file, F_RDLCK, kPendingByte, 1)) return SQLITE_BUSY;
  const bool locked = set_lock(file, F_RDLCK, kSharedFirst, kSharedBytes);
  set_lock(file, F_UNLCK, kPendingByte, 1);
  return locked ? SQLITE_OK : SQLITE_BUSY;
}

int unlock_file(sqlite3_file* file, int level) {
  if (level == SQLITE_LOCK_NONE) set_lock(file, F_UNLCK, kSharedFirst, kSharedBytes);
  return SQLITE_OK;
}

/// Tells whether another program writes: a journal without a writer is left from a killed one.
int check_reserved_lock(sqlite3_file* file, int* reserved) {
  struct flock lock = lock_of(F_WRLCK, kReservedByte, 1);
  if (fcntl(descriptor_of(file), F_OFD_GETLK, &lock) != 0) return SQLITE_IOERR_CHECKRESERVEDLOCK;
  *reserved = lock.l_type == F_UNLCK ? 0 : 1;
  return SQLITE_OK;
}

int control_file(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) {
  return SQLITE_NOTFOUND;
}

int sector_size(sqlite3_file* /*file*/) {
  return 0;  // the default
}

int device_characteristics(sqlite3_file* /*file*/) {
  return 0;
}

// Version 1 has no shared memory: SQLite refuses databases in WAL mode, which would need files
// beside the database.
constexpr sqlite3_io_methods kMethods = {1,
                                         close_file,
                                         read_file,
                                         write_file,
                                         truncate_file,
                                         sync_file,
                                         size_of_file,
                                         lock_file,
                                         unlock_file,
                                         check_reserved_lock,
                                         control_file,
                                         sector_size,
                                         device_characteristics,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr};

const char* last_part(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  return slash == nullptr ? path : slash + 1;
}

int refuse_to_delete(sqlite3_vfs* /*vfs*/, const char* /*path*/, int /*sync*/) {
  return SQLITE_READONLY;
}

}  // namespace

FolderVfs::FolderVfs(int folder)
    : folder_(folder),
      name_(fmt::format("folder-{}", static_cast<const void*>(this))),
      vfs_(*sqlite3_vfs_find(nullptr)) {
  vfs_.szOsFile = sizeof(DatabaseFile);
  vfs_.pNext = nullptr;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = open;
  vfs_.xDelete = refuse_to_delete;
  vfs_.xAccess = access;
  vfs_.xFullPathname = full_path;
  if (sqlite3_vfs_register(&vfs_, 0) != SQLITE_OK) throw std::bad_alloc();
}

FolderVfs::~FolderVfs() {
  sqlite3_vfs_unregister(&vfs_);
}

int FolderVfs::open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out) {
  file->pMethods = nullptr;
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
  const int folder = static_cast<FolderVfs*>(vfs->pAppData)->folder_;
  // O_NONBLOCK: opening a FIFO must not block.
  const int descriptor =
      openat(folder, last_part(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return SQLITE_CANTOPEN;
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return SQLITE_CANTOPEN;
  }
  reinterpret_cast<DatabaseFile*>(file)->descriptor = descriptor;
  file->pMethods = &kMethods;
  if (out != nullptr) *out = SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

/// SQLite asks only for a journal or a WAL file. It takes an empty one for none.
int FolderVfs::access(sqlite3_vfs* vfs, const char* path, int /*flags*/, int* exists) {
  const int folder = static_cast<FolderVfs*>(vfs->pAppData)->folder_;
  struct stat status {};
  const bool found = fstatat(folder, last_part(path), &status, AT_SYMLINK_NOFOLLOW) == 0;
  *exists = found && status.st_size > 0 ? 1 : 0;
  return SQLITE_OK;
}

int FolderVfs::full_path(sqlite3_vfs* /*vfs*/, const char* path, int size, char* out) {
  const std::string_view text(path);
  if (text.size() >= static_cast<std::size_t>(size)) return SQLITE_CANTOPEN;
  std::memcpy(out, path, text.size() + 1);
  return SQLITE_OK;
}

}  // namespace kernbench::farm
