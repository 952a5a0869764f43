// SPDX-License-Identifier: Apache-2.0
#include "model/serving/queue.hpp"

#include <algorithm>

namespace kernbench::model::serving {

using common::SimTime;

StepSample::StepSample(std::size_t count, std::uint64_t seed)
    : count_(count), random_(common::Rng::stream(seed, "checked steps")) {}

void StepSample::offer(const Step& step, SimTime time) {
  ++offered_;
  if (drawn_.size() < count_) {
    drawn_.push_back({step, time});
    return;
  }
  if (count_ == 0) return;
  const std::uint64_t place = random_.below(offered_);
  if (place < count_) drawn_[place] = {step, time};
}

namespace {

/// Follows the waiting requests and what runs over time.
class StateRecorder {
 public:
  explicit StateRecorder(const std::vector<Request>& requests) : requests_(requests) {}

  /// Adds a step. `admitted` requests do not wait.
  void add(SimTime begin, SimTime end, std::size_t admitted, std::size_t batch,
           std::uint64_t pages) {
    for (SimTime at = begin; at < end;) {
      while (arrived_ < requests_.size() && requests_[arrived_].arrival <= at) ++arrived_;
      const bool is_last = arrived_ == requests_.size() || requests_[arrived_].arrival >= end;
      const SimTime next = is_last ? end : requests_[arrived_].arrival;
      timeline_.add(at, next, {arrived_ - std::min(arrived_, admitted), batch, pages});
      at = next;
    }
  }

  [[nodiscard]] std::vector<QueueTimeline::Stretch> stretches(SimTime end) const {
    return timeline_.stretches(end);
  }

 private:
  const std::vector<Request>& requests_;
  std::size_t arrived_ = 0;
  QueueTimeline timeline_;
};

/// Returns the times of decodes of sequences that have one cached token each.
class ShortDecodes {
 public:
  explicit ShortDecodes(const StepTime& time_of) : time_of_(time_of) {}

  [[nodiscard]] SimTime time(std::size_t sequences) {
    while (times_.size() <= sequences) {
      Step step;
      step.contexts.assign(times_.size(), 1);
      times_.push_back(times_.empty() ? SimTime() : time_of_(step));
    }
    return times_[sequences];
  }

 private:
  const StepTime& time_of_;
  std::vector<SimTime> times_;  ///< by the number of sequences
};

}  // namespace

ServedQueue serve(const std::vector<Request>& requests, const ServerRoom& room,
                  const StepTime& time_of, StepSample* sample) {
  ServedQueue result;
  result.requests.resize(requests.size());
  struct Running {
    std::size_t request = 0;
    std::uint64_t left = 0;  ///< tokens of the output
  };
  std::vector<Running> running;
  Step decode;  // of all running sequences
  std::size_t next = 0;
  std::uint64_t pages = 0;
  SimTime now;
  StateRecorder states(requests);
  ShortDecodes short_decodes(time_of);
  const auto advance = [&](const Step& step, std::size_t admitted, std::size_t batch) {
    const SimTime time = time_of(step);
    states.add(now, now + time, admitted, batch, pages);
    if (sample != nullptr) sample->offer(step, time);
    now += time;
    result.busy += time;
    result.end = now;
    return time;
  };
  const auto end = [&](std::size_t request) {
    result.requests[request].end = now;
    pages -= room.pages_of(requests[request]);
  };
  while (next < requests.size() || !running.empty()) {
    if (running.empty() && requests[next].arrival > now) now = requests[next].arrival;
    const bool admits = next < requests.size() && requests[next].arrival <= now &&
                        running.size() < room.max_batch &&
                        pages + room.pages_of(requests[next]) <= room.pages;
    if (admits) {
      const Request& request = requests[next];
      pages += room.pages_of(request);
      result.most_pages = std::max(result.most_pages, pages);
      result.requests[next].admitted = now;
      result.prefill += advance({request.prompt, {}}, next + 1, running.size() + 1);
      ++result.prefills;
      ++result.output_tokens;
      result.requests[next].first_token = now;
      if (request.output == 1) {
        end(next);
      } else {
        running.push_back({next, request.output - 1});
        decode.contexts.push_back(request.prompt);
      }
      ++next;
      continue;
    }
    const SimTime time = advance(decode, next, running.size());
    result.attention += std::max(SimTime(), time - short_decodes.time(running.size()));
    ++result.decodes;
    result.decoded += running.size();
    result.output_tokens += running.size();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < running.size(); ++i) {
      if (--running[i].left == 0) {
        end(running[i].request);
        continue;
      }
      running[kept] = running[i];
      decode.contexts[kept] = decode.contexts[i] + 1;
      ++kept;
    }
    running.resize(kept);
    decode.contexts.resize(kept);
  }
  result.timeline = states.stretches(result.end);
  return result;
}

std::optional<double> saturation_rate(const ServedQueue& queue, const ServerRoom& room) {
  const std::size_t count = queue.requests.size();
  if (count < 2 * room.max_batch) return std::nullopt;
  const std::size_t half = count / 2;
  const SimTime time = queue.requests.back().admitted - queue.requests[half].admitted;
  if (time == SimTime()) return std::nullopt;
  return static_cast<double>(count - 1 - half) / (time.ns() * 1e-9);
}

}  // namespace kernbench::model::serving
