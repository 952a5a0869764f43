// SPDX-License-Identifier: Apache-2.0
#include "common/declared_outputs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "common/diagnostics.hpp"

namespace kernbench::common {
namespace {

/// An output that existed when it was declared. Another one cannot be an input.
struct ExistingOutput {
  DeclaredOutput output;
  dev_t device;
  ino_t inode;
};

std::vector<ExistingOutput>& existing_outputs() {
  static std::vector<ExistingOutput> outputs;
  return outputs;
}

}  // namespace

void declare_outputs(std::vector<DeclaredOutput> outputs) {
  existing_outputs().clear();
  for (DeclaredOutput& output : outputs) {
    struct stat file {};
    if (stat(output.path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) continue;
    existing_outputs().push_back({std::move(output), file.st_dev, file.st_ino});
  }
}

void require_not_output(const std::filesystem::path& path) {
  if (existing_outputs().empty()) return;
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return;
  for (const auto& [output, device, inode] : existing_outputs()) {
    if (device != file.st_dev || inode != file.st_ino) continue;
    throw BadInput(
        fmt::format("{}: '{}' is also an input of this command, which it would overwrite",
                    output.option, output.path.string()));
  }
}

}  // namespace kernbench::common
