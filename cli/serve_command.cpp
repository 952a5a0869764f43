// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/bench_choice.hpp"
#include "cli/command.hpp"
#include "cli/console.hpp"
#include "cli/envelope.hpp"
#include "cli/options.hpp"
#include "cli/report_files.hpp"
#include "cli/run_end.hpp"
#include "cli/serve_report.hpp"
#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/diagnostics.hpp"
#include "common/parallel.hpp"
#include "common/report_envelope.hpp"
#include "model/bench/grade.hpp"
#include "model/ccl/ccl_config.hpp"
#include "model/serving/bench_steps.hpp"
#include "model/serving/requests.hpp"
#include "model/serving/serving_report.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;
using common::SimTime;
using model::serving::LoadRun;
using model::serving::Request;
using model::serving::ServedRequest;
using model::serving::StepSample;
using model::serving::StepTimes;

/// Requests in the queue that measures saturation, for each place in the batch.
constexpr std::uint64_t kBacklog = 200;

struct ServeOptions {
  std::string spec;
  std::string ccl;
  std::vector<std::string> set;
  std::string loads = "0.1,0.3,0.5,0.7,0.9";
  double rate = 0.0;  ///< requests/s; 0 for `loads`
  std::string requests;
  double seconds = 60.0;
  model::serving::DrawnLengths lengths{128, 128, 1};
  std::uint64_t max_batch = 8;
  std::uint64_t checks = 2;
  ReportFiles files;
  std::string served;
  unsigned jobs = all_processors();
  double timeout_s = 3600.0;
};

