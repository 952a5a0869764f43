// SPDX-License-Identifier: Apache-2.0
#include "model/serving/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "common/diagnostics.hpp"
#include "common/parallel.hpp"
#include "common/units.hpp"
#include "model/bench/grade.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/serving/bench_steps.hpp"
#include "model/serving/percentiles.hpp"
#include "model/serving/queue.hpp"
#include "model/serving/step_times.hpp"

namespace kernbench::model::serving {
namespace {

using common::BadInput;
using common::SimTime;

/// Requests in the queue that measures saturation, for each place in the batch.
constexpr std::uint64_t kBacklog = 200;

/// Throws BadInput when a request can never be served.
void check_requests(const Study& study, const ServerMemory& memory) {
  const auto problem = [&](const Request& request, std::uint64_t missing) {
    return fmt::format(
        "{} tokens of prompt and {} of output never fit: their keys and values take {} bytes more "
        "than the {} bytes that SIP {} has for the cache",
        request.prompt, request.output, missing, memory.cache_bytes(), memory.sip);
  };
  if (study.requests.empty()) {
    const Request longest = study.lengths.longest();
    if (const std::uint64_t missing = missing_bytes(memory, longest); missing != 0) {
      throw BadInput("the longest request that can be drawn does not fit: " +
                     problem(longest, missing));
    }
    return;
  }
  common::Diagnostics errors;
  for (std::size_t i = 0; i < study.requests.size(); ++i) {
    const std::uint64_t missing = missing_bytes(memory, study.requests[i]);
    if (missing == 0) continue;
    errors.error({study.file, static_cast<unsigned>(i + 2), 1},
                 problem(study.requests[i], missing));
  }
  errors.throw_if_any();
}

Request longest_of(const Study& study) {
  if (study.requests.empty()) return study.lengths.longest();
  Request longest;
  std::uint64_t cached = 1;
  for (const Request& request : study.requests) {
    longest.prompt = std::max(longest.prompt, request.prompt);
    cached = std::max(cached, request.cached_tokens());
  }
  longest.output = cached + 1 - longest.prompt;
  return longest;
}

/// Returns the times of each request as rows of CSV.
std::string rows_of(const LoadRun& run, const std::vector<Request>& requests) {
  constexpr std::int64_t kPsPerSecond = 1'000'000'000'000;
  const auto seconds = [](SimTime time) {
    return fmt::format("{}.{:012}", time.ps() / kPsPerSecond, time.ps() % kPsPerSecond);
  };
  std::string rows;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const ServedRequest& served = run.queue.requests.at(i);
    rows += fmt::format("{},{},{},{},{},{},{}\n", run.load ? fmt::format("{:.6g}", *run.load) : "",
                        seconds(requests[i].arrival), requests[i].prompt, requests[i].output,
                        seconds(served.admitted), seconds(served.first_token), seconds(served.end));
  }
  return rows;
}

/// A server with the times of its steps.
struct Server {
  ServerRoom room;
  const StepTimes& times;
  StepSample& sample;
};

/// Serves requests and returns the figures. `rate` is that of arrivals. Appends the times of each
/// request to `rows`.
LoadRun run_queue(const Server& server, std::optional<double> load, double rate,
                  const std::vector<Request>& requests, std::string& rows) {
  LoadRun run{load,
              rate,
              requests.size(),
              serve(requests, server.room, std::ref(server.times), &server.sample),
              {},
              {},
              {}};
  std::vector<SimTime> first_token;
  std::vector<SimTime> per_token;
  std::vector<SimTime> whole;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const ServedRequest& served = run.queue.requests[i];
    first_token.push_back(served.first_token - requests[i].arrival);
    whole.push_back(served.end - requests[i].arrival);
    if (requests[i].output == 1) continue;
    const auto more = static_cast<std::int64_t>(requests[i].output - 1);
    const std::int64_t decoding = (served.end - served.first_token).ps();
    per_token.push_back(SimTime::from_ps((decoding + more / 2) / more));
  }
  rows += rows_of(run, requests);
  run.queue.requests = {};
  run.first_token = percentiles_of(std::move(first_token));
  run.per_token = percentiles_of(std::move(per_token));
  run.whole = percentiles_of(std::move(whole));
  return run;
}

