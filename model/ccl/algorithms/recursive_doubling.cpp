// SPDX-License-Identifier: Apache-2.0
// All-reduce by recursive doubling between 2^k SIPs (R. Thakur, R. Rabenseifner, W. Gropp,
// "Optimization of Collective Communication Operations in MPICH", 2005).

#include <bit>

#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl::recursive_doubling {
namespace {

std::string refuse(std::uint32_t world_size, const Grid& /*sips*/) {
  return std::has_single_bit(world_size) ? "" : "needs a world size that is a power of two";
}

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  intercube_all_reduce(tl, args, exchange_by_doubling, 1);
}

const AlgorithmRegistration kAlgorithm{{"recursive-doubling",
                                        "recursive doubling between 2^k SIPs",
                                        Collective::AllReduce,
                                        {{"hypercube", SipTopology::Hypercube}},
                                        refuse,
                                        nullptr,
                                        kernel}};

}  // namespace
}  // namespace kernbench::model::ccl::recursive_doubling
