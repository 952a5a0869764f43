// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/cover/coverage_summary.hpp"
#include "sim/harness/extension.hpp"
#include "sim/noc/noc_device.hpp"

namespace kernbench::sim {

/// Kinds of bins of a network of any topology.
enum class NocBin : std::uint8_t {
  Route,       ///< a head at an input VC for a destination that the routes lead there
  Crosspoint,  ///< an input VC sends by an output VC that the routes lead to
  Full,        ///< all slots of an input VC are taken
  Bubble,      ///< a packet holds an output VC and has no flit there
  NoCredit,    ///< a packet holds an output VC without a credit
  Ready,       ///< so many VCs of an output have a flit and a credit in one cycle
  Turn,        ///< two or more heads ask for a class whose turn begins behind an input VC
  Packet,      ///< a node sends a packet of one flit, or of several
  AllCredits,  ///< all VCs of an input return a credit in one cycle
};
inline constexpr std::size_t kNocBins = 9;

/// The bins of one network. They follow from its routes alone: no packet could hit others.
/// Immutable.
class NocBins {
 public:
  struct Bin {
    std::uint32_t node = 0;
    std::uint32_t a = 0, b = 0;  ///< input VC, output VC, destination or count, by kind
  };

  explicit NocBins(const NocDevice& device);

  /// Returns the number of a bin, or kNone if there is none.
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  [[nodiscard]] std::uint32_t find(NocBin kind, std::uint32_t node, std::uint32_t a,
                                   std::uint32_t b) const {
    const Group& group = groups_[static_cast<std::size_t>(kind)];
    return group.number[group.first[node] + a * group.width[node] + b];
  }
  [[nodiscard]] std::size_t count(NocBin kind) const {
    return groups_[static_cast<std::size_t>(kind)].bins.size();
  }
  /// Returns the VCs of an input that packets use, as bits p*V + v.
  [[nodiscard]] noc::Mask used_vcs(std::uint32_t node, std::uint32_t input) const {
    const std::uint32_t vcs = device_.network.sizes().vcs();
    return used_inputs_[node] & (~noc::Mask{0} >> (64 - vcs)) << (input * vcs);
  }
  [[nodiscard]] std::string name(NocBin kind, std::size_t number) const;
  [[nodiscard]] const NocDevice& device() const { return device_; }

 private:
  struct Group {
    std::vector<Bin> bins;
    std::vector<std::uint32_t> number;  ///< by place
    std::vector<std::size_t> first;     ///< by node: its first place
    std::vector<std::uint32_t> width;   ///< by node: places for each `a`
  };
  void lay_out(NocBin kind, const std::vector<std::uint32_t>& rows,
               const std::vector<std::uint32_t>& widths);
  void add(NocBin kind, std::uint32_t node, std::uint32_t a, std::uint32_t b);

  const NocDevice& device_;
  std::array<Group, kNocBins> groups_;
  std::vector<noc::Mask> used_inputs_;  ///< by node: input VCs
};

/// The bins that cases have hit.
struct NocHits {
  std::array<std::vector<std::uint8_t>, kNocBins> hit;

  NocHits() = default;
  explicit NocHits(const NocBins& bins);
  void merge(const NocHits& other);
};

/// Returns all groups with the names of the bins that were missed.
[[nodiscard]] CoverageSummary summary_of(const NocBins& bins, const NocHits& hits);

/// Collects the bins of a case from the state of its reference.
class NocCollector final : public Extension {
 public:
  /// Must be shown each cycle behind the checker that clocks the reference.
  NocCollector(const NocBins& bins, const noc::NetworkModel& reference)
      : bins_(bins), reference_(reference), hits_(bins) {}

  void on_cycle(const CycleView& view) override;
  [[nodiscard]] const NocHits& hits() const { return hits_; }
  /// Returns the flits that each channel carried.
  [[nodiscard]] const std::vector<std::uint64_t>& flits() const { return flits_; }

 private:
  void hit(NocBin kind, std::uint32_t node, std::uint32_t a, std::uint32_t b);
  void sample(std::uint32_t node);

  const NocBins& bins_;
  const noc::NetworkModel& reference_;
  NocHits hits_;
  std::vector<std::uint64_t> flits_;
  std::vector<noc::Mask> returned_;  ///< by node: input VCs with a grant in this cycle
};

}  // namespace kernbench::sim
