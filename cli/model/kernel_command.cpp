// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_files.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/run_end.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/mapping_search.hpp"
#include "model/bench/runner.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/kernel/recording_executor.hpp"
#include "model/report/record_report.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::bench::RunResult;
using model::kernel::RecordedOperation;
using model::runtime::RecordedLaunch;

struct RecordOptions {
  std::string spec;
  std::string bench;
  std::vector<std::string> set;
  std::string ccl;
  bool ccl_given = false;
  std::uint32_t device = 0;
  std::uint32_t cube = 0;
  std::uint32_t pe = 0;
  ReportFiles files;
};

void print_launch(const RecordedLaunch& launch, const RecordOptions& options) {
  print_heading(fmt::format("kernel '{}' on {}, cube {}, PE {}: {} operations", launch.kernel,
                            launch.device.name(), options.cube, options.pe,
                            launch.operations.size()));
  std::vector<std::string> effects;
  std::size_t widest = 0;
  for (const RecordedOperation& operation : launch.operations) {
    effects.push_back(model::kernel::text_of(operation.params));
    widest = std::max(widest, effects.back().size());
  }
  for (std::size_t i = 0; i < launch.operations.size(); ++i) {
    const RecordedOperation& operation = launch.operations[i];
    print("{:>5}  {:<11} {:<{}}  {}:{}\n", i, operation.name, effects[i], widest,
          std::filesystem::path(operation.line.file).filename().string(), operation.line.line);
    if (!operation.dependencies.empty()) {
      print_text(fmt::format("       after {}\n", fmt::join(operation.dependencies, ",")));
    }
  }
  print("\n");
}

Outcome record(const RecordOptions& options, const Invocation& invocation) {
  std::optional<BenchChoice> choice =
      choose_bench(options.bench, options.set, options.spec, invocation);
  if (!choice) return Outcome::BadInput;
  const model::bench::Bench* const bench = choice->bench;
  model::bench::RunOptions& run_options = choice->options;
  run_options.device = options.device;
  run_options.ccl.name = options.ccl;
  // As for `kernbench run`.
  if (options.ccl_given) {
    (void)model::ccl::read_ccl_config(options.ccl, choice->resolved.graph.spec());
  }
  run_options.record = {options.cube, options.pe};
  return outcome_of_benches(fmt::format("bench '{}': ", bench->name), [&] {
    const topology::TopologyGraph& graph = choice->resolved.graph;
    const auto mapped = run_mapped(*bench, graph, run_options, std::thread::hardware_concurrency());
    const RunResult& result = mapped.result;
    if (result.recorded.empty()) {
      print_error(fmt::format("bench '{}': no kernel has a program at cube {}, PE {}", bench->name,
                              options.cube, options.pe));
      return Outcome::BadInput;
    }
    for (const RecordedLaunch& launch : result.recorded) print_launch(launch, options);
    if (options.files.any()) {
      const plot::ReportKind& kind = model::report::kRecordReport;
      common::ReportEnvelope report = topology_envelope(kind.name, Outcome::Pass, options.spec,
                                                        invocation, topology_settings(options.set));
      report.data = common::to_json(model::report::RecordReport{
          bench->name, resolve_parameters(*bench, mapped.options.parameters), options.cube,
          options.pe, result.recorded});
      options.files.write(kind, report);
    }
    return Outcome::Pass;
  });
}

}  // namespace

void add_kernel_command(Command& program, const Invocation& invocation) {
  Command& command = program.add_command("kernel", "Look into the kernels of a bench");
  command.needs_command = true;
  command.footer = "Example:\n  kernbench kernel record softmax";
  Command& recording = command.add_command(
      "record", "List the operations of the kernels of a bench on one PE, without simulating them");
  const auto options = std::make_shared<RecordOptions>();
  add_topology_option(recording, options->spec, invocation);
  add_ccl_option(recording, options->ccl, invocation);
  recording.add_option("bench", options->bench, "Name or index of a bench of `kernbench list`")
      .check(input_bench())
      .required();
  add_set_option(recording, options->set, invocation);
  const Check any_index = whole_number(0, std::numeric_limits<std::uint32_t>::max());
  recording.add_option("--device", options->device, "Index of the SIP to run on").check(any_index);
  recording.add_option("--cube", options->cube, "Index of the cube in the launch: tl.program_id(1)")
      .check(any_index);
  recording.add_option("--pe", options->pe, "Index of the PE in its cube: tl.program_id(0)")
      .check(any_index);
  add_report_files(recording, options->files);
  recording.footer = "Example:\n  kernbench kernel record softmax --set rows=64";
  recording.run = [&recording, options, &invocation] {
    options->ccl_given = recording.given("--ccl");
    return record(*options, invocation);
  };
}

}  // namespace kernbench::cli
