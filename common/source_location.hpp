#pragma once

#include <string>

namespace kernbench::common {

/// A place in an input file. Line and column count from 1, the column in bytes;
/// line 0 means the file as a whole, an empty file name means no file at all.
struct SourcePosition {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;

  friend bool operator==(const SourcePosition&, const SourcePosition&) = default;
};

}  // namespace kernbench::common
