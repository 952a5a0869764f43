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
  unsigned number = 0;  ///< chooses it in the RTL of plant_together(); 0: it needs RTL of its own
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

/// Numbers the mutants that change an expression which is evaluated at run time: those of one edit
/// that replaces the right side of an assignment, or an expression in parentheses. Mutants of the
/// full size have no number, nor has one whose edit overlaps that of an earlier mutant.
void number(std::vector<Mutant>& mutants, const std::string& rtl_dir);

/// Copies the RTL to `folder` and puts all mutants with a number into the copy. The plusarg
/// mutant=N chooses one; without it, or with 0, the RTL is sound. Throws common::BadInput if
/// maze_pkg.sv or topo.sv have no place for the choice.
void plant_together(const std::vector<Mutant>& mutants, const std::string& rtl_dir,
                    const std::string& folder);

}  // namespace kernbench::mutants
