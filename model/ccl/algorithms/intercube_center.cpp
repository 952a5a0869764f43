// SPDX-License-Identifier: Apache-2.0
// All-reduce over all cubes of all SIPs: each SIP sums towards the middle cube of its mesh, the
// middle cubes exchange sums, and each broadcasts them along the same paths.

#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl::intercube_center {
namespace {

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  intercube_all_reduce(tl, args, exchange_on_grid);
}

const AlgorithmRegistration kAlgorithm{
    {"intercube-center",
     "sums in each SIP's middle cube, then between SIPs",
     Collective::AllReduce,
     {{"ring", SipTopology::Ring}, {"torus", SipTopology::Torus}, {"mesh", SipTopology::Mesh}},
     nullptr,
     nullptr,
     kernel,
     Root::Center,
     true}};

}  // namespace
}  // namespace kernbench::model::ccl::intercube_center
