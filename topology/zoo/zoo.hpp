// SPDX-License-Identifier: Apache-2.0
#pragma once

// All headers of the zoo of base topologies. A program can list the kinds, make a topology from a
// file or from a short text, draw it, and check its routing.
//
//   for (const ZooKind& kind : zoo_kinds()) print(kind.name, kind.parameters, kind.doc);
//   const TopologyPtr topology = parse_zoo_text("TerminalRouter(Mesh2D(4,3))");
//   const std::string svg = render_zoo_svg(*topology);
//   const auto relation = natural_routing(*topology);
//   const RoutingCheck check = check_routing(*relation);
//   print(routing_report(*topology, check));  // check.passed() decides the outcome

#include "topology/zoo/base/base_topology.hpp"
#include "topology/zoo/routing/dependency_check.hpp"
#include "topology/zoo/routing/natural_routing.hpp"
#include "topology/zoo/routing/routing_kind.hpp"
#include "topology/zoo/routing/shortest_path.hpp"
#include "topology/zoo/zoo_export.hpp"
#include "topology/zoo/zoo_kinds.hpp"
#include "topology/zoo/zoo_spec.hpp"
#include "topology/zoo/zoo_svg.hpp"
#include "topology/zoo/zoo_text.hpp"
