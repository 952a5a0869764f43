// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/debug/diagnosis.hpp"
#include "sim/noc/noc_drawing.hpp"
#include "sim/noc/noc_run.hpp"
#include "sim/noc/noc_spec.hpp"

namespace kernbench::sim {

/// A failed case of a network of any topology that can run again.
struct NocRerun {
  const NocCase& spec;
  const NocBins& bins;
  /// Returns the model on which the case failed, which knows its network.
  std::function<std::shared_ptr<NocDut>()> create;
  NocNetworkSpec network = {};             ///< as a regression file names it; its topology may be
                                           ///< empty: no file of the shrunk case then
  NocPicture picture = {};                 ///< where its nodes are drawn
  std::uint64_t shrink_cycles = 400'000;   ///< spent on shrinking it; 0: it is not shrunk
  std::function<bool()> interrupted = {};  ///< ends the search; may be empty
  std::string design = {};  ///< folder that has the dump of the elaborated design; may be empty
  std::vector<structure::Finding> findings =
      {};  ///< findings of the structure check, in the user's names
};

/// Runs a failed case again, and finds the first signal that differs from the reference, the links
/// that are involved, and the smallest run that fails for the same reason: the same checker, kind
/// and first wrong signal. Throws std::logic_error, which says what differed, if the case does not
/// fail again as it did.
[[nodiscard]] Diagnosis diagnose_noc(const CaseResult& failed, const NocRerun& rerun);

}  // namespace kernbench::sim
