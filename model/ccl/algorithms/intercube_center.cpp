// All-reduce over all cubes of all SIPs: each SIP sums up towards the cube in the middle of its
// mesh, the middles exchange, and the sums go back the same ways.

#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl {
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
}  // namespace kernbench::model::ccl
