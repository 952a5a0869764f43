#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace kernbench::cli::web {

/// A file that is open for reading.
class OpenFile {
 public:
  /// Takes over a file descriptor.
  OpenFile(int descriptor, const struct stat& status);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Seconds since 1970.
  [[nodiscard]] std::int64_t modified() const { return modified_; }
  /// Up to `size` bytes from `offset`; fewer at the end, none when it cannot be read.
  [[nodiscard]] std::string read(std::uint64_t offset, std::size_t size) const;

 private:
  int descriptor_;
  std::uint64_t bytes_;
  std::int64_t modified_;
};

/// The reports below one folder, and nothing beside them: names are followed a folder at a time
/// from the open root, and a symbolic link is never followed, wherever it leads. The folder may
/// come and go; each question looks anew.
class ReportFolder {
 public:
  explicit ReportFolder(std::filesystem::path root) : root_(std::move(root)) {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

  /// The file with this name relative to the root; null unless it is a regular file of a known
  /// type. Refused besides: empty names, "", "." and ".." between slashes, hidden names, NUL.
  [[nodiscard]] std::shared_ptr<const OpenFile> open(std::string_view name) const;

  /// All reports, the latest first: path, bytes, modified (seconds since 1970), and kind and
  /// outcome where the file tells.
  [[nodiscard]] nlohmann::json list() const;

  /// The media type by the extension; empty for files that are not served.
  [[nodiscard]] static std::string_view media_type(std::string_view name);

 private:
  std::filesystem::path root_;
};

}  // namespace kernbench::cli::web
