// SPDX-License-Identifier: Apache-2.0
// All-reduce like intercube-center with the root in a corner of the mesh: twice as many hops, for
// comparison.

#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl::intercube_corner {
namespace {

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  intercube_all_reduce(tl, args, exchange_on_grid);
}

const AlgorithmRegistration kAlgorithm{
    {"intercube-corner",
     "sums in each SIP's corner cube, then between SIPs",
     Collective::AllReduce,
     {{"ring", SipTopology::Ring}, {"torus", SipTopology::Torus}, {"mesh", SipTopology::Mesh}},
     nullptr,
     nullptr,
     kernel,
     Root::Corner}};

}  // namespace
}  // namespace kernbench::model::ccl::intercube_corner
