// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "model/data/operation.hpp"

namespace kernbench::model::data {

/// Calls `visit(block, writes)` for the blocks of an operation outside TCM. Blocks in TCM belong to
/// tiles.
template <typename Visitor>
void for_each_memory_block(const Params& params, Visitor&& visit) {
  const auto pass_on = [&](const Block& block, bool writes) {
    if (block.space != Space::Tcm) visit(block, writes);
  };
  if (const auto* const copy = std::get_if<CopyParams>(&params)) {
    pass_on(copy->source, false);
    pass_on(copy->target, true);
  } else if (const auto* const gemm = std::get_if<CompositeGemmParams>(&params)) {
    pass_on(gemm->a, false);
    pass_on(gemm->b, false);
    pass_on(gemm->c, true);
  } else if (const auto* const host = std::get_if<HostCopyParams>(&params)) {
    for (const Placed& part : host->parts) pass_on(part.block, host->to_device);
  }
}

}  // namespace kernbench::model::data
