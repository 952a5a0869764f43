// SPDX-License-Identifier: Apache-2.0
// The readers of route tables take any bytes: they answer with errors, or with a table whose hops
// are channels and virtual channels of the topology.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "topology/exchange/import_report.hpp"
#include "topology/zoo/table/routing_table.hpp"
#include "topology/zoo/zoo_text.hpp"

using kernbench::common::Diagnostics;
using kernbench::topology::ImportReport;
namespace zoo = kernbench::topology::zoo;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const zoo::TopologyPtr kTopology = zoo::parse_zoo_text("BidirectionalLine(3)");
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  for (const auto read : {zoo::read_table_csv, zoo::read_table_json}) {
    Diagnostics diagnostics;
    ImportReport report(text, "fuzz", diagnostics);
    const zoo::RoutingTable table = read(text, *kTopology, report);
    if (!diagnostics.empty()) {
      static_cast<void>(diagnostics.render());
      continue;
    }
    for (const auto& [key, entry] : table.entries) {
      const bool is_sound = entry.hop.channel < kTopology->channels().size() &&
                            entry.hop.vc < table.vcs && entry.line > 0;
      if (!is_sound) std::abort();
    }
  }
  return 0;
}
