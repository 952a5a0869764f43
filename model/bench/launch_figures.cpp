// SPDX-License-Identifier: Apache-2.0
#include "model/bench/launch_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace kernbench::model::bench {

using components::StageKind;

namespace {

void add(Traffic& traffic, const data::StageRecord& stage) {
  traffic.bytes += stage.work;
  traffic.start = std::min(traffic.start, stage.start);
  traffic.end = std::max(traffic.end, stage.end);
}

void add(Traffic& traffic, const Traffic& more) {
  traffic.bytes += more.bytes;
  traffic.start = std::min(traffic.start, more.start);
  traffic.end = std::max(traffic.end, more.end);
}

}  // namespace

double Traffic::gbs() const {
  return bytes == 0 ? 0.0 : static_cast<double>(bytes) / (end - start).ns();
}

std::vector<LaunchFigures> launch_figures(const std::vector<runtime::LaunchRecord>& launches,
                                          const data::OpLog& log,
                                          const topology::TopologyGraph& graph) {
  std::vector<LaunchFigures> figures(launches.size());
  for (const data::StageRecord& stage : log.stages()) {
    const topology::Node& engine = graph.node(stage.component);
    const auto launch =
        std::find_if(launches.begin(), launches.end(), [&](const runtime::LaunchRecord& record) {
          return !record.repeats && record.start <= stage.end && stage.end <= record.end &&
                 record.device.has({engine.sip, engine.cube, engine.pe});
        });
    if (launch == launches.end()) continue;
    LaunchFigures& sums = figures[static_cast<std::size_t>(launch - launches.begin())];
    if (stage.kind == StageKind::DmaRead) {
      add(sums.read, stage);
    } else if (stage.kind == StageKind::DmaWrite) {
      add(sums.written, stage);
    } else if (stage.kind == StageKind::Gemm) {
      sums.macs += stage.work;
    }
  }
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (!launches[i].repeats) continue;
    figures[i] = figures[*launches[i].repeats];
    const common::SimTime later = launches[i].end - launches[*launches[i].repeats].end;
    for (Traffic* const traffic : {&figures[i].read, &figures[i].written}) {
      if (traffic->bytes == 0) continue;
      traffic->start += later;
      traffic->end += later;
    }
  }
  return figures;
}

std::vector<LaunchFigures> region_figures(const RunResult& result,
                                          const std::vector<LaunchFigures>& figures) {
  std::vector<LaunchFigures> sums(result.regions.size());
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    if (!result.launches[i].region) continue;
    LaunchFigures& sum = sums[*result.launches[i].region];
    add(sum.read, figures[i].read);
    add(sum.written, figures[i].written);
    sum.macs += figures[i].macs;
  }
  return sums;
}

std::vector<std::string> uneven_kernels(const std::vector<runtime::LaunchRecord>& launches) {
  std::map<std::string, const runtime::LaunchRecord*> worst;
  for (const runtime::LaunchRecord& launch : launches) {
    const double load = launch.channel_load.times_the_mean();
    if (load <= kUnevenChannels) continue;
    const auto [known, is_new] = worst.emplace(launch.kernel, &launch);
    if (!is_new && load > known->second->channel_load.times_the_mean()) known->second = &launch;
  }
  std::vector<std::string> sentences;
  for (const auto& [kernel, launch] : worst) {
    sentences.push_back(fmt::format(
        "kernel '{}' on SIP {} loads the HBM channels unevenly: the fullest channel of an access "
        "has {:.2f} times the mean",
        kernel, launch->device.sip, launch->channel_load.times_the_mean()));
  }
  return sentences;
}

}  // namespace kernbench::model::bench
