// SPDX-License-Identifier: Apache-2.0
// The two readers of dumps. tiny.tree.json is what Verilator 5.051 wrote of tiny.sv with
//   verilator --json-only -O0 --noassert --top-module tiny_top --prefix tiny tiny.sv
// without the keys that the reader does not use, so that it is tested where that Verilator is not
// installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "common/diagnostics.hpp"
#include "design_text.hpp"
#include "tests/common/temp_folder.hpp"
#include "tests/places.hpp"

namespace kernbench::sim::structure {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

const std::string kHere = places::source("/tests/sim/structure");

TEST(BitValues, ANumberHasZerosAboveItsSixtyFourBits) {
  const BitValues bits = constant_bits(~std::uint64_t{0}, 70);
  ASSERT_EQ(bits.size(), 70U);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    EXPECT_EQ(bits[i], i < 64 ? BitValue::one() : BitValue::zero()) << i;
  }
}

class TinyDesign : public ::testing::Test {
 protected:
  [[nodiscard]] static std::set<std::string> lines(Dump dump) {
    const Design design(std::move(dump));
    ModuleLogics logics(design);
    const Netlist netlist(logics, design.top(), [](const Module&) { return false; });
    EXPECT_THAT(netlist.problems(), IsEmpty());
    return lines_of(netlist);
  }
  [[nodiscard]] static std::set<std::string> stored() {
    return lines(read_json_dump(kHere + "/tiny.tree.json"));
  }

  common::TempFolder folder_;
};

TEST_F(TinyDesign, IsTheSameInTheStoredJsonAndInTheDumpOfTheInstalledVerilator) {
  const std::string out = folder_.path().string();
  const std::string command =
      "cd " + kHere +
      " && verilator --$(verilator --xml-only --version > /dev/null 2>&1 && echo xml || echo "
      "json)-only -O0 --noassert"
      " -Wno-fatal -Wno-lint -Wno-style --top-module tiny_top --prefix tiny --Mdir " +
      out + " tiny.sv > " + out + "/log 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const bool xml = std::filesystem::exists(out + "/tiny.xml");
  EXPECT_EQ(lines(xml ? read_xml_dump(out + "/tiny.xml") : read_json_dump(out + "/tiny.tree.json")),
            stored());
}

TEST_F(TinyDesign, HasItsDriversItsEdgesAndWhatTheyDependOn) {
  const std::string stage = "u_core.g_n[0].g_kind.u_stage.";
  EXPECT_THAT(
      stored(),
      IsSupersetOf(std::vector<std::string>{
          // Interfaces: elements of an array of instances, packed and unpacked signals.
          "port_if[1].vld[0] = v_i[2] tiny.sv:60",
          "u_core.g_n[0].d[0] = not port_if[0].vld[1] tiny.sv:45",
          // An output of an instance through a concatenation; an open output is nothing.
          "port_if[1].rdy[0] = " + stage + "q_o[1] tiny.sv:48",
          // Two drivers, one of them by the name of a generate block.
          "port_if[1].rdy[1] = u_core.g_n[0].d[1] tiny.sv:53",
          "port_if[1].rdy[1] = u_core.g_n[1].g_kind.u_stage.held_o tiny.sv:50",
          // Registers; the value is that outside of reset.
          stage + "ptr = not " + stage + "ptr @+" + stage + "clk @-" + stage + "rst_n tiny.sv:25",
          stage + "half = " + stage + "d_i[0] @-" + stage + "clk tiny.sv:28",
          // A function, and an index that varies.
          stage + "mem[0][1] = f " + stage + "d_i[1] " + stage + "mem[0][1] " + stage + "ptr @+" +
              stage + "clk tiny.sv:27",
          // A loop is unrolled; a case with a default assigns one bit of a structure in one branch.
          stage + "s[1] = " + stage + "mem[0][1] tiny.sv:31",
          stage + "s[0] = f " + stage + "d_i[1] " + stage + "mem[0][0] " + stage + "ptr tiny.sv:33",
          // A latch depends on itself.
          stage + "held_o = f " + stage + "held_o " + stage + "ptr " + stage + "s[1] tiny.sv:37",
          "u_core.g_n[1].gate = f u_core.clk u_core.rst_n tiny.sv:46"}));
}

TEST_F(TinyDesign, HasTheDirectionsOfItsModport) {
  const Design design(read_json_dump(kHere + "/tiny.tree.json"));
  for (const auto& [id, module] : design.modules()) {
    if (module.orig != "tiny_if") continue;
    ASSERT_EQ(module.modports.size(), 1U);
    EXPECT_EQ(module.modports[0].name, "slv");
    EXPECT_EQ(module.modports[0].signals.at("vld").first, Direction::Input);
    EXPECT_EQ(module.modports[0].signals.at("rdy").first, Direction::Output);
    EXPECT_EQ(design.at(module.modports[0].signals.at("rdy").second), "tiny.sv:5");
    return;
  }
  FAIL() << "no interface";
}

/// Returns the message with which a reader refuses a file.
template <typename Read>
std::string refusal(Read read, const std::string& path) {
  try {
    (void)read(path);
  } catch (const common::BadInput& error) {
    return error.what();
  }
  return "read";
}

TEST_F(TinyDesign, IsRefusedWithItsFileWhenTheDumpIsDamaged) {
  const std::string base = folder_.path().string();
  std::ofstream(base + "/cut.xml") << "<verilator_xml><netlist>\n<module name=\"m\">";
  EXPECT_EQ(refusal(read_xml_dump, base + "/cut.xml"),
            "error: " + base + "/cut.xml:2: not well-formed XML: no element found");
  std::ofstream(base + "/empty.xml") << "<verilator_xml/>";
  EXPECT_EQ(
      refusal(read_xml_dump, base + "/empty.xml"),
      "error: " + base + "/empty.xml: no modules; it is not an output of verilator --xml-only");
  std::ofstream(base + "/cut.tree.json") << "{\"type\":\"NETLIST\",";
  EXPECT_EQ(refusal(read_json_dump, base + "/cut.tree.json"),
            "error: cannot read '" + base + "/cut.tree.meta.json': No such file or directory");
  std::ofstream(base + "/cut.tree.meta.json") << "{\"files\":{}}";
  EXPECT_THAT(refusal(read_json_dump, base + "/cut.tree.json"),
              HasSubstr("/cut.tree.json: not valid JSON at byte "));
  std::ofstream(base + "/other.tree.json") << "{\"type\":\"MODULE\"}";
  std::ofstream(base + "/other.tree.meta.json") << "[]";
  EXPECT_EQ(refusal(read_json_dump, base + "/other.tree.json"),
            "error: " + base + "/other.tree.meta.json: not an output of verilator --json-only");
}

}  // namespace
}  // namespace kernbench::sim::structure
