// SPDX-License-Identifier: Apache-2.0
#include "model/data/op_log_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "common/description.hpp"

namespace kernbench::model::data {

namespace {

using components::Staging;
using topology::TopologyGraph;

bool is_address(std::string_view text) {
  return text.size() > 2 && text.starts_with("0x") &&
         text.find_first_not_of("0123456789abcdef", 2) == std::string_view::npos;
}
constexpr common::TextRule kAddressRule = {"^0x[0-9a-f]+$", "an address such as 0x10", is_address};

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  for (const DataTypeInfo& type : kDataTypes) names.emplace_back(type.name);
  return names;
}

// The parts of the report are views of the log.

/// The parameters of an operation, as its record has them.
template <typename P>
struct ParamsRow {
  const P& params;
  const OpRecord& record;
  const TopologyGraph& graph;
};
template <typename Params>
struct RowOf;
template <typename... P>
struct RowOf<std::variant<P...>> {
  using type = std::variant<ParamsRow<P>...>;
};

struct RecordRow {
  const OpRecord& record;
  bool has_ended = false;
  const TopologyGraph& graph;
};
struct StageRow {
  const StageRecord& stage;
  const TopologyGraph& graph;
};
struct LaunchRow {
  std::string kernel;
};
struct OpLogReport {
  const OpLog& log;
  const TopologyGraph& graph;
};

/// An operand, a number as text if JSON has none for it: "inf", "-inf" or "nan".
using OperandValue = std::variant<Block, Accumulated, double, std::string>;

OperandValue value_of_number(double number) {
  if (std::isfinite(number)) return number;
  return fmt::format("{}", number);
}
OperandValue value_of(const Operand& operand) {
  if (const auto* const block = std::get_if<Block>(&operand)) return *block;
  return value_of_number(std::get<double>(operand));
}
std::optional<OperandValue> operand_of(const EpilogueOp& step) {
  if (!step.operand) return std::nullopt;
  if (const auto* const number = std::get_if<double>(&*step.operand)) {
    return value_of_number(*number);
  }
  if (const auto* const block = std::get_if<Block>(&*step.operand)) return *block;
  return std::get<Accumulated>(*step.operand);
}
std::vector<OperandValue> inputs_of(const MathParams& math) {
  std::vector<OperandValue> values;
  for (const Operand& input : math.inputs) values.push_back(value_of(input));
  return values;
}

/// Returns pairs of an address, as text because JSON numbers are exact up to 2^53 only, and bytes.
std::vector<common::Couple<std::string, std::uint64_t>> stretches(const Block& block) {
  std::vector<common::Couple<std::string, std::uint64_t>> pairs;
  for (const Stretch& stretch : block.stretches) {
    pairs.push_back({fmt::format("{:#x}", stretch.pa), stretch.bytes});
  }
  return pairs;
}

std::string_view staging_name(Staging staging) {
  return staging == Staging::StreamedHbm ? "hbm" : "tcm";
}

bool has_line(const OpRecord& record) {
  return record.line.line != 0;
}

/// Returns the file, without its folder, and the line.
std::string line_of(const OpRecord& record) {
  const std::string_view path = record.line.file;
  return fmt::format("{}:{}", path.substr(path.rfind('/') + 1), record.line.line);  // npos + 1 is 0
}

RowOf<Params>::type params(const RecordRow& row) {
  return std::visit(
      [&row](const auto& params) -> RowOf<Params>::type {
        return ParamsRow<std::remove_cvref_t<decltype(params)>>{params, row.record, row.graph};
      },
      row.record.params);
}

std::vector<bool> ended_records(const OpLog& log) {
  std::vector<bool> ended(log.records().size());
  for (const OpLog::Moment& moment : log.moments()) {
    if (moment.end) ended[moment.record] = true;
  }
  return ended;
}

common::LongList<RecordRow> records(const OpLogReport& report) {
  return {[&report](const auto& take) {
    const std::vector<bool> ended = ended_records(report.log);
    for (std::size_t i = 0; i < ended.size(); ++i) {
      take({report.log.records()[i], ended[i], report.graph});
    }
  }};
}
common::LongList<StageRow> stages(const OpLogReport& report) {
  return {[&report](const auto& take) {
    for (const StageRecord& stage : report.log.stages()) take({stage, report.graph});
  }};
}
common::LongList<LaunchRow> launches(const OpLogReport& report) {
  return {[&report](const auto& take) {
    for (const std::string& kernel : report.log.launches()) take({kernel});
  }};
}

}  // namespace
}  // namespace kernbench::model::data

