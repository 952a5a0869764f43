// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "model/components/machine/message.hpp"
#include "model/engine/event.hpp"
#include "topology/graph/topology_graph.hpp"

namespace kernbench::model::components {

/// A job of a pe_ipcq for its pe_dma, which returns it when it is done.
struct IpcqTransfer {
  enum class Kind : std::uint8_t {
    Send,     ///< from this PE's TCM to the peer
    Receive,  ///< from the slot's backing memory into the PE
  };
  Kind kind = Kind::Send;
  IpcqData data;              ///< payload of a send
  topology::NodeId peer_dma;  ///< receiver of a send
  std::uint64_t pa = 0;       ///< source of a receive, physical address
  std::uint64_t bytes = 0;
  std::uint64_t transaction = 0;
  engine::Event done;

  explicit IpcqTransfer(std::string name) : done(std::move(name)) {}
};

}  // namespace kernbench::model::components
