// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/rtl/failure_file.hpp"
#include "cli/rtl/sim_options.hpp"

namespace kernbench::cli {
namespace {

struct ShrinkOptions {
  std::string failure;
  std::uint64_t cycles = 10'000'000;
};

common::Outcome shrink_failure(const ShrinkOptions& options, const Invocation& invocation) {
  const FailureFile failure = read_failure(options.failure);
  SimOptions sim = options_of(failure, options.failure, invocation);
  sim.shrink = options.cycles;
  sim.smaller = true;
  sim.waves = "off";
  sim.expected_model = failure.model_hash;
  const common::Outcome outcome = run_simulation(sim, invocation);
  if (outcome == common::Outcome::Pass) {
    print("{} does not fail: there is nothing to shrink\n", options.failure);
  }
  const bool is_shown = outcome != common::Outcome::Pass && outcome != common::Outcome::BadInput;
  if (is_shown && failure.design == kNocDesign) {
    print_note(
        "a network of any topology keeps its size, and has neither pins.json nor bench.sv: "
        "suite.yaml is its shrunk case");
  }
  return outcome;
}

}  // namespace

void add_shrink_command(Command& program, const Invocation& invocation) {
  const auto options = std::make_shared<ShrinkOptions>();
  Command& shrink = program.add_command(
      "shrink", "Search on for a smaller run that fails as a failure of kernbench sim does");
  shrink.add_option("failure", options->failure, "The failure.json of the failure")
      .check(input_file())
      .required();
  shrink
      .add_option("--cycles", options->cycles, "Simulated cycles to spend, of all trials together")
      .check(whole_number(1, 1'000'000'000));
  shrink.footer =
      "Runs the case again, in the folder from which it was run, and writes its reports to the\n"
      "folder again/ below those of that run. Smaller fabrics of the same RTL are tried where "
      "their\n"
      "model is built.\n\n"
      "Examples:\n"
      "  kernbench shrink build/reports/failures/stalls-seed1/failure.json";
  shrink.run = [options, &invocation] { return shrink_failure(*options, invocation); };
}

}  // namespace kernbench::cli