namespace kernbench::common {

using model::data::Accumulated;
using model::data::Block;
using model::data::CompositeGemmParams;
using model::data::CopyParams;
using model::data::EpilogueOp;
using model::data::GemmParams;
using model::data::HostCopyParams;
using model::data::IpcqCopyParams;
using model::data::LaunchRow;
using model::data::MathParams;
using model::data::OpLogReport;
using model::data::ParamsRow;
using model::data::Placed;
using model::data::ReadParams;
using model::data::RecordRow;
using model::data::Space;
using model::data::StageRow;
using model::data::UnknownParams;

template <>
const Description<Block>& description_of() {
  static const auto kAll =
      Description<Block>()
          .add("space", &Block::space)
          .add("dtype", [](const auto& block) { return name_of(block.type); })
          .one_of(model::data::type_names())
          .add(
              "shape",
              [](const auto& block) {
                return std::array{block.rows, block.columns};
              },
              "rows and columns as stored")
          .add("row_stride", &Block::row_stride, "elements from one row to the next")
          .add("transposed", &Block::transposed, "true if rows and columns are exchanged on reads")
          .add("stretches", model::data::stretches, "pairs of an address and bytes")
          .refine(
              [](ValueForm& list) { list.items().parts.at(1).rule = &model::data::kAddressRule; });
  return kAll;
}

template <>
const Description<Accumulated>& description_of() {
  static const auto kAll = Description<Accumulated>().add("accumulator_after", &Accumulated::steps,
                                                          "steps of the epilogue");
  return kAll;
}

template <>
const Description<EpilogueOp>& description_of() {
  static const auto kAll = Description<EpilogueOp>()
                               .add("op", [](const auto& step) { return name_of(step.op); })
                               .add("operand", model::data::operand_of, "the second one")
                               .or_null();
  return kAll;
}

template <>
const Description<Placed>& description_of() {
  static const auto kAll = Description<Placed>()
                               .add("row", &Placed::row)
                               .add("column", &Placed::column)
                               .add("block", &Placed::block);
  return kAll;
}

namespace {

/// Adds what the parameters of all operations have.
template <typename P>
Description<ParamsRow<P>> with_line(Description<ParamsRow<P>> params) {
  return params
      .add(
          "line", [](const auto& row) { return model::data::line_of(row.record); },
          "in the source of the kernel or the bench")
      .absent_unless("it is known",
                     [](const auto& row) { return model::data::has_line(row.record); })
      .add(
          "launch", [](const auto& row) { return row.record.launch; }, "position in `launches`")
      .absent_unless("a kernel did it", [](const auto& row) {
        return model::data::has_line(row.record) && row.record.launch != model::data::OpLog::kNone;
      });
}

/// Describes a GEMM: its blocks, and the sizes that `m`, `k` and `n` return.
template <typename P, typename M, typename K, typename N>
Description<ParamsRow<P>> gemm(M m, K k, N n) {
  return Description<ParamsRow<P>>()
      .add("a", [](const auto& row) { return row.params.a; })
      .add("b", [](const auto& row) { return row.params.b; })
      .add("c", [](const auto& row) { return row.params.c; })
      .add("m", m)
      .at_least(1)
      .add("k", k)
      .at_least(1)
      .add("n", n)
      .at_least(1);
}

}  // namespace

template <>
const Description<ParamsRow<UnknownParams>>& description_of() {
  static const auto kAll = with_line(Description<ParamsRow<UnknownParams>>());
  return kAll;
}

template <>
const Description<ParamsRow<CopyParams>>& description_of() {
  static const auto kAll = with_line(
      Description<ParamsRow<CopyParams>>()
          .add("source", [](const auto& row) { return row.params.source; })
          .add("target", [](const auto& row) { return row.params.target; })
          .add(
              "rows", [](const auto& row) { return row.params.rows; }, "numbers of the rows")
          .absent_unless("only some rows are copied")
          .add("bytes", [](const auto& row) {
            const CopyParams& copy = row.params;
            return (copy.target.space == Space::Tcm ? copy.target : copy.source).bytes();
          }));
  return kAll;
}

template <>
const Description<ParamsRow<GemmParams>>& description_of() {
  static const auto kAll =
      with_line(gemm<GemmParams>([](const auto& row) { return row.params.c.rows; },
                                 [](const auto& row) {
                                   const Block& a = row.params.a;
                                   return a.transposed ? a.rows : a.columns;
                                 },
                                 [](const auto& row) { return row.params.c.columns; }));
  return kAll;
}

template <>
const Description<ParamsRow<CompositeGemmParams>>& description_of() {
  using model::data::staging_name;
  static const auto kAll =
      with_line(gemm<CompositeGemmParams>([](const auto& row) { return row.params.shape.m; },
                                          [](const auto& row) { return row.params.shape.k; },
                                          [](const auto& row) { return row.params.shape.n; })
                    .add(
                        "tile",
                        [](const auto& row) {
                          const auto& shape = row.params.shape;
                          return std::array{shape.tile_m, shape.tile_k, shape.tile_n};
                        },
                        "m, k and n of a tile")
                    .add(
                        "staging",
                        [](const auto& row) {
                          const auto& shape = row.params.shape;
                          return std::array{staging_name(shape.a), staging_name(shape.b),
                                            staging_name(shape.c)};
                        },
                        "where a, b and c are")
                    .one_of({"hbm", "tcm"})
                    .add("epilogue", [](const auto& row) { return row.params.epilogue; }));
  return kAll;
}

template <>
const Description<ParamsRow<MathParams>>& description_of() {
  static const auto kAll = with_line(
      Description<ParamsRow<MathParams>>()
          .add("inputs", [](const auto& row) { return model::data::inputs_of(row.params); })
          .add("output", [](const auto& row) { return row.params.output; })
          .add(
              "axis",
              [](const auto& row) {
                const auto& axis = row.params.axis;
                return axis ? std::optional(static_cast<unsigned>(*axis)) : std::nullopt;
              },
              "0: along rows, 1: along columns")
          .at_most(1)
          .absent_unless("the operation is a reduction"));
  return kAll;
}

template <>
const Description<ParamsRow<ReadParams>>& description_of() {
  static const auto kAll =
      with_line(Description<ParamsRow<ReadParams>>()
                    .add("source", [](const auto& row) { return row.params.source; })
                    .add("bytes", [](const auto& row) { return row.params.source.bytes(); }));
  return kAll;
}

template <>
const Description<ParamsRow<IpcqCopyParams>>& description_of() {
  static const auto kAll = with_line(
      Description<ParamsRow<IpcqCopyParams>>()
          .add("end", [](const auto& row) { return row.params.send ? "send" : "receive"; })
          .one_of({"send", "receive"})
          .add("local", [](const auto& row) { return row.params.local; })
          .add(
              "receiver", [](const auto& row) { return row.graph.name(row.params.receiver); },
              "pe_ipcq of the receiving PE")
          .add(
              "direction", [](const auto& row) { return row.params.direction; },
              "at the receiver"));
  return kAll;
}

template <>
const Description<ParamsRow<HostCopyParams>>& description_of() {
  static const auto kAll = with_line(
      Description<ParamsRow<HostCopyParams>>()
          .add("dtype", [](const auto& row) { return name_of(row.params.type); })
          .one_of(model::data::type_names())
          .add(
              "shape",
              [](const auto& row) {
                return std::array{row.params.rows, row.params.columns};
              },
              "rows and columns")
          .add("parts", [](const auto& row) { return row.params.parts; })
          .add(
              "result", [](const auto& row) { return row.params.result; }, "number of the result")
          .absent_unless("the copy is to the host",
                         [](const auto& row) { return !row.params.to_device; }));
  return kAll;
}

template <>
const Description<RecordRow>& description_of() {
  static const auto kAll =
      Description<RecordRow>()
          .add("start_ps", [](const auto& row) { return row.record.start; })
          .add(
              "end_ps",
              [](const auto& row) {
                return row.has_ended ? std::optional(row.record.end) : std::nullopt;
              },
              "null if the run ended before")
          .or_null()
          .add("component", [](const auto& row) { return row.graph.name(row.record.component); })
          .add("kind", [](const auto& row) { return kind_of(row.record.params); })
          .add("name", [](const auto& row) { return op_name(row.record.params); })
          .add(
              "dependencies", [](const auto& row) { return row.record.dependencies; },
              "records that made its inputs")
          .add("params", model::data::params);
  return kAll;
}

template <>
const Description<StageRow>& description_of() {
  static const auto kAll =
      Description<StageRow>()
          .add("start_ps", [](const auto& row) { return row.stage.start; })
          .add("end_ps", [](const auto& row) { return row.stage.end; })
          .add("component", [](const auto& row) { return row.graph.name(row.stage.component); })
          .add("stage_type", [](const auto& row) { return row.stage.kind; })
          .add(
              "operation", [](const auto& row) { return row.stage.operation; },
              "record of the operation")
          .add(
              "work", [](const auto& row) { return row.stage.work; },
              "bytes, multiply-adds or elements");
  return kAll;
}

template <>
const Description<LaunchRow>& description_of() {
  static const auto kAll = Description<LaunchRow>().add("kernel", &LaunchRow::kernel);
  return kAll;
}

template <>
const Description<OpLogReport>& description_of() {
  static const auto kAll =
      Description<OpLogReport>()
          .add("records", model::data::records, "operations in the order of their start")
          .add("stages", model::data::stages, "of the tiles of operations")
          .add("launches", model::data::launches, "of kernels");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::data {

const plot::ReportKind kOpLogReport = {.name = "op-log",
                                       .command = "run --oplog",
                                       .about = "The operations of a run on data",
                                       .envelope = {.grade = false},
                                       .form = common::form_of<OpLogReport>};

void write_op_log(const OpLog& log, const topology::TopologyGraph& graph,
                  const common::ReportEnvelope& report, std::ostream& out) {
  common::write_report(report, OpLogReport{log, graph}, out);
}

}  // namespace kernbench::model::data
