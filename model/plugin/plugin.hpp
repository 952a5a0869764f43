// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernbench::model::plugin {

/// A loaded library whose benches, components and traffic are registered.
struct Plugin {
  std::string name;
  std::string version;
  std::string path;  ///< as given
  std::string hash;  ///< hash of the file
};

/// Returns the hash of the headers that this program was built with; plugins must have the same.
[[nodiscard]] std::string_view api_hash();

/// Loads libraries in this order. All that they register is available afterwards. Call before any
/// other thread runs and before the first use of a registry. Throws common::BadInput with the
/// errors of all libraries: a file that is not a plugin, one built for other headers or another
/// ABI, one that cannot be loaded, one with a name that is already registered, and collectives and
/// algorithms that are incomplete. The code of a library runs only if its headers and its ABI are
/// those of this program.
void load_plugins(const std::vector<std::string>& paths);

/// Returns the loaded plugins.
[[nodiscard]] const std::vector<Plugin>& loaded_plugins();

}  // namespace kernbench::model::plugin
