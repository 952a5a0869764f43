// SPDX-License-Identifier: Apache-2.0
#include "sim/report/proofs_report.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "common/description.hpp"

namespace kernbench::sim {
namespace {

struct ProofCounts {
  std::uint64_t proven = 0;
  std::uint64_t refuted = 0;
  std::uint64_t undecided = 0;
  std::uint64_t mutants = 0;
  std::uint64_t mutants_refuted = 0;
  bool whole = false;
};
struct ProofRow {
  std::string id;
  std::string group;
  std::string module;
  std::string property;
  std::string outcome;
  std::string engine;
  std::uint64_t depth = 0;
  std::int64_t cover = 0;
  double seconds = 0;
  std::string note;
  std::vector<std::string> files;
};
struct ProofsReport {
  std::string rtl_hash;
  std::string rtl;
  ProofCounts summary;
  std::vector<ProofRow> results;
};

}  // namespace
}  // namespace kernbench::sim

namespace kernbench::common {

using sim::ProofCounts;
using sim::ProofRow;
using sim::ProofsReport;

template <>
const Description<ProofCounts>& description_of() {
  static const auto kAll =
      Description<ProofCounts>()
          .add("proven", &ProofCounts::proven)
          .add("refuted", &ProofCounts::refuted, "or vacuous")
          .add("undecided", &ProofCounts::undecided)
          .add("mutants", &ProofCounts::mutants, "planted faults")
          .add("mutants_refuted", &ProofCounts::mutants_refuted, "planted faults that were found")
          .add("whole", &ProofCounts::whole, "true unless a part was chosen");
  return kAll;
}

template <>
const Description<ProofRow>& description_of() {
  static const auto kAll =
      Description<ProofRow>()
          .add("id", &ProofRow::id, "such as primitives/IRS_N.lp.d2.w23/order")
          .add("group", &ProofRow::group)
          .one_of({"primitives", "independence", "wiring", "reference", "mutants"})
          .add(
              "module", &ProofRow::module,
              "kind of stage, depth and bits of a packet; TOPO and its shape; of a mutant its file")
          .add("property", &ProofRow::property, "rule; of a mutant the rules that it breaks")
          .add("outcome", &ProofRow::outcome)
          .one_of({"proven", "refuted", "vacuous", "undecided", "killed", "survived"})
          .add("engine", &ProofRow::engine, "pdr, bmc, netlist, structure, exhaustive or contract")
          .add("depth", &ProofRow::depth, "frames that the proof or the search looked at")
          .add("cover", &ProofRow::cover,
               "first cycle in which the rule decides something; -1 where that does not apply")
          .at_least(-1)
          .add("seconds", &ProofRow::seconds, "on this machine")
          .at_least(0)
          .add("note", &ProofRow::note, "reason")
          .add("files", &ProofRow::files, "waves and pin-traces of a counterexample");
  return kAll;
}

template <>
const Description<ProofsReport>& description_of() {
  static const auto kAll = Description<ProofsReport>()
                               .add("rtl_hash", &ProofsReport::rtl_hash,
                                    "FNV-1a of name, newline and bytes of each file of both file "
                                    "lists, and of those included")
                               .hash()
                               .add("rtl", &ProofsReport::rtl, "folder of the sources")
                               .add("summary", &ProofsReport::summary)
                               .add("results", &ProofsReport::results);
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::sim {

const plot::ReportKind kProofsReport = {.name = "proofs",
                                        .command = "prove",
                                        .about = "What make prove proved of the RTL",
                                        .envelope = {.grade = false},
                                        .form = common::form_of<ProofsReport>,
                                        .has_own_page = true};

}  // namespace kernbench::sim
