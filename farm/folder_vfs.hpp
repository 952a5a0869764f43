// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sqlite3.h>

#include <string>

namespace kernbench::farm {

/// Opens one database of an open folder for SQLite, only for reading. SQLite itself opens paths and
/// resolves symbolic links in them; this opens the name in the folder, follows no link and accepts
/// regular files alone. Readers lock out writers while a statement runs, as with SQLite's own
/// files.
class FolderVfs {
 public:
  /// `folder` is a file descriptor, which must stay open as long as the database. The last part of
  /// a path is the name in the folder.
  explicit FolderVfs(int folder);
  ~FolderVfs();
  FolderVfs(const FolderVfs&) = delete;
  FolderVfs& operator=(const FolderVfs&) = delete;

  /// Returns its name for sqlite3_open_v2().
  [[nodiscard]] const char* name() const { return name_.c_str(); }

 private:
  static int open(sqlite3_vfs* vfs, const char* path, sqlite3_file* file, int flags, int* out);
  static int access(sqlite3_vfs* vfs, const char* path, int flags, int* exists);
  static int full_path(sqlite3_vfs* vfs, const char* path, int size, char* out);

  int folder_;
  std::string name_;
  sqlite3_vfs vfs_;
};

}  // namespace kernbench::farm
