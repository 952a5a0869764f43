// SPDX-License-Identifier: Apache-2.0
#include "cosim/calibrate/parameters_file.hpp"

#include <fmt/format.h>

#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/form_reader.hpp"

namespace kernbench::common {

using cosim::ParametersFile;
using model::fabric::AnalyticParameters;

template <>
const Description<AnalyticParameters>& description_of() {
  static const auto kAll =
      Description<AnalyticParameters>()
          .add("queue_packets", &AnalyticParameters::queue_packets,
               "of one input and QoS that a node queues before the link to it stalls")
          .within(1, 65536)
          .add("stage_packets", &AnalyticParameters::stage_packets,
               "that each stage of a stalled link holds")
          .within(2, 1024)
          .add("restart_cycles", &AnalyticParameters::restart_cycles,
               "until the start of a link sees the end of a stall, in addition to one per stage")
          .within(0, 65534)
          .add("multicast_stride", &AnalyticParameters::multicast_stride,
               "packets by which a copy of a multicast may be ahead of the slowest copy")
          .within(1, 1048576)
          .add("quantum_packets", &AnalyticParameters::quantum_packets,
               "most packets of a long transfer that go by a link in one turn")
          .within(1, 65536)
          .all_optional();
  return kAll;
}

template <>
const Description<ParametersFile>& description_of() {
  static const auto kAll = Description<ParametersFile>().add("analytic", &ParametersFile::analytic,
                                                             "parameters of the analytic fabric");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::cosim {

using model::fabric::AnalyticParameters;

const common::InputKind kParametersFile = {
    .name = "analytic-parameters",
    .title = "A parameter file of kernbench cosim --parameters (YAML)",
    .form = common::form_of<ParametersFile>};

AnalyticParameters read_parameters(const std::filesystem::path& path) {
  common::Diagnostics diagnostics;
  const common::YamlDocument document = common::YamlDocument::load(path, diagnostics);
  common::Input<ParametersFile> file(document.root(), diagnostics);
  const AnalyticParameters& parameters = file->analytic;
  if (parameters.queue_packets < model::fabric::least_queue_packets(parameters)) {
    file.error("analytic.queue_packets",
               fmt::format("'queue_packets' must be more than 'restart_cycles', which is {}",
                           parameters.restart_cycles));
  }
  diagnostics.throw_if_any();
  return parameters;
}

std::string parameters_text(const AnalyticParameters& parameters, const std::string& origin) {
  std::string text = fmt::format("# {}\nanalytic:\n", origin);
  const nlohmann::json values = common::to_json(parameters);
  for (const common::ValueForm& member : common::form_of<AnalyticParameters>().parts) {
    text += fmt::format("  {}: {}\n", member.name, values.at(member.name).dump());
  }
  return text;
}

}  // namespace kernbench::cosim
