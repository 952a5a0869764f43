// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/runtime/context.hpp"
#include "model/runtime/device.hpp"
#include "topology/spec/spec_forward.hpp"

namespace kernbench::model::bench {

/// A parameter of a bench, for example "m", "1024", "rows of A".
struct Parameter {
  std::string name;
  std::string value;  ///< default; only whole numbers replace a whole number
  std::string description;
  bool is_file = false;  ///< its value is the path of an input file
};

/// The values of all parameters of a bench by name.
using ParameterValues = std::map<std::string, std::string>;

/// A way in which a bench can spread its work: values for parameters that are "auto".
struct Mapping {
  ParameterValues values;
  double least_ns = 0;  ///< the bench cannot take less in this mapping, by its traffic

  /// Returns "c=column, cubes=2x2".
  [[nodiscard]] std::string name() const;
};

/// A bench, a program of the host (Architecture, "Bench Module Contract").
struct Bench {
  std::string name;  ///< kebab-case
  std::string description;
  std::vector<Parameter> parameters;
  std::function<void(runtime::Context& kb)> run;
  /// Returns the mappings from which the fastest is chosen by simulation (run_mapped()), the
  /// one that `run` takes for "auto" first; none if no parameter is "auto". Empty for benches whose
  /// only choice is the part of a SIP that they use.
  std::function<std::vector<Mapping>(const ParameterValues& values,
                                     const topology::TopologySpec& spec,
                                     const runtime::DevicePart& part)>
      mappings{};
  /// The results are the same on any part of the SIPs, so that the fastest part may be taken.
  bool any_part = false;
  std::size_t stack_bytes = engine::kFiberStackBytes;  ///< stack of `run`
};

/// The parameters that all benches have, unless they have one of that name: `cubes` and `pes`, the
/// part of each SIP that a bench uses.
[[nodiscard]] const std::vector<Parameter>& common_parameters();

/// Returns the part that `cubes` and `pes` name, all of a SIP for "auto". Throws
/// runtime::BadParameter for a part that a SIP of `spec` does not have.
[[nodiscard]] runtime::DevicePart part_of(const Bench& bench, const ParameterValues& values,
                                          const topology::TopologySpec& spec);
/// Returns the parameters without the common ones.
[[nodiscard]] ParameterValues own_parameters(const Bench& bench, ParameterValues values);
/// Returns a grid of cubes as `cubes` has it, such as "4x3".
[[nodiscard]] std::string cubes_text(const topology::Grid& cubes);

/// Returns all benches, sorted by name.
[[nodiscard]] const std::vector<Bench>& benches();

/// Returns the bench with this name, or with this index from 0. Throws std::invalid_argument for an
/// unknown one, and suggests a similar name if there is one.
[[nodiscard]] const Bench& find_bench(std::string_view name_or_index);

/// Returns the parameters of a bench and the common ones, with `given` in place of defaults. Throws
/// std::invalid_argument with a line for each unknown name, and for each value that is not a whole
/// number although the default is.
[[nodiscard]] ParameterValues resolve_parameters(const Bench& bench, const ParameterValues& given);

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
