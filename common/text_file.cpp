// SPDX-License-Identifier: Apache-2.0
#include "common/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <limits>
#include <system_error>

#include "common/activity.hpp"
#include "common/declared_outputs.hpp"
#include "common/diagnostics.hpp"
#include "common/utf8.hpp"

namespace kernbench::common {
namespace {

/// No terminal gives as much; /dev/zero and its like give bytes without an end.
constexpr std::size_t kMaxDeviceBytes = std::size_t{4} << 20U;

thread_local ReadFiles* g_read_files = nullptr;

}  // namespace

ReadFiles::ReadFiles() : outer_(g_read_files) {
  g_read_files = this;
}

ReadFiles::~ReadFiles() {
  g_read_files = outer_;
}

std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes) {
  const auto refuse = [&](const std::string& reason) {
    throw BadInput(fmt::format("cannot read '{}': {}",
                               printable(path.string(), std::numeric_limits<std::size_t>::max()),
                               reason));
  };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error) refuse(error.message());
  if (std::filesystem::is_directory(status)) refuse("it is a folder");
  if (std::filesystem::is_character_file(status)) max_bytes = std::min(max_bytes, kMaxDeviceBytes);
  require_not_output(path);
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(std::generic_category().message(errno));
  // Read in chunks: a pipe or a device has no size.
  std::string text;
  std::array<char, 65536> piece{};
  while (in && text.size() <= max_bytes) {
    in.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (text.size() > max_bytes) refuse(fmt::format("it has more than {} bytes", max_bytes));
  if (in.bad()) refuse(std::generic_category().message(errno));
  if (g_read_files != nullptr &&
      std::ranges::find(g_read_files->paths_, path) == g_read_files->paths_.end()) {
    g_read_files->paths_.push_back(path);
  }
  if (activity_is_shown()) {
    report_activity(fmt::format("read {}: {} bytes", path.string(), text.size()));
  }
  return text;
}

}  // namespace kernbench::common
