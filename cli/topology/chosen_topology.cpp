// SPDX-License-Identifier: Apache-2.0
#include "cli/topology/chosen_topology.hpp"

#include <vector>

#include "cli/base/console.hpp"
#include "common/diagnostics.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::cli {

namespace zoo = topology::zoo;

zoo::TopologyPtr chosen_base_topology(const std::string& text, const std::string& spec) {
  if (!text.empty() && !spec.empty()) {
    throw common::BadInput("give a topology or a --spec file, not both");
  }
  if (spec.empty()) return zoo::parse_zoo_text(text);
  std::vector<std::string> notes;
  zoo::TopologyPtr topology = zoo::load_zoo_spec(spec, &notes);
  for (const std::string& note : notes) print_note(note);
  return topology;
}

}  // namespace kernbench::cli
