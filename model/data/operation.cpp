// SPDX-License-Identifier: Apache-2.0
#include "model/data/operation.hpp"

#include <fmt/format.h>

namespace kernbench::model::data {

OpKind kind_of(const Params& params) {
  if (std::holds_alternative<MathParams>(params)) return OpKind::Math;
  const bool gemm = std::holds_alternative<GemmParams>(params) ||
                    std::holds_alternative<CompositeGemmParams>(params);
  return gemm ? OpKind::Gemm : OpKind::Memory;
}

std::string op_name(const Params& params) {
  struct Namer {
    std::string operator()(const UnknownParams& /*params*/) const { return "unknown"; }
    std::string operator()(const CopyParams& copy) const {
      const bool reads = copy.target.space == Space::Tcm;
      if (copy.rows) return reads ? "gather" : "scatter";
      return reads ? "dma_read" : "dma_write";
    }
    std::string operator()(const GemmParams& gemm) const {
      return fmt::format("gemm_{}", data::name_of(gemm.a.type));
    }
    std::string operator()(const CompositeGemmParams& /*gemm*/) const { return "composite_gemm"; }
    std::string operator()(const MathParams& math) const {
      return std::string(components::name_of(math.op));
    }
    std::string operator()(const ReadParams& /*read*/) const { return "kernel_read"; }
    std::string operator()(const IpcqCopyParams& /*copy*/) const { return "ipcq_copy"; }
    std::string operator()(const HostCopyParams& copy) const {
      return copy.to_device ? "host_write" : "host_read";
    }
  };
  return std::visit(Namer{}, params);
}

}  // namespace kernbench::model::data
