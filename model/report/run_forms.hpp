// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "common/described.hpp"
#include "model/bench/launch_figures.hpp"
#include "model/bench/spread.hpp"
#include "model/report/run_explanation.hpp"
#include "model/report/run_report.hpp"
#include "model/runtime/session.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::report {

// Objects of a run's report that join values of the model, and where all are described.

struct RegionRow {
  const runtime::MeasuredRegion* region;
  const bench::LaunchFigures* sums;
};
struct LaunchRow {
  const runtime::LaunchRecord* launch;
  const bench::LaunchFigures* figures;
};
/// The contracts of all calls of collectives together.
struct ContractSum {
  std::size_t calls = 0;
  runtime::CheckReport all;
};
struct RaceSum {
  const RunReport* report;
};
/// A critical path with the graph that has its names.
struct NamedPath {
  trace::CriticalPath path;
  const topology::TopologyGraph* graph;
};
struct StretchRow {
  NamedPath path;
  const Explanation* why;
};
/// The outlines of a SIP.
struct SipOutline {
  const topology::View* view;
};

}  // namespace kernbench::model::report

namespace kernbench::common {

// run_forms.cpp
template <>
const Description<model::report::RegionRow>& description_of();
template <>
const Description<model::report::LaunchRow>& description_of();
template <>
const Description<model::runtime::CheckReport>& description_of();
template <>
const Description<model::report::ContractSum>& description_of();
template <>
const Description<model::report::RaceSum>& description_of();
template <>
const Description<model::runtime::Figure>& description_of();
template <>
const Description<model::runtime::RepeatSummary>& description_of();

// explanation_forms.cpp
template <>
const Description<model::report::StretchRow>& description_of();
template <>
const Description<model::report::SipOutline>& description_of();
template <>
const Description<model::bench::LaunchRoofline>& description_of();

}  // namespace kernbench::common
