#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/runtime/context.hpp"

namespace kernbench::model::bench {

/// A value that a bench can be given: "m", "1024", "rows of A".
struct Parameter {
  std::string name;
  std::string value;  ///< the default; a whole number where that is one
  std::string description;
};

/// A bench: a program of the host (Architecture, "Bench Module Contract").
struct Bench {
  std::string name;  ///< kebab-case
  std::string description;
  std::vector<Parameter> parameters;
  void (*run)(runtime::Context& kb) = nullptr;
};

/// All benches, sorted by name.
[[nodiscard]] const std::vector<Bench>& benches();

/// The one of this name or of this index from 0. Throws std::invalid_argument, with the nearest
/// name where one is near.
[[nodiscard]] const Bench& find_bench(std::string_view name_or_index);

/// The parameters of a bench with some of them set. Throws std::invalid_argument with a line for
/// each that the bench lacks or whose value is no whole number where the default is one.
[[nodiscard]] std::map<std::string, std::string> resolve_parameters(
    const Bench& bench, const std::map<std::string, std::string>& given);

/// Registers a bench when the program starts: the one line that a bench's file needs.
///
///     const Registration kBench{{"copy", "Copies a tensor", {{"rows", "64", "..."}}, run}};
class Registration {
 public:
  /// Ends the program with a message when the name is taken or not in kebab-case.
  explicit Registration(Bench bench);
};

}  // namespace kernbench::model::bench
