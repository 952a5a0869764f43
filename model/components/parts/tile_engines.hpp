// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "common/api.hpp"
#include "model/components/parts/pe_engine.hpp"
#include "model/engine/event_handler.hpp"

namespace kernbench::model::components {

/// Moves tiles between TCM and registers (Architecture, "pe_fetch_store"). It asks the pe_tcm for
/// the bytes and forwards the tile when they have passed the channel of their direction. It adds no
/// queue of its own: fetches and stores overlap as the channels of the TCM do.
class KERNBENCH_API PeFetchStore : public PeEngine, public engine::EventHandler {
 public:
  using PeEngine::PeEngine;
  void on_event(engine::EventArgument argument) override;

 protected:
  void accept(TileToken& token) override;
};

/// An engine that computes one tile at a time, in order of arrival, at a fixed amount of work per
/// clock cycle. It keeps no state between tiles.
class KERNBENCH_API ComputeEngine : public PeEngine, public engine::EventHandler {
 public:
  using PeEngine::PeEngine;
  void on_event(engine::EventArgument argument) override;

 protected:
  /// Occupies the engine for ceil(work / per_cycle) cycles of pe.clock_ghz, rounded up to a
  /// picosecond.
  void compute(TileToken& token, std::string_view what, std::uint64_t work,
               std::uint32_t per_cycle);

 private:
  ServiceChannel unit_;
};

/// The matrix engine (Architecture, "pe_gemm"): pe_gemm.macs_per_cycle multiply-adds per cycle.
class KERNBENCH_API PeGemm : public ComputeEngine {
 public:
  using ComputeEngine::ComputeEngine;

 protected:
  void accept(TileToken& token) override;
};

/// The vector engine (Architecture, "pe_math"): pe_math.elements_per_cycle elements per cycle for
/// every op. Each op of a chain is a stage of its own.
class KERNBENCH_API PeMath : public ComputeEngine {
 public:
  using ComputeEngine::ComputeEngine;

 protected:
  void accept(TileToken& token) override;
};

}  // namespace kernbench::model::components
