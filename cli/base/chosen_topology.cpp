// SPDX-License-Identifier: Apache-2.0
#include "cli/base/chosen_topology.hpp"

#include <utility>
#include <vector>

#include "cli/base/console.hpp"
#include "common/diagnostics.hpp"
#include "common/text_file.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_text.hpp"

namespace kernbench::cli {

namespace zoo = topology::zoo;

ChosenTopology chosen_base_topology(const std::string& text, const std::string& spec) {
  if (!text.empty() && !spec.empty()) {
    throw common::BadInput("give a topology or a --spec file, not both");
  }
  if (spec.empty()) return {zoo::parse_zoo_text(text), {}};
  std::vector<std::string> notes;
  const common::ReadFiles read;
  zoo::TopologyPtr topology = zoo::load_zoo_spec(spec, &notes);
  for (const std::string& note : notes) print_note(note);
  return {std::move(topology), read.paths()};
}

}  // namespace kernbench::cli
