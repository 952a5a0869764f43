// SPDX-License-Identifier: Apache-2.0
#include "cosim/calibrate/parameters_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/diagnostics.hpp"
#include "common/yaml_reader.hpp"

namespace kernbench::cosim {

using model::fabric::AnalyticParameters;

AnalyticParameters read_parameters(const std::filesystem::path& path) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::load(path, diagnostics);
  AnalyticParameters parameters;
  {
    common::YamlMap root(document.root());
    common::YamlMap analytic = root.map("analytic");
    parameters.queue_packets =
        analytic.u32("queue_packets", {.min = 2, .max = 65536}, parameters.queue_packets);
    parameters.stage_packets =
        analytic.u32("stage_packets", {.min = 2, .max = 1024}, parameters.stage_packets);
    parameters.restart_cycles =
        analytic.u32("restart_cycles", {.min = 0, .max = 65534}, parameters.restart_cycles);
    parameters.multicast_stride =
        analytic.u32("multicast_stride", {.min = 1, .max = 1048576}, parameters.multicast_stride);
    if (parameters.queue_packets < parameters.restart_cycles + 2) {
      analytic.error("queue_packets",
                     fmt::format("'queue_packets' must be at least 2 more than 'restart_cycles', "
                                 "which is {}",
                                 parameters.restart_cycles));
    }
  }
  diagnostics.throw_if_any();
  return parameters;
}

std::string parameters_text(const AnalyticParameters& parameters, const std::string& origin) {
  return fmt::format(
      "# {}\n"
      "analytic:\n"
      "  queue_packets: {}\n"
      "  stage_packets: {}\n"
      "  restart_cycles: {}\n"
      "  multicast_stride: {}\n",
      origin, parameters.queue_packets, parameters.stage_packets, parameters.restart_cycles,
      parameters.multicast_stride);
}

}  // namespace kernbench::cosim
