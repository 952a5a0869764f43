#pragma once

#include "model/components/parts/compute_engine.hpp"

namespace kernbench::model::components {

/// The vector engine (Architecture, "pe_math"): a tile's elements at pe_math.elements_per_cycle,
/// whatever the op. Of a chain of ops each is a stage of its own.
class PeMath : public ComputeEngine {
 public:
  using ComputeEngine::ComputeEngine;

 protected:
  void accept(TileToken& token) override;
};

}  // namespace kernbench::model::components
