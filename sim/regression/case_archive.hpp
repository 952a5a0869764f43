// SPDX-License-Identifier: Apache-2.0
// How the results of cases are written to the results of parts, and read from them.
#pragma once

#include "sim/cover/coverage_archive.hpp"
#include "sim/regression/case_runner.hpp"

namespace kernbench::sim {

template <class Archive>
void serialize(Archive& archive, LinkEnd& end) {
  archive(end.node, end.port);
}
template <class Archive>
void serialize(Archive& archive, Failure& failure) {
  archive(failure.checker, failure.kind, failure.cycle, failure.link, failure.message,
          failure.packet);
}
template <class Archive>
void serialize(Archive& archive, CheckerResult& checker) {
  archive(checker.name, checker.checks, checker.failures);
}
template <class Archive>
void serialize(Archive& archive, RtlText& text) {
  archive(text.text, text.left_out);
}
template <class Archive>
void serialize(Archive& archive, FaultResult& fault) {
  archive(fault.kind, fault.link, fault.place, fault.injected_at, fault.caught_by);
}
template <class Archive>
void serialize(Archive& archive, UserTraffic& traffic) {
  archive(traffic.accepted, traffic.delivered, traffic.latency);
}
/// Waves, and the commands that show or repeat the case, belong to the process that reports it.
template <class Archive>
void serialize(Archive& archive, CaseResult& one) {
  archive(one.suite, one.name, one.seed, one.outcome, one.reason, one.pattern, one.back_pressure,
          one.cycles, one.delivered, one.mean_latency, one.failed_node, one.users, one.output_hash,
          one.checkers, one.not_checked, one.failures, one.fault, one.rtl_text, one.seconds);
}
/// A regression of cases with their packets and stalls; what names it belongs to the process that
/// reports it.
template <class Archive>
void serialize(Archive& archive, RegressionResult& result) {
  archive(result.outcome, result.cases, result.link_packets, result.link_stalls,
          result.link_longest_stalls);
}
template <class Archive, class Coverage>
void serialize(Archive& archive, MeasuredCase<Coverage>& run) {
  archive(run.result, run.link_packets, run.link_stalls, run.link_longest_stalls);
  serialize(archive, run.coverage);
}

}  // namespace kernbench::sim
