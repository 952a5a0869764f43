// SPDX-License-Identifier: Apache-2.0
#include "cli/base/picture_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string_view>

#include "cli/base/options.hpp"
#include "common/atomic_file.hpp"
#include "common/child_process.hpp"
#include "common/diagnostics.hpp"
#include "common/temporary_files.hpp"
#include "common/text_file.hpp"

namespace kernbench::cli {
namespace {

constexpr std::array<std::string_view, 3> kSuffixes = {".svg", ".pdf", ".png"};
constexpr const char* kConverter = "rsvg-convert";

/// Returns the suffix of a path in small letters; ".svg" without one, for "-", a pipe and a device.
std::string suffix_of(const std::string& path) {
  std::error_code missing;
  const auto status = std::filesystem::status(path, missing);
  const bool is_special = std::filesystem::exists(status) && std::filesystem::is_other(status);
  const bool is_device =
      std::filesystem::is_character_file(status) || std::filesystem::is_fifo(status);
  if (path == "-" || is_special || is_device) return ".svg";
  std::string suffix = std::filesystem::path(path).extension().string();
  if (suffix.empty()) return ".svg";
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix;
}

}  // namespace

Check output_picture() {
  Check check = output_file();
  check.problem = [own = check.problem](const std::string& path) {
    std::string problem = own(path);
    const std::string suffix = suffix_of(path);
    const bool is_known = std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
    if (problem.empty() && !is_known) {
      problem = fmt::format("'{}' has another suffix than the pictures .svg, .pdf and .png", path);
    }
    return problem;
  };
  return check;
}

void write_picture(const std::string& path, const std::string& svg) {
  const std::string suffix = suffix_of(path);
  if (suffix == ".svg") return common::write_file_atomically(path, svg);
  const common::TemporaryFolder folder(std::filesystem::temp_directory_path() /
                                       "kernbench-picture");
  const std::string source = folder.path() + "/picture.svg";
  const std::string target = folder.path() + "/picture" + suffix;
  common::write_file_atomically(source, svg);
  common::ProgramCall call;
  call.words = {kConverter, "--format", suffix.substr(1), "--output", target, source};
  // Without it a PDF has the time at which it was made.
  call.environment = {{"SOURCE_DATE_EPOCH", "0"}};
  bool is_made = false;
  try {
    const common::ChildEnd end = common::run_program(call);
    is_made = end.exit_code == 0 && std::filesystem::exists(target);
  } catch (const std::runtime_error&) {  // there is no such program
  }
  if (!is_made) {
    throw common::BadInput(
        fmt::format("cannot make '{}': {} is missing or failed; install librsvg2-bin, or write a "
                    "picture that ends with .svg",
                    path, kConverter));
  }
  common::write_file_atomically(
      path, common::read_text_file(target, std::numeric_limits<std::size_t>::max()));
}

}  // namespace kernbench::cli
