// SPDX-License-Identifier: Apache-2.0
// Messages between PEs.
#include <stdexcept>
#include <utility>

#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

using topology::NodeKind;

void Tl::begin_copy(Operation& operation, const char* op, std::string_view direction, bool send,
                    const Tile& tile, const SourceLine& line) {
  operation.renew(op, NodeKind::PeIpcq, line);
  data::OpRecord& record = operation.record.emplace();
  data::IpcqCopyParams params;
  params.send = send;
  if (send) {
    params.local = operand(tile, record.dependencies);
    operation.command.work = components::IpcqSend{std::string(direction), tile.bytes()};
  } else {
    params.local = tile.block();
    operation.command.work = components::IpcqRecv{std::string(direction), tile.bytes()};
  }
  try {
    executor_.find_channel(direction, params);
  } catch (const std::invalid_argument& error) {
    refuse(operation.name, operation.line, error);
  }
  record.params = std::move(params);
  begin(operation);
}

bool Tl::begin_send(std::string_view direction, const Tile& tile, const SourceLine& line) {
  if (tile.bytes() == 0) return false;
  note("send", line);
  check_owner("send", tile, line);
  begin_copy(operation_, "send", direction, true, tile, line);
  return true;
}

Tile Tl::begin_recv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                    DataType type, const SourceLine& line) {
  Tile tile = allocate("recv", rows, columns, type, line);
  if (tile.bytes() == 0) return tile;
  note("recv", line);
  begin_copy(operation_, "recv", direction, false, tile, line);
  return tile;
}

bool Tl::begin_recv_into(std::string_view direction, const Tile& target, const SourceLine& line) {
  claim("recv_into", target, line);
  if (target.bytes() == 0) return false;
  note("recv_into", line);
  begin_copy(operation_, "recv_into", direction, false, target, line);
  return true;
}

PendingTile Tl::irecv(std::string_view direction, std::uint64_t rows, std::uint64_t columns,
                      DataType type, SourceLine line) {
  note("irecv", line);
  return begin_irecv(direction, allocate("irecv", rows, columns, type, line), line);
}

PendingTile Tl::irecv_into(std::string_view direction, const Tile& target, SourceLine line) {
  note("irecv_into", line);
  claim("irecv_into", target, line);
  return begin_irecv(direction, target, line);
}

PendingTile Tl::begin_irecv(std::string_view direction, Tile tile, const SourceLine& line) {
  if (tile.bytes() == 0) return {0, std::move(tile)};
  auto operation = awaited_later();
  begin_copy(*operation, "irecv", direction, false, tile, line);
  return {keep(std::move(operation)), std::move(tile)};
}

}  // namespace kernbench::model::kernel
