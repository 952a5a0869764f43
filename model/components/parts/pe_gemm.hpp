#pragma once

#include "model/components/parts/compute_engine.hpp"

namespace kernbench::model::components {

/// The matrix engine (Architecture, "pe_gemm"): a tile's multiply-adds at pe_gemm.macs_per_cycle.
class PeGemm : public ComputeEngine {
 public:
  using ComputeEngine::ComputeEngine;

 protected:
  void accept(TileToken& token) override;
};

}  // namespace kernbench::model::components
