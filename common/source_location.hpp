// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernbench::common {

/// A position in an input file. Lines and columns count from 1, columns in bytes. Line 0 stands for
/// the whole file, an empty file name for no file.
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

}  // namespace kernbench::common
