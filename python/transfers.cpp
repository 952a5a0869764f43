// SPDX-License-Identifier: Apache-2.0
#include "python/transfers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "common/enum_names.hpp"
#include "cosim/workload/transfer_trace.hpp"
#include "cosim/workload/workloads.hpp"
#include "python/columns.hpp"

namespace kernbench::python {

using common::SimTime;
using model::fabric::kMaxTransferBytes;
using model::fabric::TimedTransfer;

void Transfers::extend(const py::array_t<std::int64_t>& time_ps,
                       const py::array_t<std::int64_t>& src, const py::array_t<std::int64_t>& dst,
                       const py::array_t<std::int64_t>& bytes, const py::array_t<std::uint8_t>& qos,
                       const py::array_t<std::uint8_t>& type) {
  constexpr std::size_t kShown = 20;
  const auto times = time_ps.unchecked<1>();
  const auto sources = src.unchecked<1>();
  const auto targets = dst.unchecked<1>();
  const auto sizes = bytes.unchecked<1>();
  const auto classes = qos.unchecked<1>();
  const auto types = type.unchecked<1>();
  std::vector<std::string> errors;
  std::int64_t before = all_.empty() ? 0 : all_.back().at.ps();
  const auto fault_of = [&](py::ssize_t i) -> std::optional<std::string> {
    if (times(i) < before) {
      return fmt::format("time_ps {} is before {}; transfers are in time order", times(i), before);
    }
    if (times(i) > cosim::kLatestTransfer.ps()) {
      return fmt::format("time_ps {} is too late; at most {}", times(i),
                         cosim::kLatestTransfer.ps());
    }
    for (const auto& [name, node] : {std::pair("src", sources(i)), std::pair("dst", targets(i))}) {
      if (node >= 0 && node < nodes_) continue;
      return fmt::format("{} {} does not exist in a fabric of {} nodes; 0 to {}", name, node,
                         nodes_, nodes_ - 1);
    }
    if (sizes(i) >= 1 && static_cast<std::uint64_t>(sizes(i)) <= kMaxTransferBytes) return {};
    return fmt::format("a transfer cannot have {} bytes; 1 to {}", sizes(i), kMaxTransferBytes);
  };
  const std::size_t count = all_.size() + static_cast<std::size_t>(times.shape(0));
  if (count > cosim::kMaxTransfers) {
    throw std::invalid_argument(
        fmt::format("a traffic source has more than {} transfers", cosim::kMaxTransfers));
  }
  const std::size_t first = all_.size();
  for (py::ssize_t i = 0; i < times.shape(0) && errors.size() < kShown; ++i) {
    if (const auto fault = fault_of(i)) {
      errors.push_back(fmt::format("transfer {}: {}", first + static_cast<std::size_t>(i), *fault));
      continue;
    }
    before = times(i);
    const auto kind = model::fabric::TransferType{types(i)};
    const bool broadcast = kind == model::fabric::TransferType::Broadcast;
    all_.push_back({.at = SimTime::from_ps(times(i)),
                    .src = static_cast<std::uint32_t>(sources(i)),
                    .dst = broadcast ? 0 : static_cast<std::uint32_t>(targets(i)),
                    .type = kind,
                    .qos = model::fabric::Qos{classes(i)},
                    .bytes = static_cast<std::uint64_t>(sizes(i))});
  }
  if (!errors.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(errors, "\n")));
}

py::dict columns_of(const std::vector<TimedTransfer>& transfers) {
  py::dict columns;
  columns["time_ps"] = column<std::int64_t>(transfers, [](const auto& one) { return one.at.ps(); });
  columns["src"] = column<std::uint32_t>(transfers, [](const auto& one) { return one.src; });
  columns["dst"] = column<std::uint32_t>(transfers, [](const auto& one) { return one.dst; });
  columns["bytes"] = column<std::uint64_t>(transfers, [](const auto& one) { return one.bytes; });
  columns["qos"] = text_column(transfers, [](const auto& one) {
    return common::name_of(model::fabric::kQosNames, one.qos);
  });
  columns["type"] = text_column(transfers, [](const auto& one) {
    return common::name_of(model::fabric::kTransferTypeNames, one.type);
  });
  return columns;
}

py::array_t<std::int64_t> done_column(const std::vector<model::fabric::PlayedTransfer>& played) {
  return column<std::int64_t>(played,
                              [](const auto& one) { return one.done ? one.done->ps() : -1; });
}

void add_transfers(py::module_& module) {
  py::class_<Transfers, std::shared_ptr<Transfers>>(module, "Transfers")
      .def(py::init<std::uint32_t>(), py::arg("nodes"))
      .def("extend", &Transfers::extend)
      .def("__len__", [](const Transfers& transfers) { return transfers.all().size(); });
}

}  // namespace kernbench::python
