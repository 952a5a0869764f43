// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/transfer_trace.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <optional>
#include <utility>

#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/text_file.hpp"
#include "cosim/workload/transfer_trace_builder.hpp"
#include "sim/trace/trace_json.hpp"

namespace kernbench::common {

using model::fabric::TimedTransfer;
using model::fabric::TransferType;

template <>
const Description<TimedTransfer>& description_of() {
  static const auto kAll =
      Description<TimedTransfer>()
          .add("time_ps", &TimedTransfer::at, "time of its submission")
          .at_most(static_cast<double>(cosim::kLatestTransfer.ps()))
          .add("src", &TimedTransfer::src, "node that sends")
          .within(0, 255)
          .add("bytes", &TimedTransfer::bytes)
          .within(1, model::fabric::kMaxTransferBytes)
          .add_named("qos", &TimedTransfer::qos, model::fabric::kQosNames)
          .add_named("type", &TimedTransfer::type, model::fabric::kTransferTypeNames)
          .add("dst", &TimedTransfer::dst, "node that receives, or whose column or row does")
          .within(0, 255)
          .only_if("type", {"unicast", "x_multicast", "y_multicast"})
          .add_converted(
              "dst", [](const TimedTransfer&) { return std::optional<std::uint32_t>(); },
              [](TimedTransfer&, std::optional<std::uint32_t>) {}, "ignored")
          .within(0, 255)
          .optional()
          .only_if("type", {"broadcast"});
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::cosim {

using model::fabric::kQosNames;
using model::fabric::kTransferTypeNames;
using model::fabric::TimedTransfer;
using model::fabric::TransferType;

namespace {

void write_csv(const std::filesystem::path& path, std::span<const TimedTransfer> transfers) {
  common::AtomicFile file(path);
  file.stream() << kTransferTraceFormat.csv_header() << '\n';
  for (const TimedTransfer& transfer : transfers) {
    const std::string dst =
        transfer.type != TransferType::Broadcast ? fmt::format("{}", transfer.dst) : std::string();
    fmt::print(file.stream(), "{},{},{},{},{},{}\n", transfer.at.ps(), transfer.src, dst,
               transfer.bytes, common::name_of(kQosNames, transfer.qos),
               common::name_of(kTransferTypeNames, transfer.type));
  }
  file.commit();
}

const common::ValueForm& form_of_file() {
  static const common::ValueForm kForm =
      sim::form_of_trace(kTransferTraceFormat, common::form_of<TimedTransfer>());
  return kForm;
}

}  // namespace

std::vector<TimedTransfer> read_transfer_trace(const std::filesystem::path& path,
                                               std::uint32_t nodes) {
  return parse_transfer_trace(common::read_text_file(path, 2 * common::kMaxFileBytes),
                              path.string(), nodes);
}

std::vector<TimedTransfer> parse_transfer_trace(std::string_view text, const std::string& name,
                                                std::uint32_t nodes) {
  TransferTraceBuilder trace(name, text, nodes);
  sim::read_trace(text, name, trace);
  return trace.finish();
}

const common::InputKind kTransferTraceFile = {
    .name = kTransferTraceFormat.kind,
    .title = "A transfer-trace in JSON: transfers by time",
    .form = form_of_file};

void write_transfer_trace(const std::filesystem::path& path,
                          std::span<const TimedTransfer> transfers,
                          common::ReportEnvelope envelope) {
  if (path.extension() == ".csv") {
    write_csv(path, transfers);
  } else if (path.extension() == ".json") {
    envelope.kind = kTransferTraceFormat.kind;
    envelope.data = common::to_json(transfers);
    common::write_report(path, envelope);
  } else {
    throw common::BadInput(fmt::format(
        "cannot write '{}': the name of a trace must end in .csv or .json", path.string()));
  }
}

}  // namespace kernbench::cosim
