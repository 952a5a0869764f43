// SPDX-License-Identifier: Apache-2.0
// The program that verifies RTL and does nothing else, which `make sim` builds.
#include "cli/program.hpp"

int main(int argc, char** argv) {
  return kernbench::cli::run_program(argc, argv, {});
}
