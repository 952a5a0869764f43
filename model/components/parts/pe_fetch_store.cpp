#include "model/components/parts/pe_fetch_store.hpp"

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

void PeFetchStore::accept(TileToken& token) {
  const bool write = token.at().kind == StageKind::Store;
  send_to(topology::NodeKind::PeTcm, {token.transaction, write ? "store" : "fetch"},
          TcmRequest{write, token.at().bytes, this, reinterpret_cast<std::uintptr_t>(&token)});
}

void PeFetchStore::on_event(std::uint64_t argument) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an event carries a number
  advance(*reinterpret_cast<TileToken*>(argument));
}

}  // namespace kernbench::model::components
