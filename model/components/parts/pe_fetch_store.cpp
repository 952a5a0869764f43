#include "model/components/parts/pe_fetch_store.hpp"

#include "model/components/machine/machine.hpp"

namespace kernbench::model::components {

void PeFetchStore::accept(TileToken& token) {
  const bool write = token.at().kind == StageKind::Store;
  send_to(topology::NodeKind::PeTcm, {token.transaction, write ? "store" : "fetch"},
          TcmRequest{write, token.at().bytes, this, engine::EventArgument::to(token)});
}

void PeFetchStore::on_event(engine::EventArgument argument) {
  advance(argument.object<TileToken>());
}

}  // namespace kernbench::model::components
