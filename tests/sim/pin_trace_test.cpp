// SPDX-License-Identifier: Apache-2.0
// The reader of pin-traces: what it takes, and that it reports all errors at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/stimulus/pin_trace.hpp"
#include "tests/common/expect_bad_input.hpp"

namespace kernbench::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

PinTrace read_pins(const std::string& data) {
  common::ReportEnvelope report;
  report.kind = kPinTraceKind;
  report.seed = 7;
  report.data = nlohmann::json::parse(data);
  return pin_trace_of(report, "pins.json");
}

std::string errors_of(const std::string& data) {
  return common::bad_input_of([&] { (void)read_pins(data); });
}

constexpr const char* kPrimitiveStart =
    R"("bench": "primitive", "primitive": {"payload_bits": 5, "depth": 2, "kind": "half", "ro_en": true})";

TEST(PinTraceReader, ReadsAFabric) {
  const PinTrace trace = read_pins(R"({
    "bench": "topo", "fabric": {"nx": 8, "ny": 2, "flit_bits": 4},
    "receivers": [{"node": 15, "port": 7}, {"node": 4, "port": 3}],
    "cycles": [{"reset": true, "offers": [], "ready": [true, false]},
               {"reset": false, "offers": [{"node": 0, "port": 3, "packet": "0x7ffff"},
                                           {"node": 0, "port": 7, "packet": "12"}],
                "ready": [false, true]}],
    "fails": {"cycle": 1, "rule": "order"}})");
  EXPECT_EQ(trace.shape, (maze::Shape{8, 2, 4}));
  EXPECT_FALSE(trace.primitive);
  EXPECT_THAT(trace.receivers, ElementsAre(PinPort{15, 7}, PinPort{4, 3}));
  ASSERT_EQ(trace.cycles.size(), 2U);
  EXPECT_TRUE(trace.cycles[0].reset);
  EXPECT_THAT(trace.cycles[0].offers, IsEmpty());
  EXPECT_THAT(trace.cycles[0].ready, ElementsAre(true, false));
  EXPECT_FALSE(trace.cycles[1].reset);
  ASSERT_EQ(trace.cycles[1].offers.size(), 2U);
  EXPECT_EQ(trace.cycles[1].offers[0].from, (PinPort{0, 3}));
  EXPECT_EQ(trace.cycles[1].offers[0].packet, 0x7ffffU);
  EXPECT_EQ(trace.cycles[1].offers[1].from, (PinPort{0, 7}));
  EXPECT_EQ(trace.cycles[1].offers[1].packet, 12U);
  EXPECT_THAT(trace.cycles[1].ready, ElementsAre(false, true));
  ASSERT_TRUE(trace.fails);
  EXPECT_EQ(trace.fails->cycle, 1U);
  EXPECT_EQ(trace.fails->rule, "order");
  EXPECT_EQ(trace.seed, 7U);
}

TEST(PinTraceReader, ReadsAPrimitiveOfEachKind) {
  struct Row {
    const char* kind;
    bool no_ready, half;
  };
  for (const Row& row :
       {Row{"lp", false, false}, {"half", false, true}, {"no_ready", true, false}}) {
    const PinTrace trace = read_pins(
        std::string(R"({"bench": "primitive", "primitive": {"payload_bits": 64, "depth": 3,
                        "ro_en": true, "kind": ")") +
        row.kind + R"("}, "receivers": [],
        "cycles": [{"reset": true, "ready": [],
                    "offers": [{"node": 0, "port": 0, "packet": "0xffffffffffffffff"}]}]})");
    ASSERT_TRUE(trace.primitive) << row.kind;
    EXPECT_EQ(trace.primitive->payload_bits, 64U);
    EXPECT_EQ(trace.primitive->irs.depth, 3U);
    EXPECT_TRUE(trace.primitive->irs.ro_en);
    EXPECT_EQ(trace.primitive->irs.no_ready, row.no_ready) << row.kind;
    EXPECT_EQ(trace.primitive->irs.half, row.half) << row.kind;
    EXPECT_EQ(trace.cycles[0].offers[0].packet, ~std::uint64_t{0});
    EXPECT_FALSE(trace.fails);
  }
}

