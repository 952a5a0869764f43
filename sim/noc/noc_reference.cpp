// SPDX-License-Identifier: Apache-2.0
#include "sim/noc/noc_reference.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace kernbench::sim {

const char* wrong_signal(const NocOutputs& seen, const NocOutputs& expected, std::size_t link) {
  if (seen.valid[link] != expected.valid[link]) return "valid";
  if (expected.valid[link] != 0) {
    if (seen.vc[link] != expected.vc[link]) return "vc";
    if (seen.flit[link] != expected.flit[link]) return "flit";
  }
  return seen.credit[link] != expected.credit[link] ? "credit" : nullptr;
}

NocReference::NocReference(const noc::Network& network)
    : model_(network), expected_(network.channels().size() + network.nodes()) {}

const NocOutputs& NocReference::expect(const CycleView& view) {
  if (view.in_reset) model_.reset();
  std::fill(expected_.valid.begin(), expected_.valid.end(), 0);
  std::fill(expected_.credit.begin(), expected_.credit.end(), 0);
  for (const noc::LinkFlit& one : model_.flits()) {
    expected_.valid[one.link] = 1;
    expected_.vc[one.link] = static_cast<std::uint8_t>(one.vc);
    expected_.flit[one.link] = one.flit;
  }
  for (const noc::LinkCredit& one : model_.credits()) {
    expected_.credit[one.link] |= noc::Mask{1} << one.vc;
  }
  return expected_;
}

std::string NocReference::clock(const CycleView& view) {
  if (view.in_reset || has_ended_) return {};
  const NocInputs& inputs = *view.noc_inputs;
  for (std::uint32_t node = 0; node < inputs.valid.size(); ++node) {
    if (inputs.valid[node] != 0) model_.send(node, inputs.vc[node], inputs.flit[node]);
    for (noc::Mask left = inputs.credit[node]; left != 0; left &= left - 1) {
      model_.take(node, static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
  try {
    model_.clock();
  } catch (const std::logic_error& error) {
    has_ended_ = true;
    return error.what();
  }
  return {};
}

}  // namespace kernbench::sim
