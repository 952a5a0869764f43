// SPDX-License-Identifier: Apache-2.0
#include "sim/cover/coverage_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace kernbench::sim {

using maze::Payload;
using maze::Shape;
using topology::MazeLink;

namespace {

/// Counts the bins by group and names the missed ones.
struct SummaryBuilder {
  CoverageSummary summary;

  void group(std::string name) { summary.groups.push_back({std::move(name), 0, 0, {}}); }
  template <typename Name>
  void bin(bool was_hit, Name name) {
    CoverageGroup& current = summary.groups.back();
    ++current.total;
    if (was_hit) {
      ++current.hit;
    } else {
      current.missed.push_back(name());
    }
  }
};

template <typename Items, typename Operation>
void combine(Items& into, const Items& from, Operation operation) {
  std::transform(into.begin(), into.end(), from.begin(), into.begin(), operation);
}

}  // namespace

CoverageData::CoverageData(const Shape& shape, const topology::MazeLinks& links,
                           std::uint64_t at_least)
    : shape_(shape),
      map_(links),
      at_least_(at_least),
      rises_(shape.links()),
      falls_(shape.links()) {
  if (links.nx() != shape.nx || links.ny() != shape.ny) {
    throw std::invalid_argument("the link map describes another torus than the shape");
  }
  std::size_t words = 0;
  for (unsigned port = 0; port < shape.ports(); ++port) {
    depths_.push_back(links.arriving(0, port).depth);
    stage_offsets_.push_back(words);
    words += std::size_t{depths_.back()} * shape.words();
  }
  for (auto& plane : links_hit_) plane = maze::BitPlane(shape);
  for (auto& planes : stages_hit_) planes.resize(words);
  for (auto& counts : packets_) counts.resize(shape.links());
}

void CoverageData::merge(const CoverageData& other) {
  if (!(other.shape_ == shape_) || other.at_least_ != at_least_ ||
      other.deep_.has_value() != deep_.has_value()) {
    throw std::invalid_argument("cannot merge coverage with another shape or goal");
  }
  for (std::size_t i = 0; i < links_hit_.size(); ++i) {
    const auto& from = other.links_hit_[i];
    std::transform(from.data(), from.data() + from.size(), links_hit_[i].data(),
                   links_hit_[i].data(), std::bit_or<>());
  }
  for (std::size_t i = 0; i < stages_hit_.size(); ++i) {
    combine(stages_hit_[i], other.stages_hit_[i], std::bit_or<>());
  }
  combine(rises_, other.rises_, std::bit_or<>());
  combine(falls_, other.falls_, std::bit_or<>());
  combine(fabric_hit_, other.fabric_hit_, std::logical_or<>());
  for (std::size_t i = 0; i < packets_.size(); ++i) {
    combine(packets_[i], other.packets_[i], std::plus<>());
  }
  if (deep_) deep_->merge(*other.deep_);
}

template <typename Sink>
void CoverageData::visit_bins(Sink& sink) const {
  sink.group("fabric");
  for (std::size_t i = 0; i < kFabricBinNames.size(); ++i) {
    sink.bin(fabric_hit_[i], [&] { return std::string(kFabricBinNames[i]); });
  }
  for (std::size_t i = 0; i < kLinkBins.size(); ++i) {
    const LinkBinInfo& info = kLinkBins[i];
    sink.group(std::string(info.name));
    for (const MazeLink& link : map_.links()) {
      if (info.needs_stage && link.depth == 0) continue;
      sink.bin(links_hit_[i].test(link.to.port, link.to.node),
               [&] { return fmt::format("{}: {}", map_.link_name(link), info.missed); });
    }
  }
  const auto payload_bits = [&](const char* group, const char* verb,
                                const std::vector<Payload>& seen) {
    sink.group(group);
    for (const MazeLink& link : map_.links()) {
      for (unsigned bit = 0; bit < shape_.payload_w(); ++bit) {
        sink.bin((seen[slot(link.to)] >> bit & 1U) != 0, [&] {
          return fmt::format("{}: payload bit {} never {}", map_.link_name(link), bit, verb);
        });
      }
    }
  };
  payload_bits("payload_rises", "rose", rises_);
  payload_bits("payload_falls", "fell", falls_);
  visit_stages(sink);
  if (at_least_ == 0) return;
  for (const auto& [name, kind] : kBackPressureNames) {
    sink.group(fmt::format("packets, back-pressure {}", name));
    for (const MazeLink& link : map_.links()) {
      const std::uint64_t count = packets(kind)[slot(link.to)];
      sink.bin(count >= at_least_, [&, kind_name = name] {
        return fmt::format("{}: {} of {} packets under back-pressure {}", map_.link_name(link),
                           count, at_least_, kind_name);
      });
    }
  }
}

template <typename Sink>
void CoverageData::visit_stages(Sink& sink) const {
  for (std::size_t i = 0; i < kStageBinNames.size(); ++i) {
    sink.group(fmt::format("stage, {}", kStageBinNames[i]));
    for (const MazeLink& link : map_.links()) {
      const std::uint64_t* hit = stages(static_cast<StageBin>(i), link.to.port);
      for (unsigned stage = 0; stage < link.depth; ++stage, hit += shape_.words()) {
        sink.bin((hit[link.to.node / 64] >> (link.to.node % 64) & 1U) != 0, [&] {
          return fmt::format("{}: stage {}: {}", map_.link_name(link), stage, kStageBinNames[i]);
        });
      }
    }
  }
}

CoverageSummary CoverageData::summary() const {
  SummaryBuilder builder;
  visit_bins(builder);
  if (deep_) {
    for (CoverageGroup& group : deep_->groups()) builder.summary.groups.push_back(std::move(group));
  }
  return std::move(builder.summary);
}

std::vector<std::string> CoverageData::missed() const {
  std::vector<std::string> names;
  for (CoverageGroup& group : summary().groups) {
    std::move(group.missed.begin(), group.missed.end(), std::back_inserter(names));
  }
  return names;
}

std::uint64_t CoverageData::hit_bins() const {
  return summary().hit();
}

std::uint64_t CoverageData::total_bins() const {
  return summary().total();
}

}  // namespace kernbench::sim
