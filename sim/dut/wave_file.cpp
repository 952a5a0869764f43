// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/wave_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "common/diagnostics.hpp"

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;

// Kinds of parts of an FST.
constexpr unsigned kHeaderPart = 0;
constexpr unsigned kGeometryPart = 3;
constexpr unsigned kFirstHierarchyPart = 4;  ///< compressed in three ways
constexpr unsigned kLastKind = 8;

[[noreturn]] void refuse_wave(const fs::path& path, const std::string& reason) {
  throw common::BadInput(fmt::format("cannot write '{}': {}", path.string(), reason));
}

common::TemporaryFolder folder_beside(const fs::path& path) {
  try {
    return common::TemporaryFolder(path);
  } catch (const std::system_error& error) {
    refuse_wave(path, error.code().message());
  }
}

/// Returns why a file in the folder is incomplete: the writer of waves does not say.
std::string reason_in(const fs::path& folder) {
  const fs::path probe = folder / "probe";
  const int file = open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  std::string reason = file < 0 ? std::generic_category().message(errno) : "it is incomplete";
  const std::vector<char> block(std::size_t{1} << 16U, 'x');
  // The first write may be cut short; the next one fails.
  for (int i = 0; file >= 0 && i < 16; ++i) {
    if (write(file, block.data(), block.size()) >= 0) continue;
    reason = std::generic_category().message(errno);
    break;
  }
  if (file >= 0) close(file);
  return reason;
}

}  // namespace

bool is_whole_fst(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  bool header = false;
  bool geometry = false;
  bool hierarchy = false;
  std::uintmax_t at = 0;
  for (std::array<unsigned char, 9> head{}; !error && at < size;) {
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(reinterpret_cast<char*>(head.data()), head.size())) return false;
    const unsigned kind = head[0];
    std::uint64_t length = 0;  // with its own eight bytes
    for (std::size_t i = 1; i < head.size(); ++i) length = length << 8U | head.at(i);
    if (kind > kLastKind || length < 8 || length > size - at - 1) return false;
    header = header || kind == kHeaderPart;
    geometry = geometry || kind == kGeometryPart;
    hierarchy = hierarchy || kind == kFirstHierarchyPart || kind == kFirstHierarchyPart + 2 ||
                kind == kFirstHierarchyPart + 3;
    at += 1 + length;
  }
  return header && geometry && hierarchy;
}

WaveFile::WaveFile(fs::path path) : path_(std::move(path)), folder_(folder_beside(path_)) {}

std::string WaveFile::written_path() const {
  return folder_.path() + "/wave.fst";
}

void WaveFile::commit() {
  const fs::path written = written_path();
  if (!is_whole_fst(written)) {
    refuse_wave(path_, reason_in(folder_.path()));
  }
  std::error_code error;
  fs::rename(written, path_, error);
  if (error) refuse_wave(path_, error.message());
}

}  // namespace kernbench::sim
