// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/bench/runner.hpp"
#include "tests/places.hpp"

namespace kernbench::model::bench {

/// Returns the options with the default parameters of a bench, whose files are those of the
/// sources.
inline RunOptions defaults_of(const Bench& bench) {
  RunOptions options;
  for (const Parameter& parameter : bench.parameters) {
    if (parameter.is_file)
      options.parameters[parameter.name] = places::source("/" + parameter.value);
  }
  options.ccl.name = places::source("/configs/ccl.yaml");
  return options;
}

}  // namespace kernbench::model::bench
