// SPDX-License-Identifier: Apache-2.0
#include "model/data/op_log_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/model/data/data_fixture.hpp"
#include "topology/graph/compile.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::data {
namespace {

using common::SimTime;
using components::MathOp;
using nlohmann::json;

class OpLogJson : public testing::Test {
 protected:
  static topology::TopologyGraph one_sip() {
    topology::TopologySpec spec;
    spec.system.sips = 1;
    return compile_topology(spec);
  }

  std::uint32_t add(Params params, bool ended = true, int line = 7) {
    OpRecord record;
    record.start = SimTime::from_ps(1000);
    record.component = component_;
    record.params = std::move(params);
    record.dependencies = {};
    if (line != 0) record.line = {"/home/me/kernel.cpp", line};
    const std::uint32_t number = log_.begin(std::move(record));
    if (ended) log_.end(number, SimTime::from_ps(2500));
    return number;
  }
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    write_op_log(log_, graph_, {.kind = "op-log"}, out);
    const std::string all = out.str();
    const std::size_t begin = all.find("{\n  \"records\"");
    return all.substr(begin, all.rfind('}') - begin);
  }
  /// Returns the parameters of the only record.
  json params(Params of) {
    add(std::move(of), true, 0);
    return json::parse(text())["records"].back()["params"];
  }
  static std::vector<std::string> keys(const json& object) {
    std::vector<std::string> keys;
    for (const auto& item : object.items()) keys.push_back(item.key());
    return keys;
  }

  topology::TopologyGraph graph_ = one_sip();
  topology::NodeId component_ = graph_.find("sip0.cube0.pe0.pe_dma").value();
  OpLog log_;
  Block a_ = block_at(Space::Tcm, 0x10, DataType::F16, 2, 3);
  Block b_ = block_at(Space::Tcm, 0x20, DataType::F16, 3, 4);
  Block c_ = block_at(Space::Tcm, 0x30, DataType::F32, 2, 4);
};

using Keys = std::vector<std::string>;

TEST_F(OpLogJson, RecordsHaveSevenFields) {
  add(CopyParams{block_at(Space::Hbm, 0xffffffffffff0000U, DataType::F16, 2, 3), a_});
  log_.add_dependency(add(UnknownParams{}, false), 0);
  const json all = json::parse(text());
  EXPECT_EQ(all["records"][0], json::parse(R"({
    "start_ps": 1000, "end_ps": 2500, "component": "sip0.cube0.pe0.pe_dma", "kind": "memory",
    "name": "dma_read", "dependencies": [],
    "params": {
      "source": {"space": "hbm", "dtype": "f16", "shape": [2, 3], "row_stride": 3,
                 "transposed": false, "stretches": [["0xffffffffffff0000", 12]]},
      "target": {"space": "tcm", "dtype": "f16", "shape": [2, 3], "row_stride": 3,
                 "transposed": false, "stretches": [["0x10", 12]]},
      "bytes": 12, "line": "kernel.cpp:7"}})"));
  EXPECT_EQ(all["records"][1], json::parse(R"({
    "start_ps": 1000, "end_ps": null, "component": "sip0.cube0.pe0.pe_dma", "kind": "memory",
    "name": "unknown", "dependencies": [0], "params": {"line": "kernel.cpp:7"}})"));
}

TEST_F(OpLogJson, OperationsOfKernelsNameTheirLaunch) {
  EXPECT_EQ(json::parse(text())["launches"], json::array());
  (void)log_.add_launch("one");
  const std::uint32_t launch = log_.add_launch("two \"2\"");
  OpRecord record;
  record.component = component_;
  record.params = UnknownParams{};
  record.line = {"k.cpp", 3};
  record.launch = launch;
  log_.end(log_.begin(record), {});
  const json all = json::parse(text());
  EXPECT_EQ(all["launches"], json::parse(R"([{"kernel": "one"}, {"kernel": "two \"2\""}])"));
  EXPECT_EQ(all["records"][0]["params"], json::parse(R"({"line": "k.cpp:3", "launch": 1})"));
}

