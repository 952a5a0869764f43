// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_choice.hpp"

#include <stdexcept>
#include <utility>

#include "cli/console.hpp"
#include "cli/options.hpp"

namespace kernbench::cli {

std::optional<BenchChoice> choose_bench(const std::string& name,
                                        const std::vector<std::string>& set,
                                        const std::string& spec, const Invocation& invocation) {
  const model::bench::Bench* bench = nullptr;
  model::bench::RunOptions options;
  try {
    bench = &model::bench::find_bench(name);
    options.parameters = resolve_parameters(*bench, parse_parameters(set));
  } catch (const std::invalid_argument& error) {
    print_error(error.what());
    return std::nullopt;
  }
  for (const model::bench::Parameter& parameter : bench->parameters) {
    if (!parameter.is_file) continue;
    std::string& file = options.parameters.at(parameter.name);
    file = path_in_data(invocation, file);
  }
  BenchChoice choice{bench, std::move(options),
                     topology::resolve_topology(spec, topology_settings(set))};
  for (const std::string& warning : choice.resolved.warnings) print_warning(warning);
  return choice;
}

}  // namespace kernbench::cli
