// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/described.hpp"
#include "common/input_kind.hpp"
#include "common/report_envelope.hpp"
#include "common/units.hpp"
#include "model/fabric/traffic/transfer_list.hpp"

namespace kernbench::cosim {

/// Latest time of a submission in a trace, about 11 days, far from the end of simulated time.
inline constexpr common::SimTime kLatestTransfer =
    common::SimTime::from_ps(1'000'000'000'000'000'000);

/// Reads a transfer-trace for a fabric of `nodes` nodes, in file order. The extension, .csv or
/// .json, selects the format. CSV: the header `time_ps,src,dst,bytes,qos,type`, then one transfer
/// per line, e.g. `1500,0,63,4096,low,unicast`. Times must not decrease; qos is low or high; type
/// is unicast, x_multicast (to the column of dst), y_multicast (to its row) or broadcast, for which
/// dst may be empty and is ignored. JSON: the report envelope with kind "transfer-trace" and, as
/// data, a list of
/// {"time_ps": 1500, "src": 0, "dst": 63, "bytes": 4096, "qos": "low", "type": "unicast"}. For a
/// broadcast, dst may be omitted. Only kind and data of the envelope are required. Throws
/// common::BadInput with all errors, each with its line and column, and for an empty trace.
[[nodiscard]] std::vector<model::fabric::TimedTransfer> read_transfer_trace(
    const std::filesystem::path& path, std::uint32_t nodes);

/// Reads a transfer-trace from memory. `name` is the file name in messages and selects the format.
[[nodiscard]] std::vector<model::fabric::TimedTransfer> parse_transfer_trace(
    std::string_view text, const std::string& name, std::uint32_t nodes);

extern const common::InputKind kTransferTraceFile;

/// Writes a transfer-trace atomically. The extension selects the format. Sets kind and data of
/// `envelope`, which only JSON uses. Throws common::BadInput for another extension and when `path`
/// cannot be written.
void write_transfer_trace(const std::filesystem::path& path,
                          std::span<const model::fabric::TimedTransfer> transfers,
                          common::ReportEnvelope envelope = {});

}  // namespace kernbench::cosim

template <>
const kernbench::common::Description<kernbench::model::fabric::TimedTransfer>&
kernbench::common::description_of();
