// SPDX-License-Identifier: Apache-2.0
#include "common/declared_outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "common/diagnostics.hpp"

namespace kernbench::common {
namespace {

/// A declared output and the file that it led to at that time. Without one it cannot be an input.
struct Output {
  DeclaredOutput declared;
  bool existed = false;
  dev_t device = 0;
  ino_t inode = 0;
};

std::vector<Output>& declared_outputs() {
  static std::vector<Output> outputs;
  return outputs;
}

}  // namespace

void declare_outputs(std::vector<DeclaredOutput> outputs) {
  declared_outputs().clear();
  for (DeclaredOutput& output : outputs) {
    struct stat file {};
    const bool existed = stat(output.path.c_str(), &file) == 0 && S_ISREG(file.st_mode);
    declared_outputs().push_back({std::move(output), existed, file.st_dev, file.st_ino});
  }
}

bool is_declared_output(const std::filesystem::path& path) {
  return std::any_of(
      declared_outputs().begin(), declared_outputs().end(),
      [&](const Output& output) { return output.declared.path.native() == path.native(); });
}

void require_not_output(const std::filesystem::path& path) {
  if (declared_outputs().empty()) return;
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return;
  for (const auto& [output, existed, device, inode] : declared_outputs()) {
    if (!existed || device != file.st_dev || inode != file.st_ino) continue;
    // When an output has been deleted, the number of its file may be that of a new one.
    struct stat now {};
    if (stat(output.path.c_str(), &now) != 0) continue;
    if (now.st_dev != file.st_dev || now.st_ino != file.st_ino) continue;
    throw BadInput(
        fmt::format("{}: '{}' is also an input of this command, which it would overwrite",
                    output.option, output.path.string()));
  }
}

}  // namespace kernbench::common
