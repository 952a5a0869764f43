// SPDX-License-Identifier: Apache-2.0
#include "topology/exchange/edge_list_import.hpp"

#include "common/text_file.hpp"

namespace kernbench::topology {

ImportedGraph import_edge_list(const std::filesystem::path& path, common::Diagnostics& diagnostics,
                               std::vector<std::string>* notes) {
  const std::string ending = path.extension().string();
  if (ending != ".csv" && ending != ".graphml" && ending != ".anynet") {
    diagnostics.error({path.string()}, "an edge list must be a .csv, .graphml or .anynet file");
    return {};
  }
  std::string text;
  try {
    text = common::read_text_file(path, kMaxImportBytes);
  } catch (const common::BadInput& e) {
    for (const common::Diagnostic& error : e.diagnostics().errors()) {
      diagnostics.error(error.position, error.message, error.hint);
    }
    return {};
  }
  if (ending == ".anynet") return import_anynet(text, path.string(), diagnostics, notes);
  return ending == ".csv" ? import_csv(text, path.string(), diagnostics)
                          : import_graphml(text, path.string(), diagnostics, notes);
}

}  // namespace kernbench::topology
