// SPDX-License-Identifier: Apache-2.0
#include "cli/envelope.hpp"

#include <utility>

#include "cli/revision.hpp"
#include "common/hash.hpp"
#include "common/text_file.hpp"
#include "topology/spec/spec_reader.hpp"

namespace kernbench::cli {

common::ReportEnvelope topology_envelope(std::string kind, common::Outcome outcome,
                                         const std::string& spec, const Invocation& invocation) {
  common::ReportEnvelope report;
  report.kind = std::move(kind);
  report.outcome = outcome;
  report.config_hash =
      common::hex64(common::hash_bytes(common::read_text_file(topology::expand_home(spec))));
  report.revision = source_revision();
  report.command = invocation.command_line;
  return report;
}

}  // namespace kernbench::cli
