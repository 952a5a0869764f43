// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::bench {

/// A parameter of a bench, for example "m", "1024", "rows of A".
struct Parameter {
  std::string name;
  std::string value;  ///< default; only whole numbers replace a whole number
  std::string description;
  bool is_file = false;  ///< its value is the path of an input file
};

/// A bench, a program of the host (Architecture, "Bench Module Contract").
struct Bench {
  std::string name;  ///< kebab-case
  std::string description;
  std::vector<Parameter> parameters;
  std::function<void(runtime::Context& kb)> run;
};

/// Returns true for a name such as "vector-add".
[[nodiscard]] bool is_kebab_case(std::string_view name);

/// Returns all benches, sorted by name.
[[nodiscard]] const std::vector<Bench>& benches();

/// Returns the bench with this name, or with this index from 0. Throws std::invalid_argument for an
/// unknown one, and suggests a similar name if there is one.
[[nodiscard]] const Bench& find_bench(std::string_view name_or_index);

/// Returns the parameters of a bench, with `given` in place of defaults. Throws
/// std::invalid_argument with a line for each unknown name, and for each value that is not a whole
/// number although the default is.
[[nodiscard]] std::map<std::string, std::string> resolve_parameters(
    const Bench& bench, const std::map<std::string, std::string>& given);

/// Registers a bench when the program starts, or when the plugin is loaded. A bench's file needs
/// only this line:
///
///     const Registration kBench{{"copy", "Copies a tensor", {{"rows", "64", "..."}}, run}};
class KERNBENCH_API Registration {
 public:
  /// Refuses a name that is already registered or not in kebab-case.
  explicit Registration(Bench bench);
};

}  // namespace kernbench::model::bench
