// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"

namespace kernbench::cli {

void add_evaluate_command(Command& program, const Invocation& invocation) {
  Command& evaluate =
      program.add_command("evaluate", "Sweep a bench over sizes and variants and draw figures");
  evaluate.needs_command = true;
  evaluate.footer =
      "Examples:\n"
      "  kernbench evaluate gemm --json gemm.json --plots figures\n"
      "  kernbench evaluate all-reduce --quick --plot all-reduce.svg";
  add_evaluate_gemm(evaluate, invocation);
  add_evaluate_all_reduce(evaluate, invocation);
  add_evaluate_collectives(evaluate, invocation);
}

}  // namespace kernbench::cli
