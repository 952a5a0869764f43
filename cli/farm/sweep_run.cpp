// SPDX-License-Identifier: Apache-2.0
#include "cli/farm/sweep_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cli/base/console.hpp"
#include "common/diagnostics.hpp"
#include "common/duration_text.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "common/shell_quote.hpp"
#include "common/terminal.hpp"
#include "common/text_distance.hpp"
#include "farm/csv.hpp"
#include "farm/sampling.hpp"
#include "farm/target.hpp"

namespace kernbench::cli {
namespace {

namespace fs = std::filesystem;
using common::BadInput;
using common::Outcome;
using nlohmann::json;

std::string text_of_command(const std::vector<std::string>& words) {
  std::string text = "kernbench";
  for (const std::string& word : words) text += fmt::format(" {}", common::shell_quote(word));
  return text;
}

std::string text_of_plan_point(const farm::Plan& plan, const farm::PlanPoint& point) {
  std::vector<std::string> values;
  for (const farm::Value& value : point) values.push_back(value.text);
  return farm::text_of_point(plan.parameters, values);
}

/// Says once how long the rest of the points will take, where no progress line is shown.
class TimeNote {
 public:
  explicit TimeNote(std::size_t total) : total_(total) {}

  void look_at(std::size_t done) {
    constexpr std::size_t kShare = 10;
    constexpr double kWorthSaying = 60;
    if (is_said_ || done == 0 || done * kShare < total_) return;
    is_said_ = true;
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const double left = seconds * static_cast<double>(total_ - done) / static_cast<double>(done);
    if (left < kWorthSaying || common::is_terminal(STDERR_FILENO)) return;
    print_note(fmt::format("{} of {} points have run in {}; the others take about {}", done, total_,
                           common::duration_text(seconds), common::duration_text(left)));
  }

 private:
  std::size_t total_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool is_said_ = false;
};

}  // namespace

SweepRun::SweepRun(const farm::Plan& plan, fs::path database, const std::vector<fs::path>& outputs,
                   const Invocation& invocation)
    : plan_(plan),
      database_(std::move(database)),
      values_(plan),
      topologies_(plan.points.size()),
      found_(values_.fields().size()) {
  PointInputs inputs(invocation);
  find_keys(inputs, outputs);
  check_settings(inputs);
  read_topologies(inputs);
  work_.kernbench = common::running_program().string();
  work_.folder = fs::current_path();
  work_.targets = values_.fields();
  (void)farm::render_job({work_.folder.string(), fs::absolute(database_).string(), {}, {}});
}

void SweepRun::print_submit_text(const farm::ClusterSettings& cluster) const {
  print("{}", submit_text(work_, farm::JobFolder::path_of(database_), cluster));
}

/// Finds the keys of all points. Throws BadInput if some are not commands, or if a point reads one
/// of the outputs.
void SweepRun::find_keys(PointInputs& inputs, const std::vector<fs::path>& outputs) {
  common::Diagnostics diagnostics;
  diagnostics.add_source(plan_.file, plan_.text);
  std::set<std::string> reported;
  for (const farm::PlanPoint& point : plan_.points) {
    try {
      keys_.push_back(inputs.key(words_of(plan_, point)));
      places_.emplace(keys_.back(), keys_.size() - 1);
      for (const fs::path& file : inputs.input_files(words_of(plan_, point))) {
        for (const fs::path& output : outputs) {
          std::error_code missing;
          if (!fs::equivalent(file, output, missing)) continue;
          throw std::invalid_argument(fmt::format(
              "'{}' is an input of the command, and the results of the sweep would overwrite it; "
              "name another file by --output",
              output.string()));
        }
      }
    } catch (const std::invalid_argument& error) {
      if (!reported.insert(error.what()).second) continue;
      diagnostics.error(plan_.command_position, error.what(),
                        "the point with " + text_of_plan_point(plan_, point));
    }
  }
  diagnostics.throw_if_any();
}

/// Throws BadInput if no point has a bench, parameters of it and keys of a topology that its
/// command accepts, with the errors of the first point.
void SweepRun::check_settings(PointInputs& inputs) const {
  std::vector<common::Diagnostic> first;
  for (const farm::PlanPoint& point : plan_.points) {
    std::vector<common::Diagnostic> wrong = inputs.wrong_settings(words_of(plan_, point));
    if (wrong.empty()) return;
    if (first.empty()) first = std::move(wrong);
  }
  common::Diagnostics diagnostics;
  diagnostics.add_source(plan_.file, plan_.text);
  for (const common::Diagnostic& diagnostic : first) {
    const std::string& setting = diagnostic.position.file;
    common::SourcePosition position = diagnostic.position;
    if (setting.empty() || setting.starts_with("--set ")) position = plan_.command_position;
    for (std::size_t i = 0; i < plan_.parameters.size(); ++i) {
      const std::string& name = plan_.parameters[i];
      const std::string set = name.starts_with("bench.") ? name.substr(6) : name;
      if (setting.starts_with("--set " + set + "=")) position = plan_.parameter_positions[i];
    }
    diagnostics.error(position, diagnostic.message, diagnostic.hint);
  }
  diagnostics.throw_if_any();
}

/// Reads the keys of the topologies that targets need. Throws BadInput if no topology has one.
void SweepRun::read_topologies(PointInputs& inputs) {
  if (values_.keys().empty()) return;
  std::vector<bool> found(values_.keys().size());
  json spec;
  for (std::size_t i = 0; i < plan_.points.size(); ++i) {
    try {
      spec = inputs.topology(words_of(plan_, plan_.points[i])).value_or(json());
    } catch (const BadInput&) {
      spec = json();  // the point is refused when it runs
    }
    for (std::size_t k = 0; k < found.size(); ++k) {
      topologies_[i].push_back(farm::field_of(spec, values_.keys()[k]));
      found[k] = found[k] || !topologies_[i].back().is_null();
    }
  }
  const std::vector<std::string> fields = farm::fields_of(spec);
  const std::vector<std::string_view> names(fields.begin(), fields.end());
  common::Diagnostics diagnostics;
  diagnostics.add_source(plan_.file, plan_.text);
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (found[k]) continue;
    const std::string& key = values_.keys()[k];
    diagnostics.error(plan_.targets[values_.target_of_key(k)].position,
                      fmt::format("the topology of the points has no key '{}' with one value{}",
                                  key, common::did_you_mean(key, names)));
  }
  diagnostics.throw_if_any();
}

