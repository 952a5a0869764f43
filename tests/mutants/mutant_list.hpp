// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kernbench::mutants {

/// One change of the RTL.
struct Edit {
  std::string file;     ///< name of the file in the RTL folder
  std::string find;     ///< text to replace; occurs exactly once in the file
  std::string replace;  ///< the replacement
};

/// One small, deliberate error in the RTL.
struct Mutant {
  std::string id;
  std::string kind;  ///< class of error, e.g. "wrong_modulo"
  std::vector<Edit> edits;
  bool full_size = false;  ///< needs the 8x8 fabric to show
  std::string survives;    ///< why checkers cannot notice it; empty: they must
  bool by_chance = false;  ///< the regression reaches it with some seeds only
  std::string drawn_from;  ///< the error that a seed placed; empty: the list names the place
};

/// Reads the list. Throws common::BadInput with all errors, including edits that do not match the
/// RTL in `rtl_dir` exactly once.
[[nodiscard]] std::vector<Mutant> load_mutants(const std::string& path, const std::string& rtl_dir);

/// Reads a list of triggers and effects (deep.yaml) and draws link, stage and count of each of its
/// mutants from `seed`. Errors as load_mutants().
[[nodiscard]] std::vector<Mutant> draw_mutants(const std::string& path, const std::string& rtl_dir,
                                               std::uint64_t seed);

/// Copies the RTL to `folder` and applies the edit there.
void plant(const Mutant& mutant, const std::string& rtl_dir, const std::string& folder);

}  // namespace kernbench::mutants
