// SPDX-License-Identifier: Apache-2.0
// How the coverage of a case of a network of any topology is written to the results of parts, and
// read from them.
#pragma once

#include <optional>

#include "common/archive.hpp"
#include "sim/noc/noc_coverage.hpp"
#include "sim/regression/case_archive.hpp"

namespace kernbench::sim {

template <class Archive>
void serialize(Archive& archive, std::optional<NocHits>& hits) {
  bool is_present = hits.has_value();
  archive(is_present);
  if (!is_present) return;
  if (!hits) hits.emplace();
  archive(hits->hit);
}

}  // namespace kernbench::sim