void SweepRun::open() {
  jobs_.emplace(database_);
  is_fresh_ = !fs::exists(database_);
  store_.emplace(database_, plan_, keys_);
  farm::cancel_left_tasks(*jobs_);
  take(jobs_->left_results());
  jobs_->clear();
  const std::size_t resumed = store_->finished().size();
  if (resumed == 0) return;
  std::fill(found_.begin(), found_.end(), true);
  print("{} of {} points are in '{}' already\n", resumed, keys_.size(), database_.string());
}

/// Throws BadInput if there are reports and none of them has a field.
void SweepRun::check_fields(const std::vector<farm::PointResult>& results) {
  const farm::PointResult* reported = nullptr;
  for (const farm::PointResult& result : results) {
    if (!result.has_report) continue;
    reported = &result;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      found_[i] = found_[i] || !result.targets[i].is_null();
    }
  }
  if (reported == nullptr) return;
  std::vector<std::string> fields;
  if (!reported->report.empty()) {
    fields = farm::fields_of(json::parse(reported->report));
  }
  const std::vector<std::string_view> names(fields.begin(), fields.end());
  common::Diagnostics diagnostics;
  diagnostics.add_source(plan_.file, plan_.text);
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i]) continue;
    const std::string& path = values_.fields()[i];
    diagnostics.error(
        plan_.targets[values_.target_of_field(i)].position,
        fmt::format("no report has a field '{}' with one value{}", path,
                    common::did_you_mean(path, names)),
        fmt::format("write a report with {} --json FILE", text_of_command(plan_.command)));
  }
  diagnostics.throw_if_any();
}

void SweepRun::take(std::vector<farm::PointResult> results) {
  for (farm::PointResult& result : results) {
    const auto point = places_.find(result.key);
    if (point == places_.end() || !result.outcome) continue;
    result.targets =
        values_.values(plan_.points[point->second], topologies_[point->second], result.targets);
  }
  store_->add(results);
}

Outcome SweepRun::run(const std::vector<std::size_t>& points, const PointEngine& engine,
                      const std::string& what) {
  const std::map<std::string, Outcome> finished = store_->finished();
  const std::map<std::string, std::uint32_t> attempts = store_->attempts();
  std::vector<std::size_t> open_points;
  std::copy_if(points.begin(), points.end(), std::back_inserter(open_points),
               [&](std::size_t place) { return !finished.contains(keys_[place]); });
  work_.points.clear();
  // Tasks of a cluster take points that stand side by side, and say nothing of the time left.
  const std::vector<std::size_t> order = farm::spread_order(open_points.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t place = open_points[engine.cluster ? i : order[i]];
    const std::string& key = keys_[place];
    const auto known = attempts.find(key);
    const std::string folder = report_folder(plan_, plan_.points[place]);
    work_.points.push_back({.key = key,
                            .attempt = known == attempts.end() ? 1 : known->second + 1,
                            .command = words_of(plan_, plan_.points[place]),
                            .report = folder.empty() ? "" : folder + "/report.json"});
  }
  if (work_.points.empty()) return Outcome::Pass;
  std::atomic<std::size_t> done{0};
  std::atomic<std::size_t> failed{0};
  const std::size_t total = work_.points.size();
  TimeNote note(total);
  const auto take_results = [&](const std::vector<farm::PointResult>& results) {
    check_fields(results);
    take(results);
    for (const farm::PointResult& result : results) {
      if (result.outcome) ++done;
      if (result.outcome && *result.outcome != Outcome::Pass) ++failed;
    }
    // The first tasks of a cluster say nothing of the others.
    if (!engine.cluster) note.look_at(done);
  };
  Outcome outcome = Outcome::Pass;
  try {
    const common::Progress progress([&] {
      std::string text = fmt::format("{}/{} {}", done.load(), total, what);
      if (failed > 0) text += fmt::format(", {} failed", failed.load());
      return common::ProgressState{static_cast<double>(done) / static_cast<double>(total), text};
    });
    outcome = engine.cluster ? run_on_cluster(work_, *jobs_, *engine.cluster, take_results)
                             : run_locally(work_, *jobs_, engine.jobs, take_results);
  } catch (const BadInput&) {
    jobs_->clear();
    if (is_fresh_ && store_->finished().empty()) fs::remove(database_);
    throw;
  }
  if (outcome == Outcome::Interrupted) {
    print("interrupted with {} of {} points in '{}'; the same command continues the sweep\n",
          finished.size() + done, keys_.size(), database_.string());
  }
  return outcome;
}

std::vector<std::optional<farm::Row>> SweepRun::rows() const {
  std::vector<std::optional<farm::Row>> rows(keys_.size());
  for (farm::Row& row : store_->table().rows) rows[places_.at(row.key)] = std::move(row);
  return rows;
}

}  // namespace kernbench::cli
