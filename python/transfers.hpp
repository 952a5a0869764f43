// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <vector>

#include "model/fabric/traffic/transfer_list.hpp"
#include "model/fabric/traffic/transfer_player.hpp"

namespace kernbench::python {

/// The transfers of a source in Python, checked as they are added.
class Transfers {
 public:
  explicit Transfers(std::uint32_t nodes) : nodes_(nodes) {}

  /// Adds a chunk of transfers, a column each. `qos` and `type` are numbers of
  /// model::fabric::Qos and TransferType. Throws std::invalid_argument with a line for each wrong
  /// transfer, and the first wrong value of it.
  void extend(const pybind11::array_t<std::int64_t>& time_ps,
              const pybind11::array_t<std::int64_t>& src,
              const pybind11::array_t<std::int64_t>& dst,
              const pybind11::array_t<std::int64_t>& bytes,
              const pybind11::array_t<std::uint8_t>& qos,
              const pybind11::array_t<std::uint8_t>& type);

  [[nodiscard]] const std::vector<model::fabric::TimedTransfer>& all() const { return all_; }

 private:
  std::uint32_t nodes_;
  std::vector<model::fabric::TimedTransfer> all_;
};

/// Returns the columns of transfers: time_ps, src, dst, bytes, qos and type.
[[nodiscard]] pybind11::dict columns_of(const std::vector<model::fabric::TimedTransfer>& transfers);

/// Returns the times of completion in ps, -1 for what did not complete.
[[nodiscard]] pybind11::array_t<std::int64_t> done_column(
    const std::vector<model::fabric::PlayedTransfer>& played);

/// Adds the classes and functions of traffic and co-simulation to the module.
void add_transfers(pybind11::module_& module);
void add_fabrics(pybind11::module_& module);

}  // namespace kernbench::python