/// Returns what is wrong with parameters of the bench that the queue decides or does not support.
std::vector<std::string> wrong_settings(const std::vector<std::string>& set) {
  std::vector<std::string> errors;
  for (const auto& [name, value] : parse_parameters(set)) {
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

/// Throws BadInput when a request can never be served.
void check_requests(const ServeOptions& options, const std::vector<Request>& requests,
                    const model::serving::ServerMemory& memory) {
  const auto problem = [&](const Request& request, std::uint64_t missing) {
    return fmt::format(
        "{} tokens of prompt and {} of output never fit: their keys and values take {} bytes more "
        "than the {} bytes that SIP {} has for the cache",
        request.prompt, request.output, missing, memory.cache_bytes(), memory.sip);
  };
  if (options.requests.empty()) {
    const Request longest = options.lengths.longest();
    if (const std::uint64_t missing = missing_bytes(memory, longest); missing != 0) {
      throw BadInput("the longest request that can be drawn does not fit: " +
                     problem(longest, missing));
    }
    return;
  }
  common::Diagnostics errors;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const std::uint64_t missing = missing_bytes(memory, requests[i]);
    if (missing == 0) continue;
    errors.error({options.requests, static_cast<unsigned>(i + 2), 1},
                 problem(requests[i], missing));
  }
  errors.throw_if_any();
}

Request longest_of(const ServeOptions& options, const std::vector<Request>& requests) {
  if (options.requests.empty()) return options.lengths.longest();
  Request longest;
  std::uint64_t cached = 1;
  for (const Request& request : requests) {
    longest.prompt = std::max(longest.prompt, request.prompt);
    cached = std::max(cached, request.cached_tokens());
  }
  longest.output = cached + 1 - longest.prompt;
  return longest;
}

/// Serves requests and returns the figures. `rate` is that of arrivals. Appends the times of each
/// request to `rows`, unless it is null.
LoadRun run_queue(std::optional<double> load, double rate, const std::vector<Request>& requests,
                  const model::serving::ServerRoom& room, const StepTimes& times,
                  StepSample& sample, std::string* rows) {
  LoadRun run{load, rate, requests.size(), serve(requests, room, std::ref(times), &sample), {},
              {},   {}};
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
  if (rows != nullptr) *rows += served_rows(run, requests);
  run.queue.requests = {};
  run.first_token = model::serving::percentiles_of(std::move(first_token));
  run.per_token = model::serving::percentiles_of(std::move(per_token));
  run.whole = model::serving::percentiles_of(std::move(whole));
  return run;
}

Outcome run(const ServeOptions& options, const Invocation& invocation) {
  const std::vector<std::string> errors = wrong_settings(options.set);
  for (const std::string& error : errors) print_error(error);
  if (!errors.empty()) return Outcome::BadInput;
  std::optional<BenchChoice> choice =
      choose_bench("transformer", options.set, options.spec, invocation);
  if (!choice) return Outcome::BadInput;
  const topology::TopologyGraph& graph = choice->resolved.graph;
  if (model::ccl::read_ccl_config(options.ccl, graph.spec()).rank != model::ccl::RankKind::Sip) {
    throw BadInput(
        fmt::format("{}: 'rank' must be sip: a model that serves has SIPs as ranks", options.ccl));
  }
  const std::vector<double> loads = parse_shares("--load", options.loads);
  if (std::find(loads.begin(), loads.end(), 0.0) != loads.end()) {
    throw BadInput("each of --load must be above 0: no request arrives at load 0");
  }
  std::vector<Request> requests;
  if (!options.requests.empty()) requests = model::serving::read_requests(options.requests);
  choice->options.ccl.name = options.ccl;
  choice->options.host_time_limit = host_time_limit(options.timeout_s);
  choice->options.on_host_timeout = [](const std::string& what) {
    end_by_host_timeout("serve: " + what);
  };
  return outcome_of_benches("serve: ", [&] {
    const Request longest = longest_of(options, requests);
    const model::serving::ServerMemory memory =
        server_memory(graph.spec(), choice->options.parameters, options.max_batch, longest);
    check_requests(options, requests, memory);
    const model::serving::ServerRoom room = memory.room(options.max_batch);
    const model::serving::StepTime simulate = model::serving::bench_steps(
        graph, choice->options, room, StepTimes::most_tokens(longest, room));
    const StepTimes times(simulate, longest, room, options.jobs);

    StepSample sample(options.checks, options.lengths.seed);
    std::vector<LoadRun> runs;
    std::string served(kServedHead);
    std::string* const rows = options.served.empty() ? nullptr : &served;
    std::optional<double> saturation;
    if (!options.requests.empty()) {
      const double seconds = requests.back().arrival.ns() * 1e-9;
      const double rate = seconds == 0.0 ? 0.0 : static_cast<double>(requests.size()) / seconds;
      runs.push_back(run_queue({}, rate, requests, room, times, sample, rows));
    } else {
      requests = draw_backlog(options.lengths, kBacklog * options.max_batch);
      saturation = saturation_rate(serve(requests, room, std::ref(times), nullptr), room).value();
      std::vector<double> rates = loads;
      for (double& rate : rates) rate *= *saturation;
      if (options.rate != 0.0) rates = {options.rate};
      for (const double rate : rates) {
        requests = draw_requests(options.lengths, SimTime::from_ns(1e9 / rate),
                                 SimTime::from_ns(options.seconds * 1e9));
        if (requests.empty()) {
          print_error(
              fmt::format("no request arrives in {:g} s at {:.4g} requests/s: --seconds or "
                          "the rate must be larger",
                          options.seconds, rate));
          return Outcome::Vacuous;
        }
        runs.push_back(run_queue(rate / *saturation, rate, requests, room, times, sample, rows));
      }
    }

    model::serving::ServingReport report{choice->options.parameters, memory.weights,
                                         options.max_batch,          room.pages,
                                         memory.page_bytes,          saturation};
    for (const auto& [step, time] : times.points()) report.points.push_back({step, time});
    report.costs = times.costs();
    report.runs = std::move(runs);
    std::vector<model::serving::StepCheck>& steps = report.checks.steps;
    for (const StepSample::Drawn& drawn : sample.drawn()) steps.push_back({drawn, {}});
    common::in_parallel(steps.size(), options.jobs, [&](std::size_t i) {
      steps[i].simulated = simulate(steps[i].composed.step);
    });
    print(
        "{}: {:.4g} million parameters, batches of up to {}, {} tokens in the cache, {} steps "
        "simulated\n",
        choice->options.parameters.at("model"), static_cast<double>(memory.weights) / 1e6,
        options.max_batch, room.pages * room.page_tokens, times.points().size());
    if (saturation) print("saturation: {:.4f} requests/s\n", *saturation);
    print("\n");
    print_runs(report.runs);
    common::Grade grade = model::bench::grade_of_system(graph.spec());
    grade.add(common::Grade::estimate(fmt::format(
        "steps are composed of the times of {} simulated ones", times.points().size())));
    print("times: {}\n", grade.text());
    print_checks(report.checks);
    const Outcome outcome = report.checks.hold() ? Outcome::Pass : Outcome::Mismatch;
    if (rows != nullptr) common::write_file_atomically(options.served, served);
    if (options.files.any()) {
      common::ReportEnvelope envelope =
          topology_envelope(model::serving::kServingReport.name, outcome, options.spec, invocation,
                            topology_settings(options.set));
      envelope.grade = grade;
      envelope.seed = options.lengths.seed;
      envelope.data = common::json_of(report);
      options.files.write(model::serving::kServingReport, envelope);
    }
    return outcome;
  });
}

}  // namespace

