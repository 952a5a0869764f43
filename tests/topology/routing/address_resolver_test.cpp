// SPDX-License-Identifier: Apache-2.0
// The five methods of ADR-0051 D1.
#include "topology/routing/address_resolver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::topology {
namespace {

using ::testing::ElementsAre;

class AddressResolverTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string resolved(const PhysAddr& address) const {
    return std::string(graph_.name(resolver_.resolve(address)));
  }
  template <typename Call>
  static std::string refusal(Call call) {
    try {
      (void)call();
    } catch (const RoutingError& error) {
      return error.what();
    }
    return "answered";
  }

  TopologyGraph graph_ = compile_topology({});
  AddressResolver resolver_{graph_};
};

constexpr std::uint64_t kSlice = 6ULL << 30U;  // 48 GiB for 8 PEs

TEST_F(AddressResolverTest, AnHbmOffsetBelongsToTheSliceThatHoldsIt) {
  EXPECT_EQ(resolved(PhysAddr::hbm(1, 15, 0)), "sip1.cube15.hbm_ctrl.pe0");
  EXPECT_EQ(resolved(PhysAddr::hbm(0, 3, kSlice - 1)), "sip0.cube3.hbm_ctrl.pe0");
  EXPECT_EQ(resolved(PhysAddr::hbm(0, 3, kSlice)), "sip0.cube3.hbm_ctrl.pe1");
  EXPECT_EQ(resolved(PhysAddr::hbm(0, 3, 8 * kSlice - 1)), "sip0.cube3.hbm_ctrl.pe7");
}

TEST_F(AddressResolverTest, APeResourceIsATcmTheSramOrTheMCpu) {
  EXPECT_EQ(resolved(PhysAddr::pe_tcm(1, 2, 3, 99)), "sip1.cube2.pe3.pe_tcm");
  EXPECT_EQ(resolved(PhysAddr::sram(1, 2, 99)), "sip1.cube2.sram");
  EXPECT_EQ(resolved(PhysAddr::m_cpu(1, 2, 99)), "sip1.cube2.m_cpu");
}

TEST_F(AddressResolverTest, AnAddressOfANodeThatIsNotThereIsRefusedByName) {
  EXPECT_EQ(refusal([&] { return resolver_.resolve(PhysAddr::hbm(0, 0, 8 * kSlice)); }),
            "node sip0.cube0.hbm_ctrl.pe8 not found in topology");
  EXPECT_EQ(refusal([&] { return resolver_.resolve(PhysAddr::sram(2, 0, 0)); }),
            "node sip2.cube0.sram not found in topology");
  EXPECT_EQ(refusal([&] { return resolver_.resolve(PhysAddr::pe_tcm(0, 16, 0, 0)); }),
            "node sip0.cube16.pe0.pe_tcm not found in topology");
}

TEST_F(AddressResolverTest, UnknownKindsAndUnitsAreRefused) {
  PhysAddr address;
  address.kind = static_cast<AddressKind>(7);
  EXPECT_EQ(refusal([&] { return resolver_.resolve(address); }), "unsupported address kind");
  address.kind = AddressKind::PeResource;
  address.unit = static_cast<UnitType>(9);
  EXPECT_EQ(refusal([&] { return resolver_.resolve(address); }), "unsupported unit_type");
}

TEST_F(AddressResolverTest, FindsTheNodesOfARole) {
  EXPECT_EQ(graph_.name(resolver_.find_m_cpu(1, 4)), "sip1.cube4.m_cpu");
  EXPECT_EQ(graph_.name(resolver_.find_pcie_ep(1)), "sip1.io0.pcie_ep");
  EXPECT_EQ(graph_.name(resolver_.find_io_cpu(0, "io0")), "sip0.io0.io_cpu");
  EXPECT_EQ(refusal([&] { return resolver_.find_m_cpu(0, 16); }),
            "node sip0.cube16.m_cpu not found in topology");
  EXPECT_EQ(refusal([&] { return resolver_.find_pcie_ep(0, "io1"); }),
            "node sip0.io1.pcie_ep not found in topology");
  EXPECT_EQ(refusal([&] { return resolver_.find_io_cpu(9); }),
            "node sip9.io0.io_cpu not found in topology");
}

TEST(AddressResolver, ListsAllPcieEndpointsSortedByName) {
  TopologySpec spec;
  spec.system.sips = 11;
  spec.sip.cube_mesh_w = 1;
  spec.sip.cube_mesh_h = 1;
  spec.sip.io_chiplets.push_back(spec.sip.io_chiplets[0]);
  spec.sip.io_chiplets[1].id = "aux";
  spec.sip.io_chiplets[1].side = Side::South;
  const TopologyGraph graph = compile_topology(spec);
  std::vector<std::string> names;
  for (const NodeId id : AddressResolver(graph).find_all_pcie_eps()) {
    names.emplace_back(graph.name(id));
  }
  EXPECT_EQ(names.size(), 22U);
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(names[0], "sip0.aux.pcie_ep");
  EXPECT_EQ(names[4], "sip10.aux.pcie_ep");  // sorts before sip2 as text
}

}  // namespace
}  // namespace kernbench::topology
