#pragma once

#include <string>
#include <vector>

namespace kernbench::mutants {

/// One small, deliberate error in the RTL.
struct Mutant {
  std::string id;
  std::string kind;        ///< class of error, e.g. "wrong_modulo"
  std::string file;        ///< in the RTL folder
  std::string find;        ///< occurs exactly once in the file
  std::string replace;     ///< what stands there instead
  bool full_size = false;  ///< shows only on the 8x8 fabric
  std::string survives;    ///< why no checker can see it; empty: it must be killed
};

/// Reads the list; throws common::BadInput with all errors, an edit that does not fit the RTL in
/// `rtl_dir` exactly once among them.
[[nodiscard]] std::vector<Mutant> load_mutants(const std::string& path, const std::string& rtl_dir);

/// Copies the RTL to `folder` and applies the edit there.
void plant(const Mutant& mutant, const std::string& rtl_dir, const std::string& folder);

}  // namespace kernbench::mutants
