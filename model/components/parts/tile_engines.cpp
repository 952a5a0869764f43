// SPDX-License-Identifier: Apache-2.0
#include "model/components/parts/tile_engines.hpp"

#include <cmath>

#include "model/components/machine/machine.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::components {

using common::SimTime;

void PeFetchStore::accept(TileToken& token) {
  const bool write = token.at().kind == StageKind::Store;
  machine().note(token.transaction, write ? "store" : "fetch");
  send_to(
      topology::NodeKind::PeTcm, {token.transaction, write ? "store" : "fetch"},
      TcmRequest{write, token.at().bytes, this, engine::EventArgument::to(token), &token.cause});
}

void PeFetchStore::on_event(engine::EventArgument argument) {
  TileToken& token = argument.object<TileToken>();
  machine().simulation().set_cause(std::move(token.cause));
  advance(token);
}

void ComputeEngine::compute(TileToken& token, std::string_view what, std::uint64_t work,
                            std::uint32_t per_cycle) {
  const std::uint64_t cycles = work / per_cycle + (work % per_cycle != 0 ? 1 : 0);
  const SimTime duration = SimTime::from_ps(static_cast<std::int64_t>(
      std::ceil(static_cast<double>(cycles) * 1000.0 / machine().spec().pe.clock_ghz)));
  const SimTime now = machine().simulation().now();
  machine().note(token.transaction, what);
  const Service service = unit_.serve(now, duration, token.transaction);
  token.served = service.start;
  record({token.transaction, what}, now, service, trace::WaitReason::EngineBusy, Port::Only, work);
  if (machine().simulation().records_causes()) {
    token.cause = machine().step_of(service, now, node(), {token.transaction, what},
                                    trace::TimeUse::EngineWait, trace::TimeUse::Work);
  }
  machine().simulation().schedule(service.end, *this, engine::EventArgument::to(token));
}

void ComputeEngine::on_event(engine::EventArgument argument) {
  TileToken& token = argument.object<TileToken>();
  machine().simulation().set_cause(std::move(token.cause));
  advance(token);
}

void PeGemm::accept(TileToken& token) {
  compute(token, "gemm", token.at().macs, machine().spec().pe.pe_gemm_macs_per_cycle);
}

void PeMath::accept(TileToken& token) {
  const TileStage& stage = token.at();
  compute(token, stage.op ? name_of(*stage.op) : "math", stage.elements,
          machine().spec().pe.pe_math_elements_per_cycle);
}

}  // namespace kernbench::model::components
