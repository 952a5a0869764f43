// SPDX-License-Identifier: Apache-2.0
#include "model/data/op_log_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace kernbench::model::data {

namespace {

using components::StageKind;
using components::Staging;
using topology::TopologyGraph;

std::string_view name_of_stage(StageKind kind) {
  switch (kind) {
    case StageKind::DmaRead:
      return "dma_read";
    case StageKind::Fetch:
      return "fetch";
    case StageKind::Gemm:
      return "gemm";
    case StageKind::Math:
      return "math";
    case StageKind::Store:
      return "store";
    case StageKind::DmaWrite:
      return "dma_write";
  }
  return "?";
}

/// Writes JSON text to a stream in large pieces.
class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}
  ~Writer() { flush(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }
  /// Writes elements separated by commas.
  template <typename Range, typename Element>
  void list(const Range& range, Element&& element) {
    const char* separator = "";
    for (const auto& item : range) {
      add("{}", separator);
      element(item);
      separator = ", ";
    }
  }
  /// Flushes a full buffer. Called between records.
  void flush_if_large() {
    if (text_.size() > kLarge) flush();
  }

 private:
  static constexpr std::size_t kLarge = 1U << 16U;

  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  std::ostream& out_;
  fmt::memory_buffer text_;
};

/// Writes the parameters of each kind of operation.
class ParamsWriter {
 public:
  ParamsWriter(Writer& writer, const TopologyGraph& graph) : writer_(writer), graph_(graph) {}

  void operator()(const UnknownParams& /*params*/) const {}
  void operator()(const CopyParams& copy) const {
    blocks({{"source", &copy.source}, {"target", &copy.target}});
    if (copy.rows) writer_.add(", "), blocks({{"rows", &*copy.rows}});
    const Block& moved = copy.target.space == Space::Tcm ? copy.target : copy.source;
    writer_.add(", \"bytes\": {}", moved.bytes());
  }
  void operator()(const GemmParams& gemm) const {
    blocks({{"a", &gemm.a}, {"b", &gemm.b}, {"c", &gemm.c}});
    const std::uint64_t depth = gemm.a.transposed ? gemm.a.rows : gemm.a.columns;
    writer_.add(R"(, "m": {}, "k": {}, "n": {})", gemm.c.rows, depth, gemm.c.columns);
  }
  void operator()(const CompositeGemmParams& gemm) const {
    blocks({{"a", &gemm.a}, {"b", &gemm.b}, {"c", &gemm.c}});
    const components::GemmShape& shape = gemm.shape;
    writer_.add(R"(, "m": {}, "k": {}, "n": {}, "tile": [{}, {}, {}])", shape.m, shape.k, shape.n,
                shape.tile_m, shape.tile_k, shape.tile_n);
    writer_.add(R"(, "staging": ["{}", "{}", "{}"], "epilogue": [)", name_of(shape.a),
                name_of(shape.b), name_of(shape.c));
    writer_.list(gemm.epilogue, [&](const EpilogueOp& step) {
      writer_.add(R"({{"op": "{}", "operand": )", components::name_of(step.op));
      step.operand ? std::visit(*this, *step.operand) : writer_.add("null");
      writer_.add("}}");
    });
    writer_.add("]");
  }
  void operator()(const MathParams& math) const {
    writer_.add("\"inputs\": [");
    writer_.list(math.inputs, [&](const Operand& input) { operand(input); });
    writer_.add("], ");
    blocks({{"output", &math.output}});
    if (math.axis) writer_.add(", \"axis\": {}", static_cast<unsigned>(*math.axis));
  }
  void operator()(const ReadParams& read) const {
    blocks({{"source", &read.source}});
    writer_.add(", \"bytes\": {}", read.source.bytes());
  }
  // Operands of an epilogue.
  void operator()(const Block& operand) const { block(operand); }
  void operator()(double operand) const { number(operand); }
  void operator()(const Accumulated& operand) const {
    writer_.add(R"({{"accumulator_after": {}}})", operand.steps);
  }
  void operator()(const IpcqCopyParams& copy) const {
    writer_.add(R"("end": "{}", )", copy.send ? "send" : "receive");
    blocks({{"local", &copy.local}});
    writer_.add(R"(, "receiver": "{}", "direction": {})", graph_.name(copy.receiver),
                copy.direction);
  }
  void operator()(const HostCopyParams& copy) const {
    writer_.add(R"("dtype": "{}", "shape": [{}, {}], "parts": [)", data::name_of(copy.type),
                copy.rows, copy.columns);
    writer_.list(copy.parts, [&](const Placed& part) {
      writer_.add(R"({{"row": {}, "column": {}, )", part.row, part.column);
      blocks({{"block", &part.block}});
      writer_.add("}}");
    });
    writer_.add("]");
    if (!copy.to_device) writer_.add(", \"result\": {}", copy.result);
  }

