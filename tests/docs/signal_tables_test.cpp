// SPDX-License-Identifier: Apache-2.0
// Signal tables are read from the RTL, and misreading it is an error.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "common/text_file.hpp"
#include "docs/generator/signal_tables.hpp"
#include "tests/places.hpp"

namespace kernbench::docs {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string rtl(const std::string& file) {
  return common::read_text_file(places::source("/rtl/") + file);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("there is no " + from);
  return text.replace(at, from.size(), to);
}

TEST(InterfaceTable, HasEverySignalOfPktConIf) {
  const auto signals = read_interface(rtl("pkt_con_if.sv"));
  ASSERT_THAT(signals, SizeIs(28));  // 2 dimensions x 2 sides x 7 fields
  const std::string text = interface_markdown(signals);
  EXPECT_THAT(
      text,
      HasSubstr(
          "| `xo_vld` | 1 | `NX-1` | output | input | X links, outgoing: a packet is offered |"));
  EXPECT_THAT(text, HasSubstr("| `xi_rdy` | 1 | `NX-1` | output | input |"));
  EXPECT_THAT(text, HasSubstr("| `yi_data` | `[FLIT_W-1:0]` | `NY-1` | input | output |"));
}

TEST(InterfaceTable, ReversesEverySignalBetweenTheModports) {
  for (const InterfaceSignal& signal : read_interface(rtl("pkt_con_if.sv"))) {
    EXPECT_NE(signal.at_mst, signal.at_slv) << signal.name;
  }
}

TEST(InterfaceTable, RefusesASignalThatAModportLacksOrInvents) {
  const std::string source = rtl("pkt_con_if.sv");
  EXPECT_THROW((void)read_interface(replaced(source, "input  xo_rdy,", "")), std::runtime_error);
  EXPECT_THROW((void)read_interface(replaced(source, "xo_rdy,", "xo_rdy, xo_more,")),
               std::runtime_error);
  EXPECT_THROW((void)read_interface("interface pkt_con_if; endinterface"), std::runtime_error);
}

TEST(InterfaceTable, RefusesASignalWithoutADescription) {
  EXPECT_EQ(describe_signal("yo_qos"), "Y links, outgoing: quality of service: 0 low, 1 high");
  EXPECT_THROW((void)describe_signal("xo_parity"), std::runtime_error);
}

TEST(ModuleTable, HasTheParametersAndPortsThatUsersRelyOn) {
  const ModuleHeader irs = read_module(rtl("irs_n.sv"));
  EXPECT_EQ(irs.name, "IRS_N");
  std::string names;
  for (const auto& parameter : irs.parameters) names += fmt::format("{} ", parameter.name);
  for (const auto& port : irs.ports) names += fmt::format("{}:{} ", port.direction[0], port.name);
  EXPECT_EQ(names,
            "PYLD_W IRS_DEEP TYPE_NO_READY TYPE_HALF TYPE_RO_EN i:clk i:rst_n i:valid_i o:ready_o "
            "i:payload_i o:valid_o i:ready_i o:payload_o ");
}

TEST(ModuleTable, KnowsTheInterfacePortOfTopo) {
  const ModuleHeader topo = read_module(rtl("topo.sv"));
  ASSERT_THAT(topo.ports, SizeIs(3));
  EXPECT_EQ(topo.ports[2].direction, "pkt_con_if.slv");
  EXPECT_EQ(topo.ports[2].name, "node_if");
  EXPECT_EQ(topo.ports[2].count, "NX*NY-1:0");
  EXPECT_THAT(module_markdown(topo), HasSubstr("| `node_if` | pkt_con_if.slv | 1 | `NX*NY-1:0` |"));
}

TEST(ModuleTable, RefusesAHeaderItCannotRead) {
  EXPECT_THROW((void)read_module("// nothing"), std::runtime_error);
  EXPECT_THROW((void)read_module("module m (inout wire a);"), std::runtime_error);
  EXPECT_THROW((void)read_module("module m #(int A = 1) (input logic a);"), std::runtime_error);
  EXPECT_THROW((void)read_module("module m (input logic a"), std::runtime_error);
}

}  // namespace
}  // namespace kernbench::docs
