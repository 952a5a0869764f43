// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kernbench::model::plugin {

/// The content of a KERNBENCH_PLUGIN.
struct PluginFacts {
  std::string api_hash;  ///< hash of the headers that it was built against
  std::string abi;       ///< KERNBENCH_ABI
  std::string name;
  std::string version;
};

/// Returns true if `file` begins like a shared library of this machine (ELF).
[[nodiscard]] bool is_shared_library(std::string_view file);

/// Finds the facts in a shared library, without loading it. Returns nothing if it has none.
[[nodiscard]] std::optional<PluginFacts> read_facts(std::string_view file);

}  // namespace kernbench::model::plugin
