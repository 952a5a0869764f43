// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

namespace kernbench::cli {

void add_evaluate_command(CLI::App& app, const Invocation& invocation, common::Outcome& outcome) {
  CLI::App* evaluate =
      app.add_subcommand("evaluate", "Sweep a bench over sizes and variants and draw figures");
  evaluate->require_subcommand(1);
  evaluate->footer(
      "Examples:\n"
      "  kernbench evaluate gemm --json gemm.json --plots figures\n"
      "  kernbench evaluate all-reduce --quick --plot all-reduce.svg");
  add_evaluate_gemm(*evaluate, invocation, outcome);
  add_evaluate_all_reduce(*evaluate, invocation, outcome);
  add_evaluate_collectives(*evaluate, invocation, outcome);
}

}  // namespace kernbench::cli
