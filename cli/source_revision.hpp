#pragma once

#include <string>

namespace kernbench::cli {

/// What git calls the checkout at `root` ("1a2b3c4", "-dirty" behind it when changed), or
/// "unknown".
[[nodiscard]] std::string source_revision(const std::string& root);

}  // namespace kernbench::cli
