// SPDX-License-Identifier: Apache-2.0
// All-reduce over a binary tree of SIPs: few steps, but the root's links carry all data twice.

#include "model/ccl/phases.hpp"

namespace kernbench::model::ccl::tree {
namespace {

void kernel(kernel::Tl& tl, const CollectiveArgs& args) {
  intercube_all_reduce(tl, args, exchange_on_tree);
}

const AlgorithmRegistration kAlgorithm{{"tree",
                                        "a binary tree of SIPs",
                                        Collective::AllReduce,
                                        {{"tree", SipTopology::Tree}},
                                        nullptr,
                                        nullptr,
                                        kernel}};

}  // namespace
}  // namespace kernbench::model::ccl::tree
