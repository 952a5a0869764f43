// SPDX-License-Identifier: Apache-2.0
#include "model/runtime/measured_region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/runtime/session.hpp"

namespace kernbench::model::runtime {

namespace {

bool ends_before(const RegionRank& a, const RegionRank& b) {
  return a.end < b.end;
}

/// Triggers the events in their order.
engine::Process trigger_all(std::vector<engine::Event*> events) {
  for (engine::Event* const event : events) event->trigger();
  co_return;
}

}  // namespace

std::uint32_t MeasuredRegion::first_rank() const {
  return static_cast<std::uint32_t>(std::min_element(ranks.begin(), ranks.end(), ends_before) -
                                    ranks.begin());
}

std::uint32_t MeasuredRegion::last_rank() const {
  return static_cast<std::uint32_t>(std::max_element(ranks.begin(), ranks.end(), ends_before) -
                                    ranks.begin());
}

std::string skew_text(const MeasuredRegion& region) {
  if (region.ranks.size() == 1) return {};
  const std::string skew =
      fmt::format("skew between ranks {:.3f} us: ", region.skew().ns() / 1000.0);
  if (region.skew() == common::SimTime()) {
    return fmt::format("{}all {} ranks end together", skew, region.ranks.size());
  }
  return fmt::format("{}rank {} ends first, rank {} last", skew, region.first_rank(),
                     region.last_rank());
}

std::vector<std::string> unstarted_regions(const std::deque<MeasuredRegion>& regions) {
  std::vector<std::string> lines;
  for (const MeasuredRegion& region : regions) {
    if (region.started) continue;
    std::vector<std::size_t> missing;
    for (std::size_t rank = 0; rank < region.ranks.size(); ++rank) {
      if (!region.ranks[rank].entered) missing.push_back(rank);
    }
    lines.push_back(fmt::format("the measured region '{}' waits for {} {}, which never entered it",
                                region.name, missing.size() == 1 ? "rank" : "ranks",
                                fmt::join(missing, ", ")));
  }
  return lines;
}

RegionBarrier::RegionBarrier(Session& session, std::vector<Device> devices)
    : session_(session),
      devices_(std::move(devices)),
      positions_(devices_.size()),
      starts_(devices_.size()) {}

std::size_t RegionBarrier::enter(std::uint32_t rank, const std::string& name,
                                 engine::Fiber& fiber) {
  const std::size_t position = positions_[rank]++;
  if (position == regions_.size()) {
    MeasuredRegion region;
    region.name = name;
    for (const Device& device : devices_) region.ranks.push_back({device});
    regions_.push_back(session_.record().regions.size());
    session_.record().regions.push_back(std::move(region));
  }
  MeasuredRegion& region = session_.record().regions[regions_[position]];
  if (region.name != name) {
    const auto other = std::find_if(region.ranks.begin(), region.ranks.end(),
                                    [](const RegionRank& one) { return one.entered; });
    throw std::invalid_argument(fmt::format(
        "rank {} measures region '{}' where rank {} measures '{}': all ranks must measure the same "
        "regions in the same order",
        rank, name, other - region.ranks.begin(), region.name));
  }
  region.ranks[rank].entered = true;
  starts_[rank] = std::make_unique<engine::Event>(
      fmt::format("the other ranks at the start of region {}", name));
  const bool last = std::all_of(region.ranks.begin(), region.ranks.end(),
                                [](const RegionRank& one) { return one.entered; });
  if (last) start(region);
  fiber.wait(*starts_[rank]);
  return regions_[position];
}

void RegionBarrier::start(MeasuredRegion& region) {
  engine::Simulation& simulation = session_.machine().simulation();
  region.started = true;
  region.start = simulation.now();
  simulation.keep_causes_apart();
  if (simulation.records_causes()) {
    region.before = session_.machine().use();
    session_.machine().forget_waits();
  }
  std::vector<engine::Event*> events;
  events.reserve(starts_.size());
  for (const auto& event : starts_) events.push_back(event.get());
  simulation.spawn("start of a measured region", trigger_all(std::move(events)));
}

void RegionBarrier::leave(std::uint32_t rank, std::size_t region) {
  const engine::Simulation& simulation = session_.machine().simulation();
  MeasuredRegion& measured = session_.record().regions[region];
  RegionRank& place = measured.ranks[rank];
  place.end = simulation.now();
  place.cause = simulation.cause();
  if (simulation.records_causes()) measured.after = session_.machine().use();
}

}  // namespace kernbench::model::runtime
