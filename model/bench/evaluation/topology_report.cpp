// SPDX-License-Identifier: Apache-2.0
#include "model/bench/evaluation/topology_report.hpp"

#include "common/description.hpp"

namespace kernbench::common {

using model::bench::NetworkCost;
using model::bench::TopologyCase;
using model::bench::TopologyEvaluation;
using model::bench::TopologyPoint;

template <>
const Description<TopologyCase>& description_of() {
  static const auto kAll = Description<TopologyCase>()
                               .add("network", &TopologyCase::network)
                               .not_empty()
                               .add("equal", &TopologyCase::equal, "the budget of its links")
                               .add("workload", &TopologyCase::workload);
  return kAll;
}

template <>
const Description<NetworkCost>& description_of() {
  static const auto kAll =
      Description<NetworkCost>()
          .add("links", &NetworkCost::links, "in one direction each")
          .add("bisection_links", &NetworkCost::bisection, "between halves of the cubes")
          .add("wire_mm", &NetworkCost::wire_mm, "length of all links")
          .at_least(0)
          .add("buffers", &NetworkCost::buffers, "flits or packets that routers or nodes hold");
  return kAll;
}

template <>
const Description<TopologyPoint>& description_of() {
  static const auto kAll =
      Description<TopologyPoint>()
          .add_members(&TopologyPoint::which)
          .add_members(&TopologyPoint::cost)
          .add("flit_bits", &TopologyPoint::flit_bits, "data bits of a link")
          .at_least(1)
          .add("limit", &TopologyPoint::limit,
               "why links are narrower than the budget allows; empty if they are not")
          .add("bisection_bits", &TopologyPoint::bisection_bits, "a cycle, in one direction")
          .computed()
          .add("wire_bit_mm", &TopologyPoint::wire_bit_mm, "length of all data wires")
          .computed()
          .add("buffer_bits", &TopologyPoint::buffer_bits)
          .computed()
          .add("took_ps", &TopologyPoint::took, "sum of the measured regions")
          .add("elements", &TopologyPoint::elements, "numbers that were compared")
          .add("wrong", &TopologyPoint::wrong);
  return kAll;
}

template <>
const Description<TopologyEvaluation>& description_of() {
  static const auto kAll = Description<TopologyEvaluation>()
                               .add("base_bits", &TopologyEvaluation::base_bits,
                                    "data bits of the links of the mesh, which sets both budgets")
                               .at_least(1)
                               .add("points", &TopologyEvaluation::points)
                               .not_empty();
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::bench {

const plot::ReportKind kTopologyReport = {
    .name = "topology-evaluation",
    .command = "evaluate topologies",
    .about = "Networks of cubes at equal bisection and at equal wire",
    .form = common::form_of<TopologyEvaluation>,
    .rows = 1000};

}  // namespace kernbench::model::bench