void add_serve_command(Command& program, const Invocation& invocation) {
  Command& command =
      program.add_command("serve", "Serve requests by a transformer, with continuous batching");
  const auto options = std::make_shared<ServeOptions>();
  add_topology_option(command, options->spec, invocation);
  add_input_option(command, "--ccl", options->ccl, invocation, "configs/ccl.yaml",
                   "Process-group file (YAML)");
  add_set_option(command, options->set,
                 "Parameter of the bench transformer as NAME=VALUE, such as model=FILE");
  add_fabric_option(command, options->set);
  add_hugging_face_option(command, options->set);
  command.add_option("--load", options->loads,
                     "Rates of arrival as fractions of the saturation rate");
  command.add_option("--rate", options->rate, "Requests per second")
      .check(real_number(1e-6, 1e9))
      .default_text("")
      .excludes("--load");
  command
      .add_option("--requests", options->requests,
                  "Requests (CSV) with the columns arrival_s,prompt,output, instead of drawn ones")
      .check(input_file())
      .excludes({"--load", "--rate"});
  const auto tokens = whole_number(1, model::serving::kMostPrompt);
  command.add_option("--prompt", options->lengths.prompt, "Mean number of tokens of a prompt")
      .check(tokens)
      .excludes("--requests");
  command.add_option("--output", options->lengths.output, "Mean number of tokens of an output")
      .check(tokens)
      .excludes("--requests");
  command.add_option("--seconds", options->seconds, "Simulated time in which requests arrive")
      .check(real_number(1e-9, model::serving::kMostSeconds))
      .excludes("--requests");
  command
      .add_option("--max-batch", options->max_batch,
                  "Most sequences that are decoded at the same time")
      .check(whole_number(1, 1024));
  command.add_option("--seed", options->lengths.seed, "Seed of the requests and of --check")
      .check(whole_number(0));
  command
      .add_option("--check", options->checks,
                  "Number of drawn steps that are simulated whole and compared; 0 for none")
      .check(whole_number(0, 10000));
  add_report_files(command, options->files, "the results");
  command
      .add_option("--served", options->served,
                  "Write when each request arrived, was admitted, had its first token and ended to "
                  "this file (CSV)")
      .check(output_file());
  add_jobs_option(command, options->jobs, "Number of parallel simulations");
  add_host_timeout_option(command, options->timeout_s);
  command.footer =
      "Exit code 1 if a checked step differs by more than 2 %, or the sum of all by more than "
      "0.5 %.\n"
      "Example:\n  kernbench serve --prompt 64 --output 64 --seconds 1 --load 0.3,0.7";
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
