// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kernbench::docs {

/// The evidence that a verification plan may name.
struct KnownEvidence {
  std::map<std::string, std::set<std::string>> suites;  ///< by regression, "default"
  std::set<std::string> coverage_groups;
  std::set<std::string> tests;   ///< "Suite.Name", ctest names among them
  std::set<std::string> checks;  ///< "make lint", "scripts/check.py"
  std::set<std::string> proofs;  ///< properties that `make prove` proves
  std::set<std::string> files;
  std::map<std::string, std::set<std::string>> commands;  ///< options by command, "topology route"
  std::string benchmarks;  ///< source text that holds the names in quotes
};

struct Heading;

/// Lists the rows of a plan whose requirement has other words than the statement of its number,
/// links apart.
[[nodiscard]] std::vector<std::string> other_words(const std::string& plan,
                                                   const std::vector<Heading>& statements);

/// Lists the errors of a plan: a required id without a row or with two, a row without a
/// requirement, a row without evidence, evidence that does not exist, an `n/a` without a reason.
///
/// A row is `| id | requirement | evidence | explanation |`. The evidence column holds one or more
/// of these in backticks: suite:<regression>/<suite>, cover:<group> (a final * stands for any
/// ending), test:<Suite.Name>, check:<make target or script>, proof:<property>, bench:<name>,
/// file:<path>, command:<words and options behind kernbench>, n/a.
[[nodiscard]] std::vector<std::string> check_plan(const std::string& plan,
                                                  const std::vector<std::string>& required,
                                                  const KnownEvidence& known);

}  // namespace kernbench::docs
