// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kernbench::common {

/// A file that this command is going to write, as its command line names it.
struct DeclaredOutput {
  std::string option;
  std::filesystem::path path;
};

/// Declares the outputs of this process in place of those declared before. Call before any other
/// thread runs.
void declare_outputs(std::vector<DeclaredOutput> outputs);

/// Tells whether `path` is that of a declared output, letter by letter.
[[nodiscard]] bool is_declared_output(const std::filesystem::path& path);

/// Throws BadInput if `path` leads to an existing regular file that is a declared output, by any of
/// its names. Every reader of an input calls this, so that an input is found that only another
/// input names.
void require_not_output(const std::filesystem::path& path);

}  // namespace kernbench::common
