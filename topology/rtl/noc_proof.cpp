// SPDX-License-Identifier: Apache-2.0
#include "topology/rtl/noc_proof.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

#include "common/atomic_file.hpp"
#include "common/child_process.hpp"
#include "common/diagnostics.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "common/text_file.hpp"

namespace kernbench::topology {

namespace fs = std::filesystem;

std::string proof_progress(const fs::path& work) {
  std::ifstream file(work / "progress");
  std::string line;
  std::getline(file, line);
  return line.empty() ? "reading the network" : line;
}

NocProof prove_noc(const NocProofCall& call) {
  const fs::path script = call.root / "formal/prove.py";
  if (!fs::exists(script)) {
    throw common::BadInput(
        fmt::format("there is no {}: proofs need a checkout of the sources", script.string()));
  }
  const fs::path work = fs::absolute(common::expand_home(call.work));
  common::ensure_directory(work);
  fs::remove(work / "progress");  // of an earlier call
  const fs::path log = work / "prove.log";
  const std::string network =
      call.is_file ? fs::absolute(common::expand_home(call.network)).string() : call.network;
  common::ChildEnd end;
  const common::Progress progress(
      [&work] { return common::ProgressState{.share = {}, .text = proof_progress(work)}; });
  try {
    end =
        common::run_program({.words = {"python3", script.string(), "--network", network, "--lanes",
                                       std::to_string(call.lanes), "--kernbench",
                                       common::running_program().string(), "--work", work.string()},
                             .log = log});
  } catch (const std::runtime_error& error) {
    throw common::BadInput(fmt::format("cannot run {}: {}", script.string(), error.what()));
  }
  const std::string text = common::read_text_file(log);
  if (end.exit_code == 0) return {common::Outcome::Pass, text};
  if (end.exit_code == 1) return {common::Outcome::Mismatch, text};
  throw common::BadInput(text.empty() ? script.string() + " failed" : text);
}

}  // namespace kernbench::topology