TEST(PinTraceReader, ReportsAllErrorsOfTheCyclesAtOnce) {
  const std::string data = std::string("{") + kPrimitiveStart + R"(,
    "receivers": [{"node": 0, "port": 0}],
    "cycles": [
      {"reset": false, "offers": [{"node": 0, "port": 0, "packet": "0x20"}], "ready": []},
      {"reset": 0, "offers": {}, "ready": [1]},
      {"reset": false, "ofers": [], "ready": [true, true]},
      {"reset": false, "ready": [true],
       "offers": [{"node": 1, "port": -1, "packet": 3}, {"node": 0, "port": 0, "packet": "0x"},
                  {"node": 0, "port": 0, "packet": "0x1f"}, [], {"packet": "1"}]},
      null],
    "fails": {"cycle": 5, "rule": 3}})";
  EXPECT_EQ(
      errors_of(data),
      "pins.json: error: 'data.cycles[1].reset' must be true or false, not '0'\n"
      "pins.json: error: 'data.cycles[1].offers' must be a list, not a map\n"
      "pins.json: error: 'data.cycles[1].ready[0]' must be true or false, not '1'\n"
      "pins.json: error: missing key 'data.cycles[2].offers'\n"
      "  hint: it must be a list\n"
      "pins.json: error: unknown key 'data.cycles[2].ofers'\n"
      "  hint: did you mean 'offers'?\n"
      "pins.json: error: 'data.cycles[3].offers[0].port' must be an integer from 0 to 29, not "
      "'-1'\n"
      "pins.json: error: 'data.cycles[3].offers[0].packet' must be a number as text, such as "
      "\"0x1a2b3c\", not '3'\n"
      "  hint: put it in quotes\n"
      "pins.json: error: 'data.cycles[3].offers[1].packet' must be a number as text, such as "
      "\"0x1a2b3c\", not '0x'\n"
      "pins.json: error: 'data.cycles[3].offers[3]' must be a map, not a list\n"
      "pins.json: error: missing key 'data.cycles[3].offers[4].node'\n"
      "  hint: it must be an integer from 0 to 255\n"
      "pins.json: error: missing key 'data.cycles[3].offers[4].port'\n"
      "  hint: it must be an integer from 0 to 29\n"
      "pins.json: error: 'data.cycles[4]' must be a map, not nothing\n"
      "pins.json: error: 'data.fails.rule' must be text, not '3'\n"
      "  hint: put it in quotes\n"
      "pins.json: error: 'data.cycles[0].reset' must be true: flops have random bits before their "
      "first reset\n"
      "pins.json: error: 'data.cycles[0].offers[0].packet' is 0x20, which has more than the 5 bits "
      "of a packet\n"
      "pins.json: error: 'data.cycles[0].ready' must have a value for each receiver, 1, not 0\n"
      "pins.json: error: 'data.cycles[2].ready' must have a value for each receiver, 1, not 2\n"
      "pins.json: error: 'data.cycles[3].offers[2]' is a second offer of node 0 port 0\n"
      "pins.json: error: 'data.fails.cycle' must be an integer from 0 to 4, not '5'");
}

TEST(PinTraceReader, ReportsAllErrorsOfTheBenchAtOnce) {
  EXPECT_EQ(
      errors_of(R"({"bench": "topo", "primitive": {}, "fabric": {"nx": 1, "ny": 17, "bits": 8},
                          "receivers": null, "cycles": []})"),
      "pins.json: error: 'data.fabric.nx' must be an integer from 2 to 16, not '1'\n"
      "pins.json: error: 'data.fabric.ny' must be an integer from 2 to 16, not '17'\n"
      "pins.json: error: missing key 'data.fabric.flit_bits'\n"
      "  hint: it must be an integer from 1 to 32\n"
      "pins.json: error: unknown key 'data.fabric.bits'\n"
      "  hint: did you mean 'flit_bits'?\n"
      "pins.json: error: 'data.receivers' must be a list, not nothing\n"
      "pins.json: error: 'data.cycles' must be a list of at least 1 item, not of 0\n"
      "pins.json: error: unknown key 'data.primitive'\n"
      "  hint: valid keys: bench, fabric, receivers, cycles, fails");
  EXPECT_EQ(
      errors_of(R"({"bench": "primitive", "receivers": [], "cycles": [],
                          "primitive": {"payload_bits": 65, "depth": 65, "kind": "full",
                                        "ro_en": 1}})"),
      "pins.json: error: 'data.primitive.payload_bits' must be an integer from 1 to 64, not '65'\n"
      "pins.json: error: 'data.primitive.depth' must be an integer from 0 to 64, not '65'\n"
      "pins.json: error: 'data.primitive.kind' must be one of lp, half, no_ready, not 'full'\n"
      "pins.json: error: 'data.primitive.ro_en' must be true or false, not '1'\n"
      "pins.json: error: 'data.cycles' must be a list of at least 1 item, not of 0");
  EXPECT_EQ(errors_of(R"({"bench": "top", "fabric": 3})"),
            "pins.json: error: 'data.bench' must be one of topo, primitive, network, not 'top'\n"
            "  hint: did you mean 'topo'?\n"
            "pins.json: error: missing key 'data.receivers'\n"
            "  hint: it must be a list\n"
            "pins.json: error: missing key 'data.cycles'\n"
            "  hint: it must be a list of at least 1 item");
  EXPECT_EQ(errors_of("[]"), "pins.json: error: 'data' must be a map, not a list");
}

TEST(PinTraceReader, RefusesPortsThatAFabricDoesNotHave) {
  EXPECT_EQ(
      errors_of(R"({
    "bench": "topo", "fabric": {"nx": 4, "ny": 3, "flit_bits": 8},
    "receivers": [{"node": 11, "port": 4}, {"node": 12, "port": 5}, {"node": 11, "port": 4}],
    "cycles": [{"reset": true, "ready": [true, true, true],
                "offers": [{"node": 12, "port": 0, "packet": "0x7fffff"},
                           {"node": 0, "port": 5, "packet": "0x800000"}]}]})"),
      "pins.json: error: 'data.receivers[1].node' must be an integer from 0 to 11, not '12'\n"
      "pins.json: error: 'data.receivers[1].port' must be an integer from 0 to 4, not '5'\n"
      "pins.json: error: 'data.receivers[2]' names node 11 port 4 again\n"
      "pins.json: error: 'data.cycles[0].offers[0].node' must be an integer from 0 to 11, not "
      "'12'\n"
      "pins.json: error: 'data.cycles[0].offers[1].packet' is 0x800000, which has more than the 23 "
      "bits of a packet\n"
      "pins.json: error: 'data.cycles[0].offers[1].port' must be an integer from 0 to 4, not '5'");
}

}  // namespace
}  // namespace kernbench::sim
