// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "common/outcome.hpp"

namespace kernbench::topology {

/// Proofs of a network: those of formal/prove.py --network.
struct NocProofCall {
  std::filesystem::path root;  ///< checkout with formal/
  std::filesystem::path work;  ///< folder of circuits, results and reports
  std::string network;         ///< text of a topology, or the path of its file
  bool is_file = false;        ///< `network` is a path
  std::uint32_t lanes = 1;     ///< virtual channels of each class of the routes
};

/// The end of the proofs.
struct NocProof {
  common::Outcome outcome = common::Outcome::Vacuous;
  std::string text;  ///< lines about what is proven, and what is not
};

/// Returns what the proofs in the folder `work` do now, from the line that formal/tasks.py leaves
/// there: "NOC_ROUTER.pi5.po5.v2.m1.b2: statement 7 of 16"; before the first, "reading the
/// network".
[[nodiscard]] std::string proof_progress(const std::filesystem::path& work);

/// Runs the proofs, with a progress line. Throws common::BadInput without a checkout, or if a tool
/// fails.
[[nodiscard]] NocProof prove_noc(const NocProofCall& call);

}  // namespace kernbench::topology
