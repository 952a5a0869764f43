// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/options.hpp"
#include "cli/base/report_files.hpp"
#include "cli/base/text_table.hpp"
#include "cli/model/bench_choice.hpp"
#include "cli/model/envelope.hpp"
#include "cli/model/run_end.hpp"
#include "cli/model/serve_report.hpp"
#include "common/atomic_file.hpp"
#include "common/description.hpp"
#include "common/report_envelope.hpp"
#include "model/serving/requests.hpp"
#include "model/serving/serving_report.hpp"
#include "model/serving/study.hpp"
#include "sim/report/number_text.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;
using model::serving::Served;
using model::serving::Study;

struct ServeOptions {
  std::string spec;
  std::string ccl;
  std::vector<std::string> set;
  std::string loads = "0.1,0.3,0.5,0.7,0.9";
  std::string requests;
  Study study;
  ReportFiles files;
  std::string served;
  unsigned jobs = all_processors();
  double timeout_s = 3600.0;
};

void print_served(const Served& served, const BenchChoice& choice) {
  const model::serving::ServingReport& report = served.report;
  print_what_runs(*choice.bench, own_parameters(*choice.bench, report.parameters),
                  choice.resolved.graph.spec());
  print("{}\n",
        wrapped(
            fmt::format("model: {} million parameters, batches of up to {}, {} tokens in "
                        "the cache; {} steps simulated",
                        fixed_text(static_cast<double>(report.weights) / 1e6, 3), report.max_batch,
                        sim::grouped(served.cache_tokens), report.points.size()),
            2));
  if (report.saturation) print("saturation: {} requests/s\n", fixed_text(*report.saturation, 4));
  print("\n");
  print_runs(report.runs);
  print("times: {}\n", served.grade.text());
  print_checks(report.checks);
}

Outcome run(const ServeOptions& options, const Invocation& invocation) {
  const auto errors = model::serving::wrong_parameters(parse_parameters(options.set));
  for (const std::string& error : errors) print_error(error);
  if (!errors.empty()) return Outcome::BadInput;
  std::optional<BenchChoice> choice =
      choose_bench("transformer", options.set, options.spec, invocation);
  if (!choice) return Outcome::BadInput;
  Study study = options.study;
  study.loads = parse_shares("--loads", options.loads);
  study.file = options.requests;
  study.jobs = options.jobs;
  if (!options.requests.empty()) study.requests = model::serving::read_requests(options.requests);
  choice->options.ccl.name = options.ccl;
  choice->options.host_time_limit = host_time_limit(options.timeout_s);
  choice->options.on_host_timeout = [](const std::string& what) {
    end_by_host_timeout("serve: " + what);
  };
  return outcome_of_benches("serve: ", [&] {
    const Served served = serve(choice->resolved.graph, choice->options, study);
    const Outcome outcome = served.outcome();
    if (!served.nothing.empty()) {
      print_error(served.nothing);
      return outcome;
    }
    print_served(served, *choice);
    if (!options.served.empty()) {
      common::write_file_atomically(options.served, model::serving::kServedHead + served.rows);
    }
    if (options.files.any()) {
      common::ReportEnvelope envelope =
          topology_envelope(model::serving::kServingReport.name, outcome, options.spec, invocation,
                            topology_settings(options.set));
      envelope.grade = served.grade;
      envelope.seed = study.lengths.seed;
      envelope.data = common::to_json(served.report);
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
  add_ccl_option(command, options->ccl, invocation);
  add_set_option(command, options->set, invocation,
                 "Parameter of the bench transformer as NAME=VALUE, such as model=FILE");
  add_fabric_option(command, options->set);
  command.add_option("--loads", options->loads,
                     "Rates of arrival as fractions of the saturation rate");
  command.add_option("--rate", options->study.rate, "Requests per second")
      .check(real_number(1e-6, 1e9))
      .excludes("--loads");
  command
      .add_option("--requests", options->requests,
                  "Requests (CSV) with the columns arrival_s,prompt,output, instead of drawn ones")
      .check(input_file())
      .excludes({"--loads", "--rate"});
  const auto tokens = whole_number(1, model::serving::kMostPrompt);
  command.add_option("--prompt", options->study.lengths.prompt, "Mean number of tokens of a prompt")
      .check(tokens)
      .excludes("--requests");
  command
      .add_option("--output", options->study.lengths.output, "Mean number of tokens of an output")
      .check(tokens)
      .excludes("--requests");
  command.add_option("--seconds", options->study.seconds, "Simulated time in which requests arrive")
      .check(real_number(1e-9, model::serving::kMostSeconds))
      .excludes("--requests");
  command
      .add_option("--max-batch", options->study.max_batch,
                  "Most sequences that are decoded at the same time")
      .check(whole_number(1, 1024));
  command.add_option("--seed", options->study.lengths.seed, "Seed of the requests and of --check")
      .check(whole_number(0));
  command
      .add_option("--check", options->study.checks,
                  "Number of drawn steps that are simulated whole and compared; 0 for none")
      .check(whole_number(0, 10000));
  add_report_files(command, options->files);
  command
      .add_option("--served", options->served,
                  "Write when each request arrived, was admitted, had its first token and ended to "
                  "this file (CSV)")
      .check(output_file());
  add_jobs_option(command, options->jobs);
  add_host_timeout_option(command, options->timeout_s);
  command.footer =
      "Exit code 1 if a checked step differs by more than 2 %, or the sum of all by more than "
      "0.5 %.\n"
      "Example:\n  kernbench serve --prompt 64 --output 64 --seconds 1 --loads 0.3,0.7";
  command.run = [options, &invocation] { return run(*options, invocation); };
}

}  // namespace kernbench::cli
