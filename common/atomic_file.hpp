#pragma once

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string_view>

namespace kernbench::common {

/// An output file that appears whole or not at all: it is written under a temporary name in the
/// same folder, and commit() renames it. Without commit(), as after an exception, nothing is left
/// and a former file of that name stays as it was.
class AtomicFile {
 public:
  /// Throws BadInput, naming the folder or the file, when it cannot be written.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] std::ostream& stream() { return out_; }
  /// Throws BadInput when anything could not be written (a full disk) or the rename fails.
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::ofstream out_;
  bool pending_ = true;
};

/// Writes `content` to `path` through an AtomicFile.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Creates the folder and those above it where they are missing. Throws BadInput, naming it, when
/// that fails or something else is in its place.
void ensure_directory(const std::filesystem::path& path);

}  // namespace kernbench::common
