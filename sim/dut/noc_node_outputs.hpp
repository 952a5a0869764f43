// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "noc/network.hpp"
#include "sim/dut/dut.hpp"
#include "sim/dut/noc_dut.hpp"

namespace kernbench::sim {

/// Reads what the nodes of a verilated NOC_TOP drive on the channels: the outputs of the instances
/// u_node0, u_node1, and so on.
class NocNodeOutputs {
 public:
  /// Finds the outputs of all nodes among the variables of a model. Returns the first that is
  /// missing or has another width, or an empty text.
  [[nodiscard]] std::string expect(const noc::Network& network, const std::vector<Member>& members);

  /// Sets the outputs of all channels.
  void sample(NocOutputs& outputs) const {
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const Places& at = channels_[i];
      outputs.valid[i] = static_cast<std::uint8_t>(at.valid.read());
      outputs.vc[i] = static_cast<std::uint8_t>(at.vc.read());
      outputs.flit[i] = at.flit.read();
      outputs.credit[i] = at.credit.read();
    }
  }

 private:
  /// Some bits of a variable.
  struct Bits {
    const unsigned char* at = nullptr;  ///< byte with the lowest of them
    unsigned shift = 0;
    unsigned width = 0;
    /// The 8 bytes from `at` on hold the bits, and belong to the variable.
    bool in_a_word = false;

    /// Reads no byte beyond the variable.
    [[nodiscard]] std::uint64_t read() const {
      if (in_a_word) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, sizeof word);
        return word >> shift & ((std::uint64_t{1} << width) - 1);
      }
      std::uint64_t value = at[0] >> shift;
      unsigned have = 8 - shift;
      for (unsigned byte = 1; have < width; ++byte, have += 8) {
        value |= static_cast<std::uint64_t>(at[byte]) << have;
      }
      return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
    }
  };
  struct Places {
    Bits valid, vc, flit, credit;
  };

  std::vector<Places> channels_;
};

inline std::string NocNodeOutputs::expect(const noc::Network& network,
                                          const std::vector<Member>& members) {
  const std::uint32_t vcs = network.sizes().vcs();
  const std::uint32_t flit_bits = network.sizes().flit_bits;
  const std::uint32_t vc_bits = noc::Network::bits_for(vcs);
  // By "u_node3.valid_o": Verilator joins the names of two classes with "__" in place of a dot.
  std::map<std::string, const Member*> outputs_of_nodes;
  for (const Member& member : members) {
    const std::string path = member.path();
    const std::size_t at = path.rfind("u_node");
    if (at != std::string::npos) outputs_of_nodes.emplace(path.substr(at), &member);
  }
  std::string missing;
  const auto find = [&](std::uint32_t node, const char* output, unsigned low, unsigned width,
                        unsigned all) {
    const std::string name = "u_node" + std::to_string(node) + "." + output;
    const auto found = outputs_of_nodes.find(name);
    if (found != outputs_of_nodes.end() && found->second->bits == all) {
      constexpr unsigned kWordBytes = 8;
      constexpr unsigned kPartBytes = 4;  // a wide variable of Verilator is an array of these
      const bool in_a_word =
          low % 8 + width < 8 * kWordBytes && low / 8 + kWordBytes <= (all + 31) / 32 * kPartBytes;
      return Bits{static_cast<const unsigned char*>(found->second->at) + low / 8, low % 8, width,
                  in_a_word};
    }
    if (missing.empty()) {
      missing = "the model has no " + name + " of " + std::to_string(all) + " bits";
    }
    return Bits{};
  };
  channels_.clear();
  for (std::uint32_t i = 0; i < network.channels().size(); ++i) {
    const noc::Channel& channel = network.channels()[i];
    const std::uint32_t o = network.output_of(i);
    const std::uint32_t outputs = network.outputs(channel.src);
    const std::uint32_t p = network.input_of(i);
    channels_.push_back(
        {find(channel.src, "valid_o", o, 1, outputs),
         find(channel.src, "vc_o", o * vc_bits, vc_bits, outputs * vc_bits),
         find(channel.src, "flit_o", o * flit_bits, flit_bits, outputs * flit_bits),
         find(channel.dst, "credit_o", p * vcs, vcs, network.inputs(channel.dst) * vcs)});
    if (!missing.empty()) return missing;
  }
  return missing;
}

}  // namespace kernbench::sim
