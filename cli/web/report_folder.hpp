// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "farm/store.hpp"
#include "plot/report_kind.hpp"

namespace kernbench::cli::web {

/// A file open for reading.
class OpenFile {
 public:
  /// Takes ownership of a file descriptor.
  OpenFile(int descriptor, const struct stat& status);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Returns the modification time in seconds since 1970.
  [[nodiscard]] std::int64_t modified() const { return modified_; }
  /// Reads up to `size` bytes at `offset`. Returns fewer at the end and none after a read error.
  [[nodiscard]] std::string read(std::uint64_t offset, std::size_t size) const;

 private:
  int descriptor_;
  std::uint64_t bytes_;
  std::int64_t modified_;
};

/// Gives access to the reports below one folder and to no other file. Names are resolved folder by
/// folder from the open root, and symbolic links are never followed. The folder may appear and
/// disappear; every call opens it again.
class ReportFolder {
 public:
  /// `kinds` of reports have pages.
  explicit ReportFolder(std::filesystem::path root, plot::ReportKinds kinds = {})
      : root_(std::move(root)), kinds_(std::move(kinds)) {}

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

  /// Opens a file by its name relative to the root. Returns null unless it is a regular file of a
  /// known type. Names with an empty, "." or ".." component, a hidden component or a NUL are
  /// rejected.
  [[nodiscard]] std::shared_ptr<const OpenFile> open(std::string_view name) const;

  /// Reads the database of a sweep by its name, in the same way. Returns nothing unless it is a
  /// regular file that ends with ".db". Throws common::BadInput if it is not readable as a sweep.
  [[nodiscard]] std::optional<farm::Table> sweep(std::string_view name) const;

  /// Lists the reports, the latest first: path, bytes, modified (seconds since 1970), kind and
  /// outcome if the file contains them, whether its kind has a page, and the
  /// number of rows of a sweep.
  [[nodiscard]] nlohmann::json list() const;

  /// Returns the media type of a file extension; empty for files that are not served.
  [[nodiscard]] static std::string_view media_type(std::string_view name);

 private:
  std::filesystem::path root_;
  plot::ReportKinds kinds_;
};

}  // namespace kernbench::cli::web
