// SPDX-License-Identifier: Apache-2.0
#include "cli/envelope.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>

#include "common/hash.hpp"
#include "common/shell_quote.hpp"
#include "common/text_file.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {

std::string source_revision(const std::string& root) {
  // An installation has a file instead of a repository.
  if (std::ifstream installed(std::filesystem::path(root) / "revision"); installed) {
    std::string revision;
    installed >> revision;
    return revision.empty() ? "unknown" : revision;
  }
  // safe.directory: git otherwise refuses a checkout of another user, such as in a container.
  const std::string command = fmt::format(
      "git -c safe.directory='*' -C {} describe --always --dirty --abbrev=10 2>/dev/null",
      common::shell_quote(root));
  struct Close {
    void operator()(FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<FILE, Close> pipe(popen(command.c_str(), "r"));  // NOLINT(cert-env33-c)
  std::array<char, 128> line{};
  if (!pipe || std::fgets(line.data(), line.size(), pipe.get()) == nullptr) return "unknown";
  std::string text = line.data();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "unknown" : text;
}

common::ReportEnvelope topology_envelope(std::string kind, common::Outcome outcome,
                                         const std::string& spec, const Invocation& invocation) {
  common::ReportEnvelope report;
  report.kind = std::move(kind);
  report.outcome = outcome;
  report.config_hash =
      common::hex64(common::hash_bytes(common::read_text_file(topology::expand_home(spec))));
  report.revision = source_revision(invocation.root);
  report.command = invocation.command_line;
  return report;
}

}  // namespace kernbench::cli
