// SPDX-License-Identifier: Apache-2.0
#include "cli/base/command.hpp"
#include "cli/model/cosim_replay.hpp"
#include "cli/model/replay_traces.hpp"
#include "cli/model/run_end.hpp"
#include "cli/topology/sim_noc.hpp"
#include "model/bench/bench_file.hpp"
#include "model/plugin/plugin.hpp"

namespace kernbench::cli {

Parts all_parts() {
  return {.commands = {{"compare", add_compare_command},
                       {"cosim", add_cosim_command},
                       {"evaluate", add_evaluate_command},
                       {"kernel", add_kernel_command},
                       {"list", add_list_command},
                       {"probe", add_probe_command},
                       {"rerun", add_rerun_command},
                       {"run", add_run_command},
                       {"schema", add_schema_command},
                       {"serve", add_serve_command},
                       {"sweep", add_sweep_command},
                       {"topology", add_topology_command},
                       {"traffic", add_traffic_command},
                       {"web", add_web_command}},
          .load_plugins =
              [](const std::vector<std::string>& paths) {
                report_kernel_crashes();
                model::plugin::load_plugins(paths);
              },
          .read_benches = model::bench::read_bench_folders,
          .replay = {replay_cosimulation, describe_replay_of_traces},
          .simulate_noc = simulate_noc,
          .check_noc_structure = check_noc_structure,
          .soak_noc = soak_noc};
}

}  // namespace kernbench::cli
