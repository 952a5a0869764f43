#include "cli/sim_replay.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "common/atomic_file.hpp"
#include "common/shell_quote.hpp"
#include "cosim/workload/reproduction.hpp"
#include "sim/dut/dut_library.hpp"
#include "sim/wave/gtkwave_setup.hpp"

namespace kernbench::cli {
namespace {

constexpr std::uint64_t kCyclesBefore = 100;

std::string_view verdict(const cosim::FabricRun& run, const cosim::Reproduction& reproduction) {
  if (run.reason == reproduction.failure) return "SAME FAILURE";
  return run.outcome == common::Outcome::Pass ? "PASS" : "ANOTHER FAILURE";
}

}  // namespace

common::Outcome replay_failure(const std::string& reproduction_path, const sim::ModelStore& store,
                               const std::string& report_folder, bool checkers) {
  const cosim::Reproduction reproduction = cosim::read_reproduction(reproduction_path);
  const maze::Shape shape = cosim::maze_shape(reproduction.sip);
  common::ensure_directory(report_folder + "/waves");
  fmt::print("{}: {} transfers; building the traced model first if it is missing\n",
             reproduction_path, reproduction.workload.transfers.size());
  std::fflush(stdout);
  const sim::DutLibrary library =
      sim::DutLibrary::open(store.ensure({shape, checkers, /*trace=*/true, {}}));
  const std::string stem = report_folder + "/waves/replay";
  const std::uint64_t cycle = reproduction.cycle;
  const cosim::FabricRun run =
      cosim::replay(reproduction, [&](std::uint64_t seed) { return library.create(seed); },
                    {stem + ".fst", cycle > kCyclesBefore ? cycle - kCyclesBefore : 0});
  sim::Failure shown;
  shown.cycle = cycle;
  if (!run.rtl->failures.empty()) shown = run.rtl->failures.front();
  sim::write_gtkwave_setup(stem + ".gtkw", stem + ".fst", shape, shown);

  fmt::print("recorded  {}\n", reproduction.failure);
  fmt::print("now       {}\n", run.outcome == common::Outcome::Pass ? "no failure" : run.reason);
  fmt::print("waves     gtkwave {}\n", common::shell_quote(stem + ".gtkw"));
  fmt::print("{}  {} cycles, {:.1f} s\n", verdict(run, reproduction), run.clocked->cycles,
             run.seconds);
  return run.outcome;
}

}  // namespace kernbench::cli
