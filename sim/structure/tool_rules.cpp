// SPDX-License-Identifier: Apache-2.0
// The rule that the RTL is the same design for every tool.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/build/other_tools.hpp"
#include "sim/structure/rules.hpp"
#include "sim/structure/same_design.hpp"

namespace kernbench::sim::structure {
namespace {

namespace fs = std::filesystem;

bool has_macro(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

/// Returns the conditional that a difference most likely comes from: of those on a macro that the
/// tools do not have in common, the last before the place in its file, else the first.
const PlacedConditional& cause_of(const OtherTools& others, const OtherDump& other,
                                  const std::string& file, unsigned line) {
  const PlacedConditional* best = nullptr;
  bool best_is_near = false;
  for (const PlacedConditional& one : others.conditionals) {
    const std::string& macro = one.conditional.macro;
    if (!has_macro(other.undefined, macro) && !has_macro(other.defined, macro)) continue;
    const bool near = one.file == file && one.conditional.line <= line;
    if (best == nullptr ||
        (near && (!best_is_near || one.conditional.line >= best->conditional.line)) ||
        (!near && !best_is_near && one.file == file && best->file != file)) {
      best = &one;
      best_is_near = near;
    }
  }
  return best != nullptr ? *best : others.conditionals.front();
}

std::string line_of(const PlacedConditional& one) {
  return fmt::format("{}:{}", one.file, one.conditional.line);
}

}  // namespace

void check_tools(const Design& design, const std::string& path, std::vector<Finding>& findings,
                 std::vector<Finding>& notes) {
  const fs::path folder = fs::path(path).parent_path();
  const OtherTools others = read_other_tools(folder);
  for (const OtherDump& other : others.dumps) {
    if (!other.failure.empty()) {
      const PlacedConditional& cause = cause_of(others, other, {}, 0);
      notes.push_back({Rule::Tools, line_of(cause),
                       fmt::format("not checked: whether the design depends on the macro {}, since "
                                   "Verilator cannot read it as {} does: {}",
                                   cause.conditional.macro, other.tool, other.failure)});
      continue;
    }
    const fs::path dump =
        folder /
        (other.stem + fs::path(path).filename().string().substr(std::string("design").size()));
    const Design there(read_dump(dump.string()));
    const auto difference = difference_of(design, there);
    if (!difference) continue;
    const PlacedConditional& cause = cause_of(others, other, difference->file, difference->line);
    const std::string& macro = cause.conditional.macro;
    const bool defined_here = has_macro(other.undefined, macro);
    Finding finding{Rule::Tools, line_of(cause),
                    fmt::format("the design depends on the macro {}: with it {}, without it {}",
                                macro, defined_here ? difference->first : difference->second,
                                defined_here ? difference->second : difference->first)};
    if (std::find(findings.begin(), findings.end(), finding) == findings.end()) {
      findings.push_back(std::move(finding));
    }
  }
}

}  // namespace kernbench::sim::structure
