// SPDX-License-Identifier: Apache-2.0
// Networks in a topology file: which ones are accepted, and what is said about others.
#include "topology/spec/noc_topologies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/common/expect_bad_input.hpp"
#include "tests/common/temp_folder.hpp"
#include "topology/spec/spec_change.hpp"
#include "topology/spec/spec_reader.hpp"
#include "topology/zoo/endpoint_routes.hpp"

namespace kernbench::topology {
namespace {

using common::bad_input_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::string refusal_of_spec(const std::string& text) {
  return bad_input_of([&] { (void)parse_topology_spec(text, "t.yaml"); });
}

TEST(NocTopologies, AreReadWithTheirSizes) {
  const TopologySpec spec = parse_topology_spec(
      "system:\n"
      "  sips: {count: 3}\n"
      "  inter_sip: {noc: 'BidirectionalTorus1D(3)'}\n"
      "  noc: {flit_bits: 512}\n"
      "sip:\n"
      "  inter_cube: {noc: 'Butterfly(2,3)'}\n"
      "  cube_mesh: {w: 2, h: 2}\n"
      "  noc: {flit_bits: 128, clock_ns: 0.5, lanes: 2, slots: 6, stages: 3, packet_flits: 4,\n"
      "        fabric: analytic, attach_bw_gbs: 64, attach_distance_mm: 0.25}\n",
      "t.yaml");
  EXPECT_EQ(spec.system.inter_sip, InterSip::Noc);
  EXPECT_EQ(spec.system.noc, (NocSpec{{}, 512}));
  EXPECT_EQ(spec.sip.inter_cube, InterCube::Noc);
  EXPECT_EQ(spec.sip.noc, (NocSpec{{0.5, FabricModel::Analytic, 64, 0.25}, 128, 2, 6, 3, 4}));
  const zoo::EndpointRoutes& routes = *spec.sip.noc_topology.routes;
  EXPECT_EQ(routes.topology()->name(), "Butterfly(2,3)");
  // Packets enter at the first of three stages of four rows and leave at the last.
  EXPECT_EQ(routes.count(), 4U);
  EXPECT_EQ(routes.source(1), 1U);
  EXPECT_EQ(routes.destination(1), 9U);
  EXPECT_EQ(routes.route(1, 1)->size(), 2U);
}

TEST(NocTopologies, AreReadFromAFileBesideTheSpec) {
  const common::TempFolder folder;
  (void)folder.write("star.yaml",
                     "topology:\n"
                     "  kind: CustomTopology\n"
                     "  n: 4\n"
                     "  edges: [[0, 1], [1, 0], [0, 2], [2, 0], [0, 3], [3, 0]]\n"
                     "  endpoints: [0, 2, 1, 1]\n");
  const auto path =
      folder.write("t.yaml", "sip: {inter_cube: {noc: star.yaml}, cube_mesh: {w: 2, h: 2}}\n");
  const TopologySpec spec = load_topology_spec(path);
  const zoo::EndpointRoutes& routes = *spec.sip.noc_topology.routes;
  EXPECT_EQ(routes.count(), 4U);
  EXPECT_EQ(routes.source(0), 1U);
  EXPECT_EQ(routes.source(1), 1U);
  EXPECT_EQ(routes.source(3), 3U);
  EXPECT_EQ(routes.route(0, 1)->size(), 0U);
  EXPECT_EQ(routes.route(0, 3)->size(), 2U);
}

TEST(NocTopologies, AreRefusedAtTheirPlace) {
  EXPECT_EQ(refusal_of_spec("sip:\n  inter_cube: {noc: 'Mesh2D(3,2)'}\n"),
            "t.yaml:2:21: error: Mesh2D(3,2) has 6 endpoints, but sip.cube_mesh is 4 x 4, 16 "
            "cubes\n"
            "    2 |   inter_cube: {noc: 'Mesh2D(3,2)'}\n"
            "      |                     ^\n"
            "  hint: a topology with 16 endpoints");
  EXPECT_EQ(refusal_of_spec("system:\n  inter_sip: {noc: 'Mesh2D(3,1)'}\n"),
            "t.yaml:2:20: error: Mesh2D(3,1) has 3 endpoints, but system.sips.count is 2\n"
            "    2 |   inter_sip: {noc: 'Mesh2D(3,1)'}\n"
            "      |                    ^\n"
            "  hint: a topology with 2 endpoints");
  EXPECT_EQ(refusal_of_spec("sip:\n  inter_cube: {noc: Mesh3D(4)}\n"),
            "t.yaml:2:21: error: 'Mesh3D' is not a known topology\n"
            "    2 |   inter_cube: {noc: Mesh3D(4)}\n"
            "      |                     ^\n"
            "  hint: did you mean 'Mesh2D'?");
  EXPECT_EQ(refusal_of_spec("sip: {inter_cube: {noc: UnidirectionalLine(16)}}\n"),
            "t.yaml:1:25: error: UnidirectionalLine(16) has no route from endpoint 1 to endpoint "
            "0\n"
            "    1 | sip: {inter_cube: {noc: UnidirectionalLine(16)}}\n"
            "      |                         ^\n"
            "  hint: all of them exchange data: a topology that joins them both ways");
  EXPECT_THAT(refusal_of_spec("sip: {inter_cube: {noc: nowhere.yaml}}\n"),
              HasSubstr("t.yaml:1:25: error: cannot read 'nowhere.yaml'"));
  EXPECT_THAT(refusal_of_spec("sip: {inter_cube: mase}\n"), HasSubstr("t.yaml:1:19: error: "));
  EXPECT_THAT(refusal_of_spec("sip: {noc: {slots: 0, stages: 16}}\n"),
              HasSubstr("'slots' must be an integer from 1 to 255, not '0'"));
}

TEST(NocTopologies, AreRefusedWithAllErrorsOfTheirFile) {
  const common::TempFolder folder;
  (void)folder.write("bad.yaml", "topology: {kind: Mesh2D, nx: 0, ny: 2}\n");
  const auto path = folder.write("t.yaml", "sip: {inter_cube: {noc: bad.yaml}}\n");
  EXPECT_THAT(bad_input_of([&] { (void)load_topology_spec(path); }),
              HasSubstr("bad.yaml:1:30: error: "));
}

TEST(NocTopologies, FollowASettingOfTheCommandLine) {
  const TopologySpec spec =
      parse_topology_spec("sip: {cube_mesh: {w: 2, h: 2}}\n", "t.yaml",
                          {"sip.inter_cube.noc=BidirectionalTree(1,3)", "sip.noc.lanes=3"});
  EXPECT_EQ(spec.sip.noc_topology->topology()->name(), "BidirectionalTree(1,3)");
  EXPECT_EQ(spec.sip.noc.lanes, 3U);
}

TEST(NocTopologies, StayInAChangedSpecAndLimitItsChanges) {
  const TopologySpec spec =
      parse_topology_spec("sip: {inter_cube: {noc: 'Mesh2D(4,4)'}}\n", "t.yaml");
  const TopologySpec changed = changed_spec(spec, parse_spec_changes("sip.noc.clock_ns/2"));
  EXPECT_EQ(changed.sip.noc.clock_ns, 0.5);
  EXPECT_EQ(changed.sip.noc_topology.routes, spec.sip.noc_topology.routes);
  EXPECT_THROW((void)changed_spec(spec, parse_spec_changes("sip.cube_mesh.w*2")),
               std::invalid_argument);
}

TEST(NocTopologies, HaveAName) {
  EXPECT_EQ(interconnect_name(TopologySpec().sip), "a UCIe mesh");
  const TopologySpec spec =
      parse_topology_spec("sip: {inter_cube: {noc: 'Mesh2D(4,4)'}}\n", "t.yaml");
  EXPECT_EQ(interconnect_name(spec.sip), "Mesh2D(4,4)");
  EXPECT_FALSE(has_estimated_noc(spec));
}

}  // namespace
}  // namespace kernbench::topology