 private:
  static std::string_view name_of(Staging staging) {
    return staging == Staging::StreamedHbm ? "hbm" : "tcm";
  }

  void blocks(std::initializer_list<std::pair<std::string_view, const Block*>> list) const {
    writer_.list(list, [&](const auto& named) {
      writer_.add("\"{}\": ", named.first);
      block(*named.second);
    });
  }

  void block(const Block& block) const {
    writer_.add(R"({{"space": "{}", "dtype": "{}", "shape": [{}, {}], "row_stride": {}, )",
                data::name_of(block.space), data::name_of(block.type), block.rows, block.columns,
                block.row_stride);
    writer_.add(R"("transposed": {}, "stretches": [)", block.transposed);
    // Addresses are text because JSON numbers are exact up to 2^53 only.
    writer_.list(block.stretches, [&](const Stretch& stretch) {
      writer_.add("[\"{:#x}\", {}]", stretch.pa, stretch.bytes);
    });
    writer_.add("]}}");
  }

  void operand(const Operand& operand) const {
    if (const auto* const place = std::get_if<Block>(&operand)) return block(*place);
    number(std::get<double>(operand));
  }

  void number(double number) const {
    // JSON cannot represent infinity and NaN as numbers.
    std::isfinite(number) ? writer_.add("{}", number) : writer_.add("\"{}\"", number);
  }

  Writer& writer_;
  const TopologyGraph& graph_;
};

std::vector<bool> ended_records(const OpLog& log) {
  std::vector<bool> ended(log.records().size());
  for (const OpLog::Moment& moment : log.moments()) {
    if (moment.end) ended[moment.record] = true;
  }
  return ended;
}

void add_record(const OpRecord& record, bool ended, const TopologyGraph& graph, Writer& writer) {
  writer.add("{{\"start_ps\": {}, \"end_ps\": ", record.start.ps());
  ended ? writer.add("{}", record.end.ps()) : writer.add("null");
  writer.add(R"(, "component": "{}", "kind": "{}", "name": "{}", "params": {{)",
             graph.name(record.component), name_of(kind_of(record.params)), op_name(record.params));
  std::visit(ParamsWriter(writer, graph), record.params);
  if (record.line.line != 0) {
    const std::string_view path = record.line.file;
    const std::string file(path.substr(path.rfind('/') + 1));  // npos + 1 is 0
    writer.add(R"({}"line": {})", std::holds_alternative<UnknownParams>(record.params) ? "" : ", ",
               nlohmann::json(fmt::format("{}:{}", file, record.line.line))
                   .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (record.launch != OpLog::kNone) writer.add(", \"launch\": {}", record.launch);
  }
  writer.add("}}, \"dependencies\": [{}]}}", fmt::join(record.dependencies, ", "));
}

}  // namespace

void write_op_log_json(const OpLog& log, const TopologyGraph& graph, std::ostream& out) {
  Writer writer(out);
  const std::vector<bool> ended = ended_records(log);
  writer.add("{{\n\"records\": [");
  for (std::size_t i = 0; i < log.records().size(); ++i) {
    writer.add("{}\n", i == 0 ? "" : ",");
    add_record(log.records()[i], ended[i], graph, writer);
    writer.flush_if_large();
  }
  writer.add("],\n\"stages\": [");
  const char* separator = "\n";
  for (const StageRecord& stage : log.stages()) {
    writer.add(R"({}{{"start_ps": {}, "end_ps": {}, "component": "{}", "stage_type": "{}", )",
               separator, stage.start.ps(), stage.end.ps(), graph.name(stage.component),
               name_of_stage(stage.kind));
    writer.add(R"("operation": {}, "work": {}}})", stage.operation, stage.work);
    separator = ",\n";
    writer.flush_if_large();
  }
  writer.add("],\n\"launches\": [");
  writer.list(log.launches(), [&](const std::string& kernel) {
    writer.add("{{\"kernel\": {}}}", nlohmann::json(kernel).dump());
  });
  writer.add("]}}");
}

}  // namespace kernbench::model::data
