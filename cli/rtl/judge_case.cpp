// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/judge_case.hpp"

#include <string>
#include <vector>

#include "common/child_process.hpp"
#include "common/outcome.hpp"

namespace kernbench::cli {

namespace fs = std::filesystem;
using common::Outcome;

Verdict judge(const Words& own, const Invocation& invocation, const fs::path& folder,
              const common::TemporaryFolder& scratch) {
  std::vector<std::string> words{fs::canonical("/proc/self/exe").string()};
  for (std::size_t i = 0; i < own.size(); ++i) {
    // The reports stay in the scratch folder, and models in the user's cache of models.
    if (own[i] == "--report" || own[i] == "--waves" || own[i] == "--models") {
      ++i;
      continue;
    }
    words.push_back(own[i]);
  }
  const std::string reports = scratch.path() + "/reports";
  for (const std::string& word :
       {std::string("--report"), reports, std::string("--waves"), std::string("off"),
        std::string("--shrink"), std::string("0"), std::string("--models"), invocation.models}) {
    words.push_back(word);
  }
  const common::ChildEnd end = common::run_program(
      {.words = words,
       .folder = folder,
       .log = scratch.path() + "/sim.log",
       .environment = {{"KERNBENCH_ROOT", fs::absolute(invocation.root).string()}}});
  if (end.exit_code == common::exit_code(Outcome::Pass)) return Verdict::Good;
  for (const Outcome bad : {Outcome::Mismatch, Outcome::Deadlock, Outcome::Timeout}) {
    if (end.exit_code == common::exit_code(bad)) return Verdict::Bad;
  }
  return Verdict::Unknown;
}

const char* text_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Good:
      return "passes";
    case Verdict::Bad:
      return "fails";
    default:
      return "not judged";
  }
}

}  // namespace kernbench::cli
