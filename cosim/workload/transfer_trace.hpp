#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/report_envelope.hpp"
#include "common/units.hpp"
#include "model/fabric/traffic/transfer_list.hpp"

namespace kernbench::cosim {

/// Latest submission in a trace, about 11 days: leaves as much simulated time to end in.
inline constexpr common::SimTime kLatestTransfer =
    common::SimTime::from_ps(1'000'000'000'000'000'000);

/// Reads a transfer-trace for a fabric of `nodes` nodes, in file order; the file's ending, .csv or
/// .json, tells the format.
/// CSV: the header `time_ps,src,dst,bytes,qos,type`, then a transfer a line, e.g.
/// `1500,0,63,4096,low,unicast`; times must not decrease, qos is low or high, type is unicast,
/// x_multicast, y_multicast or broadcast. Of all but a unicast, dst may be empty and is ignored.
/// JSON: the report envelope with kind "transfer-trace" and, as data, a list of
/// {"time_ps": 1500, "src": 0, "dst": 63, "bytes": 4096, "qos": "low", "type": "unicast"}, where
/// instead of being empty dst is left out; of the envelope only kind and data are required.
/// Throws common::BadInput with all errors, each with its line and column, also for a trace
/// without transfers.
[[nodiscard]] std::vector<model::fabric::TimedTransfer> read_transfer_trace(
    const std::filesystem::path& path, std::uint32_t nodes);

/// The same for text in memory; `name` stands for the file in messages and tells the format.
[[nodiscard]] std::vector<model::fabric::TimedTransfer> parse_transfer_trace(
    std::string_view text, const std::string& name, std::uint32_t nodes);

/// A transfer as it stands in the data of a JSON trace.
[[nodiscard]] nlohmann::json transfer_json(const model::fabric::TimedTransfer& transfer);

/// Writes a transfer-trace, whole or not at all; the file's ending tells the format. Of `envelope`,
/// which only JSON has, kind and data are filled in. Throws common::BadInput for another ending and
/// when `path` cannot be written.
void write_transfer_trace(const std::filesystem::path& path,
                          std::span<const model::fabric::TimedTransfer> transfers,
                          common::ReportEnvelope envelope = {});

}  // namespace kernbench::cosim
