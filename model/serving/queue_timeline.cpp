// SPDX-License-Identifier: Apache-2.0
#include "model/serving/queue_timeline.hpp"

#include <algorithm>

namespace kernbench::model::serving {

using common::SimTime;

void QueueTimeline::add(SimTime begin, SimTime end, const QueueState& state) {
  while (end.ps() > width_ * static_cast<std::int64_t>(kMostStretches)) halve();
  for (std::int64_t at = begin.ps(); at < end.ps();) {
    const auto place = static_cast<std::size_t>(at / width_);
    if (place >= sums_.size()) sums_.resize(place + 1);
    const std::int64_t next = std::min(end.ps(), static_cast<std::int64_t>(place + 1) * width_);
    const auto time = static_cast<double>(next - at);
    sums_[place].waiting += time * static_cast<double>(state.waiting);
    sums_[place].batch += time * static_cast<double>(state.batch);
    sums_[place].pages += time * static_cast<double>(state.pages);
    at = next;
  }
}

void QueueTimeline::halve() {
  width_ *= 2;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const Sums one = sums_[i];
    if (i % 2 == 0) {
      sums_[i / 2] = one;
      continue;
    }
    sums_[i / 2].waiting += one.waiting;
    sums_[i / 2].batch += one.batch;
    sums_[i / 2].pages += one.pages;
  }
  sums_.resize((sums_.size() + 1) / 2);
}

std::vector<QueueTimeline::Stretch> QueueTimeline::stretches(SimTime end) const {
  std::vector<Stretch> stretches;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const std::int64_t begin = static_cast<std::int64_t>(i) * width_;
    const auto time = static_cast<double>(std::min(width_, end.ps() - begin));
    stretches.push_back({SimTime::from_ps(begin), sums_[i].waiting / time, sums_[i].batch / time,
                         sums_[i].pages / time});
  }
  return stretches;
}

}  // namespace kernbench::model::serving
