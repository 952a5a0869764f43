// SPDX-License-Identifier: Apache-2.0
#include "common/atomic_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "common/activity.hpp"
#include "common/diagnostics.hpp"

namespace kernbench::common {
namespace {

/// Returns a name that is unique across the threads of this process and across processes.
std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.tmp-{}-{}", path.string(), getpid(), counter.fetch_add(1));
}

[[noreturn]] void refuse(const std::filesystem::path& path, const std::error_code& reason) {
  throw BadInput(fmt::format("cannot write '{}': {}", path.string(), reason.message()));
}

std::error_code last_error() {
  // A failed stream does not always set errno.
  return {errno == 0 ? EIO : errno, std::generic_category()};
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(temporary_name(path_)) {
  if (std::filesystem::is_directory(path_)) {
    refuse(path_, std::make_error_code(std::errc::is_a_directory));
  }
  errno = 0;
  out_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!out_) refuse(path_, last_error());
}

AtomicFile::~AtomicFile() {
  if (!pending_) return;
  out_.close();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  errno = 0;
  out_.close();
  if (!out_) refuse(path_, last_error());
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  if (error) refuse(path_, error);
  pending_ = false;
  if (activity_is_shown()) report_activity("wrote " + path_.string());
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content) {
  AtomicFile file(path);
  errno = 0;
  file.stream() << content << std::flush;
  if (!file.stream()) refuse(path, last_error());  // commit() no longer knows the reason
  file.commit();
}

void ensure_directory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (error) {
    throw BadInput(fmt::format("cannot create folder '{}': {}", path.string(), error.message()));
  }
}

}  // namespace kernbench::common
