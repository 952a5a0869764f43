// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "cli/base/console.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/interrupt.hpp"
#include "sim/build/model_store.hpp"
#include "sim/dut/build_log.hpp"
#include "sim/dut/source_names.hpp"
#include "sim/plain/plain_verilog.hpp"
#include "sim/report/number_text.hpp"
#include "sim/structure/structure_file.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using sim::structure::ModelStructure;

void print_findings(const sim::CaseResult& checked) {
  for (const sim::Failure& finding : checked.failures) {
    print_error(fmt::format("structure: {}", finding.message));
  }
}

/// Prints what other people's RTL may have.
void print_notes(const ModelStructure& structure, bool shipped) {
  if (shipped || !structure.result) return;
  for (const sim::structure::Finding& note : structure.result->notes) {
    print_note(fmt::format("structure: {}: {}", note.where, note.message));
  }
}

/// Prints one line about a check. A check that followed no link has shown nothing.
Outcome print_verdict(const std::string& design, const ModelStructure& structure, bool shipped) {
  if (!structure.result) {
    print("FAIL  {}: not checked: {}\n", design, structure.why_not);
    return Outcome::Vacuous;
  }
  const sim::structure::CheckResult& result = *structure.result;
  const std::size_t findings = result.findings.size() + (shipped ? result.notes.size() : 0);
  if (findings != 0) {
    print("FAIL  {}: {}\n", design, sim::counted(findings, "finding"));
    return Outcome::Mismatch;
  }
  const bool some = result.links != 0 || result.nodes != 0;
  print("{}  {}: {}{}, {} followed\n", some ? "PASS" : "FAIL", design,
        result.nodes != 0 ? sim::counted(result.nodes, "node") + ", " : "",
        sim::counted(result.links, "link"), sim::counted(result.bits, "bit"));
  return some ? Outcome::Pass : Outcome::Vacuous;
}

/// Writes the design whose dump is in `folder` as Verilog-2005.
void write_plain_verilog(const SimOptions& options, const maze::Shape& shape,
                         const std::string& folder) {
  const sim::structure::Design design(sim::structure::read_dump(sim::structure::dump_path(folder)));
  // The bench has MAZE_TOP where that has the shape.
  const bool top = std::any_of(design.modules().begin(), design.modules().end(),
                               [](const auto& one) { return one.second.orig == "MAZE_TOP"; });
  const std::string root = !options.network ? "TOPO" : top ? "MAZE_TOP" : "MAZE_ARRAY";
  std::string text = fmt::format(
      "{}// {} of {}x{} nodes with {} data bits in Verilog-2005, written by\n"
      "// `kernbench structure --write-verilog` from the elaborated design. The signal S of the\n"
      "// interface port P is the port P_S; element i of an array begins at i times its width.\n",
      options.rtl.shipped() ? "// SPDX-License-Identifier: Apache-2.0\n" : "", root, shape.nx,
      shape.ny, shape.flit_w);
  try {
    text += sim::plain::plain_verilog(design, root);
  } catch (const common::BadInput& error) {
    const std::string& message = error.diagnostics().errors().front().message;
    throw common::BadInput(sim::SourceNames::read(folder).user_text(message));
  }
  common::write_file_atomically(options.write_verilog, text);
}

}  // namespace

void print_build_notes(const std::string& model) {
  const std::filesystem::path folder = std::filesystem::absolute(model).parent_path();
  for (const std::string& note : sim::build_notes(folder)) print_note(note);
}

std::optional<sim::CaseResult> check_structure(const sim::DutLibrary& library,
                                               const SimOptions& options, bool shown) {
  if (options.no_structure) return std::nullopt;
  const ModelStructure structure =
      sim::structure::structure_of_model(library.path(), library.create(0)->info());
  // Whose RTL a prebuilt model has is not known.
  const bool shipped = options.rtl.shipped() && options.model.empty();
  return shown ? sim::structure::structure_case(structure, shipped)
               : show_structure(structure, shipped);
}

sim::CaseResult show_structure(const ModelStructure& structure, bool shipped) {
  sim::CaseResult checked = sim::structure::structure_case(structure, shipped);
  print_findings(checked);
  print_notes(structure, shipped);
  return checked;
}

Outcome show_verdict(const std::string& design, const ModelStructure& structure, bool shipped) {
  (void)show_structure(structure, shipped);
  return print_verdict(design, structure, shipped);
}

void add_structure(sim::RegressionResult& result, std::optional<sim::CaseResult> checked) {
  if (!checked) {
    result.structure = "not checked (--no-structure)";
    return;
  }
  checked->command = result.command;
  result.structure = checked->outcome == Outcome::Pass      ? "checked"
                     : checked->outcome == Outcome::Vacuous ? "not checked"
                                                            : "findings";
  result.outcome = common::worst(result.outcome, checked->outcome);
  result.cases.push_back(std::move(*checked));
}

Outcome check_structure_only(const SimOptions& options, const std::string& root) {
  const common::InterruptGuard guard;
  const maze::Shape shape = options.fabric.value_or(maze::Shape{});
  const sim::ModelStore store(root, options.models);
  sim::ElaboratedDesign design;
  try {
    design = options.network
                 ? store.ensure_network_design(shape, options.rtl)
                 : store.ensure_design({shape, /*checkers=*/true, /*trace=*/false, options.rtl});
  } catch (const common::BadInput&) {
    if (common::interrupted()) return Outcome::Interrupted;
    throw;
  }
  const ModelStructure structure =
      sim::structure::structure_of_design(design.folder, shape, design.build_hash, options.network);
  const bool shipped = options.rtl.shipped();
  const Outcome outcome =
      show_verdict(fmt::format("structure of {}{}x{}x{}", options.network ? "network " : "",
                               shape.nx, shape.ny, shape.flit_w),
                   structure, shipped);
  if (options.write_verilog.empty()) return outcome;
  if (outcome == Outcome::Pass) {
    write_plain_verilog(options, shape, design.folder);
  } else {
    print_error(fmt::format("{} is not written: the check has to pass", options.write_verilog));
  }
  return outcome;
}

}  // namespace kernbench::cli
