// SPDX-License-Identifier: Apache-2.0
#include "model/serving/serving_report.hpp"

#include <algorithm>
#include <cmath>

#include "common/description.hpp"
#include "model/serving/serving_charts.hpp"

namespace kernbench::common {

using model::serving::AttentionCosts;
using model::serving::LoadRun;
using model::serving::Percentiles;
using model::serving::QueueTimeline;
using model::serving::ServingReport;
using model::serving::Step;
using model::serving::StepCheck;
using model::serving::StepChecks;
using model::serving::TimedStep;

template <>
const Description<Step>& description_of() {
  static const auto kAll =
      Description<Step>()
          .add("prompt", &Step::prompt, "tokens of a prefill")
          .at_least(1)
          .absent_unless("the step is a prefill")
          .add("contexts", &Step::contexts, "cached tokens of each sequence of a decode")
          .not_empty()
          .items_at_least(1)
          .absent_unless("the step is a decode")
          .either({"prompt", "contexts"});
  return kAll;
}

template <>
const Description<TimedStep>& description_of() {
  static const auto kAll = Description<TimedStep>()
                               .add_members(&TimedStep::step)
                               .add("time_ps", &TimedStep::time)
                               .at_least(1);
  return kAll;
}

template <>
const Description<AttentionCosts>& description_of() {
  static const auto kAll =
      Description<AttentionCosts>()
          .add("first_token", &AttentionCosts::first_token, "of a page with one token")
          .add("full_page", &AttentionCosts::full_page, "of a full page")
          .add("sequence", &AttentionCosts::sequence, "of a sequence that has pages on the PE")
          .add("part", &AttentionCosts::part, "of a part of a head that a PE merges");
  return kAll;
}

template <>
const Description<Percentiles>& description_of() {
  static const auto kAll = Description<Percentiles>()
                               .add("mean", &Percentiles::mean)
                               .add("p50", &Percentiles::p50, "by nearest rank")
                               .add("p90", &Percentiles::p90)
                               .add("p99", &Percentiles::p99);
  return kAll;
}

template <>
const Description<QueueTimeline::Stretch>& description_of() {
  static const auto kAll =
      Description<QueueTimeline::Stretch>()
          .add("begin_ps", &QueueTimeline::Stretch::begin)
          .add("waiting", &QueueTimeline::Stretch::waiting, "mean of the requests that wait")
          .at_least(0)
          .add("batch", &QueueTimeline::Stretch::batch, "mean of the requests that are served")
          .at_least(0)
          .add("pages", &QueueTimeline::Stretch::pages, "mean of the pages of the cache in use")
          .at_least(0);
  return kAll;
}

template <>
const Description<LoadRun>& description_of() {
  static const auto kAll =
      Description<LoadRun>()
          .add("load", &LoadRun::load, "of saturation; null for a file of requests")
          .above(0)
          .or_null()
          .add("requests_per_s", &LoadRun::rate, "that arrive")
          .at_least(0)
          .add("requests", &LoadRun::requests)
          .at_least(1)
          .add("prefills", [](const auto& run) { return run.queue.prefills; })
          .at_least(1)
          .add("decodes", [](const auto& run) { return run.queue.decodes; })
          .add("output_tokens", [](const auto& run) { return run.queue.output_tokens; })
          .at_least(1)
          .add(
              "end_ps", [](const auto& run) { return run.queue.end; }, "end of the last step")
          .at_least(1)
          .add(
              "tokens_per_s",
              [](const auto& run) { return run.per_second(run.queue.output_tokens); }, "of outputs")
          .at_least(0)
          .add("mean_batch", &LoadRun::mean_batch, "sequences of a decode")
          .at_least(0)
          .add("utilization", &LoadRun::utilization, "time of steps over all time")
          .at_least(0)
          .at_most(1)
          .add(
              "most_pages", [](const auto& run) { return run.queue.most_pages; },
              "of the cache at the same time")
          .at_least(1)
          .add(
              "prefill_ps", [](const auto& run) { return run.queue.prefill; }, "time of prefills")
          .add(
              "decode_ps",
              [](const auto& run) {
                return run.queue.busy - run.queue.prefill - run.queue.attention;
              },
              "time of decodes, as if each sequence had one cached token")
          .add(
              "attention_ps", [](const auto& run) { return run.queue.attention; },
              "time that the other cached tokens add to decodes")
          .add("first_token_ps", &LoadRun::first_token,
               "from the arrival to the end of the prefill")
          .or_null()
          .add("per_token_ps", &LoadRun::per_token,
               "mean time of each further token of a request; null if no request has any")
          .or_null()
          .add("request_ps", &LoadRun::whole, "from the arrival to the last token")
          .or_null()
          .add(
              "timeline", [](const auto& run) { return run.queue.timeline; },
              "equal stretches of time");
  return kAll;
}

template <>
const Description<StepCheck>& description_of() {
  static const auto kAll =
      Description<StepCheck>()
          .add_members([](const auto& check) -> auto& { return check.composed.step; })
          .add("composed_ps", [](const auto& check) { return check.composed.time; })
          .at_least(1)
          .add("simulated_ps", &StepCheck::simulated)
          .at_least(1);
  return kAll;
}

template <>
const Description<StepChecks>& description_of() {
  static const auto kAll =
      Description<StepChecks>()
          .add("steps", &StepChecks::steps, "drawn steps, simulated whole")
          .add("worst_percent", &StepChecks::worst_percent, "largest difference of a step")
          .at_least(0)
          .add("sum_percent", &StepChecks::sum_percent, "difference of the sums")
          .at_least(0);
  return kAll;
}

template <>
const Description<ServingReport>& description_of() {
  static const auto kAll =
      Description<ServingReport>()
          .add("parameters", &ServingReport::parameters,
               "of the bench transformer; the queue decides batch, cached, prompt and decode")
          .add("weights", &ServingReport::weights, "parameters of the model")
          .at_least(1)
          .add("max_batch", &ServingReport::max_batch,
               "most sequences that are decoded at the same time")
          .at_least(1)
          .add("cache_pages", &ServingReport::cache_pages, "of the key-value cache")
          .at_least(1)
          .add("page_bytes", &ServingReport::page_bytes, "on the SIP that has least room for pages")
          .at_least(1)
          .add("saturation_requests_per_s", &ServingReport::saturation,
               "null for a file of requests")
          .above(0)
          .or_null()
          .add("runs", &ServingReport::runs, "by load")
          .not_empty()
          .add("checks", &ServingReport::checks, "composed times compared with simulated ones")
          .add("points", &ServingReport::points,
               "simulated steps, from which the times of others follow")
          .not_empty()
          .add("attention_ps", &ServingReport::costs,
               "times that parts of the attention of a decode add to it");
  return kAll;
}

}  // namespace kernbench::common

namespace kernbench::model::serving {

double StepCheck::percent() const {
  return 100.0 * std::abs(composed.time.ns() / simulated.ns() - 1.0);
}

double StepChecks::worst_percent() const {
  double worst = 0.0;
  for (const StepCheck& step : steps) worst = std::max(worst, step.percent());
  return worst;
}

double StepChecks::sum_percent() const {
  StepCheck sum;
  for (const StepCheck& step : steps) {
    sum.composed.time += step.composed.time;
    sum.simulated += step.simulated;
  }
  return steps.empty() ? 0.0 : sum.percent();
}

bool StepChecks::hold() const {
  return worst_percent() <= kStepPercent && sum_percent() <= kSumPercent;
}

const plot::ReportKind kServingReport = {
    .name = "serving",
    .command = "serve",
    .about = "Requests served by a transformer, with continuous batching",
    .form = common::form_of<ServingReport>,
    .parts = serving_charts};

}  // namespace kernbench::model::serving