TEST_F(OpLogJson, ParametersAreThoseOfTheOperation) {
  EXPECT_EQ(params(UnknownParams{}), json::object());
  EXPECT_EQ(keys(params(CopyParams{a_, block_at(Space::Hbm, 0, DataType::F16, 2, 3)})),
            (Keys{"bytes", "source", "target"}));

  const Block rows = block_at(Space::Tcm, 0x40, DataType::I32, 1, 2);
  const json gather = params(CopyParams{block_at(Space::Hbm, 0, DataType::F16, 9, 3), a_, rows});
  EXPECT_EQ(keys(gather), (Keys{"bytes", "rows", "source", "target"}));
  EXPECT_EQ(gather["bytes"], 12);
  EXPECT_EQ(gather["rows"]["stretches"][0][0], "0x40");

  Block turned = block_at(Space::Tcm, 0x10, DataType::F16, 3, 2);
  turned.transposed = true;
  const json gemm = params(GemmParams{turned, b_, c_});
  EXPECT_EQ(keys(gemm), (Keys{"a", "b", "c", "k", "m", "n"}));
  EXPECT_EQ(gemm["a"]["transposed"], true);
  EXPECT_EQ((json{gemm["m"], gemm["k"], gemm["n"]}), (json{2, 3, 4}));

  const json add = params(MathParams{MathOp::Add, {c_, 0.1}, {}, c_});
  EXPECT_EQ(keys(add), (Keys{"inputs", "output"}));
  EXPECT_EQ(add["inputs"][1], 0.1);
  EXPECT_EQ(params(MathParams{MathOp::Fill, {-HUGE_VAL}, {}, c_})["inputs"][0], "-inf");
  const json sum = params(MathParams{MathOp::Sum, {c_}, Axis::Columns, c_});
  EXPECT_EQ(keys(sum), (Keys{"axis", "inputs", "output"}));
  EXPECT_EQ(sum["axis"], 1);

  CompositeGemmParams composite{
      a_, b_, c_, {}, {{MathOp::Add, c_}, {MathOp::Exp, {}}, {MathOp::Mul, Accumulated{1}}}};
  composite.shape.m = 2;
  composite.shape.k = 3;
  composite.shape.n = 4;
  composite.shape.tile_k = 64;
  composite.shape.b = components::Staging::ResidentTcm;
  const json fused = params(composite);
  EXPECT_EQ(keys(fused), (Keys{"a", "b", "c", "epilogue", "k", "m", "n", "staging", "tile"}));
  EXPECT_EQ(fused["tile"], (json{0, 64, 0}));
  EXPECT_EQ(fused["staging"], (json{"hbm", "tcm", "hbm"}));
  EXPECT_EQ(fused["epilogue"][0]["operand"]["stretches"][0][0], "0x30");
  EXPECT_EQ(fused["epilogue"][1], (json{{"op", "exp"}, {"operand", nullptr}}));
  EXPECT_EQ(fused["epilogue"][2]["operand"], (json{{"accumulator_after", 1}}));

  const json message = params(IpcqCopyParams{true, a_, component_, 3});
  EXPECT_EQ(keys(message), (Keys{"direction", "end", "local", "receiver"}));
  EXPECT_EQ(message["end"], "send");

  HostCopyParams host;
  host.rows = 2;
  host.columns = 3;
  host.type = DataType::F16;
  host.parts = {{0, 0, a_}, {1, 2, a_}};
  const json write = params(host);
  EXPECT_EQ(keys(write), (Keys{"dtype", "parts", "shape"}));
  EXPECT_EQ(keys(write["parts"][1]), (Keys{"block", "column", "row"}));
  host.to_device = false;
  EXPECT_EQ(keys(params(host)), (Keys{"dtype", "parts", "result", "shape"}));
  common::require_form(kOpLogReport.form(), json::parse(text()), "the report");
}

TEST_F(OpLogJson, NamesAndKindsFollowFromTheParameters) {
  add(GemmParams{a_, b_, c_});
  add(MathParams{MathOp::Exp, {c_}, {}, c_});
  add(CompositeGemmParams{a_, b_, c_, {}, {}});
  add(IpcqCopyParams{});
  add(HostCopyParams{});
  add(CopyParams{a_, block_at(Space::Hbm, 0, DataType::F16, 2, 3)});
  std::vector<std::string> found;
  const json all = json::parse(text());
  for (const json& record : all["records"]) {
    found.push_back(record["kind"].get<std::string>() + " " + record["name"].get<std::string>());
  }
  EXPECT_EQ(found, (Keys{"gemm gemm_f16", "math exp", "gemm composite_gemm", "memory ipcq_copy",
                         "memory host_write", "memory dma_write"}));
}

TEST_F(OpLogJson, StagesOfTilesNameTheirOperation) {
  add(GemmParams{a_, b_, c_});
  log_.add_stage(
      {SimTime::from_ps(1), SimTime::from_ps(2), component_, components::StageKind::Fetch, 0, 36});
  EXPECT_EQ(json::parse(text())["stages"], json::parse(R"([
    {"start_ps": 1, "end_ps": 2, "component": "sip0.cube0.pe0.pe_dma", "stage_type": "fetch",
     "operation": 0, "work": 36}])"));
}

TEST_F(OpLogJson, ALineForEachRecordHoweverManyThereAre) {
  EXPECT_EQ(json::parse(text()), json::parse(R"({"records": [], "stages": [], "launches": []})"));
  constexpr std::size_t kMany = 2000;  // exceeds the write buffer
  for (std::size_t i = 0; i < kMany; ++i) add(GemmParams{a_, b_, c_});
  const std::string all = text();
  EXPECT_EQ(json::parse(all)["records"].size(), kMany);
  EXPECT_EQ(static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')), kMany + 6);
}

}  // namespace
}  // namespace kernbench::model::data
