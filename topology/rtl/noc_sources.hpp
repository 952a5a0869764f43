// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "topology/rtl/generated_folder.hpp"
#include "topology/rtl/noc_plan.hpp"

namespace kernbench::topology {

/// Files of rtl/ that each network has, in the order in which tools read them.
[[nodiscard]] const std::vector<std::string>& noc_rtl_files();

/// Returns the name of a network's files without their endings: "noc_top".
[[nodiscard]] std::string noc_stem(const NocPlan& plan);

/// Returns the package of a network: its parameters, and the table of each node.
[[nodiscard]] std::string noc_package(const NocPlan& plan);

/// Returns the top of a network: a NOC_NODE for each node, and the wires between them.
[[nodiscard]] std::string noc_top(const NocPlan& plan);

/// Reads these files from the folder rtl/ of the sources. Throws common::BadInput.
[[nodiscard]] std::vector<GeneratedFile> noc_rtl(const std::filesystem::path& folder);

/// Returns the sizes of a network as text, each line ended by a newline.
[[nodiscard]] std::string noc_summary(const NocPlan& plan);

/// Returns the files of a network: its sources, their lists for other tools, and a page. `rtl` are
/// those of noc_rtl(), `picture` is the drawing of the page.
[[nodiscard]] std::vector<GeneratedFile> noc_files(const NocPlan& plan,
                                                   const std::vector<GeneratedFile>& rtl,
                                                   const std::string& picture);

}  // namespace kernbench::topology
