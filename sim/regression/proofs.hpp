// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace kernbench::sim {

/// Where `make prove` leaves its results, beside the default folder of the reports.
inline constexpr const char* kProofsFolder = "build/prove";

/// Results of `make prove`, for the reports of a regression.
struct Proofs {
  enum class State { OfThisRtl, OfOtherRtl, Unreadable };
  State state = State::OfThisRtl;
  // Numbers of properties; 0 unless the proofs are of this RTL.
  unsigned proven = 0;
  unsigned refuted = 0;
  unsigned undecided = 0;
  std::string report;  ///< path of the page as a user types it; empty without one
  std::string link;    ///< path of the page relative to the reports

  [[nodiscard]] unsigned total() const { return proven + refuted + undecided; }
};

/// Returns the hash of RTL as proofs.json has it: 64-bit FNV-1a, in hexadecimal, of the name of
/// each file in the list `topo_f`, and in network/maze.f and noc/noc.f beside it, a newline, and
/// its content, one file after another. Behind each file are those that it leads to (files_read()).
/// Returns an empty text if a name cannot be told. Throws common::BadInput when a file cannot be
/// read.
[[nodiscard]] std::string rtl_hash(const std::filesystem::path& topo_f);

/// Reads `folder`/proofs.json. Returns nothing when it does not exist. `hash` is the rtl_hash() of
/// the RTL that ran, `reports` the folder of the reports that link to the page.
[[nodiscard]] std::optional<Proofs> read_proofs(const std::filesystem::path& folder,
                                                const std::string& hash,
                                                const std::filesystem::path& reports);

/// Returns the proofs in plain words: "187 of 187 properties proven".
[[nodiscard]] std::string proofs_text(const Proofs& proofs);

}  // namespace kernbench::sim
