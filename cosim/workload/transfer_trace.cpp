// SPDX-License-Identifier: Apache-2.0
#include "cosim/workload/transfer_trace.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <utility>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/enum_names.hpp"
#include "common/text_file.hpp"
#include "cosim/workload/transfer_trace_builder.hpp"

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

nlohmann::json transfer_json(const TimedTransfer& transfer) {
  nlohmann::json record = {{"time_ps", transfer.at.ps()},
                           {"src", transfer.src},
                           {"bytes", transfer.bytes},
                           {"qos", common::name_of(kQosNames, transfer.qos)},
                           {"type", common::name_of(kTransferTypeNames, transfer.type)}};
  if (transfer.type != TransferType::Broadcast) record["dst"] = transfer.dst;
  return record;
}

void write_transfer_trace(const std::filesystem::path& path,
                          std::span<const TimedTransfer> transfers,
                          common::ReportEnvelope envelope) {
  if (path.extension() == ".csv") {
    write_csv(path, transfers);
  } else if (path.extension() == ".json") {
    envelope.kind = kTransferTraceFormat.kind;
    envelope.data = nlohmann::json::array();
    for (const TimedTransfer& transfer : transfers)
      envelope.data.push_back(transfer_json(transfer));
    common::write_report(path, envelope);
  } else {
    throw common::BadInput(fmt::format(
        "cannot write '{}': the name of a trace must end in .csv or .json", path.string()));
  }
}

}  // namespace kernbench::cosim