/// Serves the requests of a file at the rate at which they arrive.
void serve_file(const Server& server, const Study& study, Served& served) {
  const double seconds = study.requests.back().arrival.ns() * 1e-9;
  const double rate = seconds == 0.0 ? 0.0 : static_cast<double>(study.requests.size()) / seconds;
  served.report.runs.push_back(run_queue(server, {}, rate, study.requests, served.rows));
}

/// Measures the saturation rate, and serves drawn requests at each rate of the study.
void serve_drawn(const Server& server, const Study& study, Served& served) {
  const std::vector<Request> backlog = draw_backlog(study.lengths, kBacklog * study.max_batch);
  const double saturation =
      saturation_rate(serve(backlog, server.room, std::ref(server.times), nullptr), server.room)
          .value();
  served.report.saturation = saturation;
  std::vector<double> rates = study.loads;
  for (double& rate : rates) rate *= saturation;
  if (study.rate) rates = {*study.rate};
  for (const double rate : rates) {
    const std::vector<Request> requests = draw_requests(study.lengths, SimTime::from_ns(1e9 / rate),
                                                        SimTime::from_ns(study.seconds * 1e9));
    if (requests.empty()) {
      served.nothing = fmt::format(
          "no request arrives in {:g} s at {:.4g} requests/s: --seconds or the rate "
          "must be larger",
          study.seconds, rate);
      return;
    }
    served.report.runs.push_back(run_queue(server, rate / saturation, rate, requests, served.rows));
  }
}

}  // namespace

common::Outcome Served::outcome() const {
  if (!nothing.empty()) return common::Outcome::Vacuous;
  return report.checks.hold() ? common::Outcome::Pass : common::Outcome::Mismatch;
}

std::vector<std::string> wrong_parameters(const std::map<std::string, std::string>& parameters) {
  std::vector<std::string> errors;
  for (const auto& [name, value] : parameters) {
    if (name == "batch" || name == "cached" || name == "prompt" || name == "decode" ||
        name == "room") {
      errors.push_back(
          fmt::format("--set {}: the queue decides '{}' of each step; --prompt, --output and "
                      "--max-batch describe its requests",
                      name, name));
    }
    if (name == "data" || name == "microbatches" || name == "overlap" || name == "sequence" ||
        name == "decode_by") {
      errors.push_back(
          fmt::format("--set {}: a step is a single pass of one copy of the model, so '{}' cannot "
                      "be set",
                      name, name));
    }
  }
  return errors;
}

Served serve(const topology::TopologyGraph& graph, bench::RunOptions options, const Study& study) {
  if (ccl::read_ccl_config(options.ccl.name, graph.spec()).rank != ccl::RankKind::Sip) {
    throw BadInput(fmt::format("{}: 'rank' must be sip: a model that serves has SIPs as ranks",
                               options.ccl.name));
  }
  if (std::find(study.loads.begin(), study.loads.end(), 0.0) != study.loads.end()) {
    throw BadInput("each of --loads must be above 0: no request arrives at load 0");
  }
  const Request longest = longest_of(study);
  const ServerMemory memory =
      server_memory(graph.spec(), options.parameters, study.max_batch, longest);
  check_requests(study, memory);
  const ServerRoom room = memory.room(study.max_batch);
  Served served;
  served.report = {options.parameters, memory.weights, study.max_batch, room.pages,
                   memory.page_bytes};
  served.cache_tokens = room.pages * room.page_tokens;
  const StepTime simulate =
      bench_steps(graph, std::move(options), room, StepTimes::most_tokens(longest, room));
  const StepTimes times(simulate, longest, room, study.jobs);
  StepSample sample(study.checks, study.lengths.seed);
  const Server server{room, times, sample};
  if (study.requests.empty()) {
    serve_drawn(server, study, served);
  } else {
    serve_file(server, study, served);
  }
  if (!served.nothing.empty()) return served;
  for (const auto& [step, time] : times.points()) served.report.points.push_back({step, time});
  served.report.costs = times.costs();
  std::vector<StepCheck>& steps = served.report.checks.steps;
  for (const StepSample::Drawn& drawn : sample.drawn()) steps.push_back({drawn, {}});
  common::in_parallel(steps.size(), study.jobs, [&](std::size_t i) {
    steps[i].simulated = simulate(steps[i].composed.step);
  });
  served.grade = bench::grade_of_system(graph.spec());
  served.grade.add(common::Grade::estimate(
      fmt::format("steps are composed of the times of {} simulated ones", times.points().size())));
  return served;
}

}  // namespace kernbench::model::serving
