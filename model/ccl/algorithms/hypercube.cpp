// SPDX-License-Identifier: Apache-2.0
// All-reduce between 2^k SIPs in log steps, by recursive halving and doubling and by recursive
// doubling (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization of Collective Communication
// Operations in MPICH", 2005).

#include <bit>

#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl::hypercube {
namespace {

std::string refuse(std::uint32_t world_size, const Grid& /*sips*/) {
  return std::has_single_bit(world_size) ? "" : "needs a world size that is a power of two";
}

void halving_doubling(kernel::Tl& tl, const CollectiveArgs& args) {
  intercube_all_reduce(tl, args, exchange_by_halving, 1);
}

void recursive_doubling(kernel::Tl& tl, const CollectiveArgs& args) {
  intercube_all_reduce(tl, args, exchange_by_doubling, 1);
}

const AlgorithmRegistration kHalvingDoubling{{"halving-doubling",
                                              "recursive halving and doubling between 2^k SIPs",
                                              Collective::AllReduce,
                                              {{"hypercube", SipTopology::Hypercube}},
                                              refuse,
                                              nullptr,
                                              halving_doubling}};
const AlgorithmRegistration kRecursiveDoubling{{"recursive-doubling",
                                                "recursive doubling between 2^k SIPs",
                                                Collective::AllReduce,
                                                {{"hypercube", SipTopology::Hypercube}},
                                                refuse,
                                                nullptr,
                                                recursive_doubling}};

}  // namespace
}  // namespace kernbench::model::ccl::hypercube
