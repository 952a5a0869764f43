// SPDX-License-Identifier: Apache-2.0
#include "cli/rtl/sim_soak.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "cli/base/revision.hpp"
#include "cli/rtl/sim_network.hpp"
#include "cli/rtl/sim_options.hpp"
#include "common/archive.hpp"
#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/hash.hpp"
#include "common/interrupt.hpp"
#include "common/progress.hpp"
#include "common/shell_quote.hpp"
#include "common/text_file.hpp"
#include "common/yaml_reader.hpp"
#include "sim/build/model_store.hpp"
#include "sim/network/network_run.hpp"
#include "sim/network/network_spec.hpp"
#include "sim/regression/case_archive.hpp"
#include "sim/regression/regression_runner.hpp"
#include "sim/report/number_text.hpp"
#include "sim/report/soak.hpp"

namespace kernbench::cli {
namespace {

using common::BadInput;
using common::Outcome;

/// Returns the file with the state of a soak.
std::string state_of(const SimOptions& options) {
  return options.report + "/soak.json";
}

/// Returns the state to continue, or a new one. Throws BadInput when the state in the folder is of
/// another regression, model or first seed.
sim::Soak begin_soak(const SimOptions& options, const Soaked& soaked) {
  sim::Soak soak;
  soak.config = options.config;
  soak.config_hash = common::hex64(common::hash_bytes(
      fmt::format("{}{}{}", soaked.text, options.noc, fmt::join(options.plusargs, " "))));
  soak.model_hash = soaked.model_hash;
  soak.shape = soaked.shape;
  soak.topology = soaked.topology;
  soak.channels = soaked.channels;
  soak.first_seed = options.seed.value_or(soaked.seed);
  if (!std::filesystem::exists(state_of(options))) return soak;
  if (!options.resume) {
    throw BadInput(
        fmt::format("{}: a soak is there; --resume continues it, and another --report begins one",
                    state_of(options)));
  }
  const sim::Soak old = sim::read_soak(state_of(options));
  const char* const other = old.config_hash != soak.config_hash                 ? "regression"
                            : old.model_hash != soak.model_hash                 ? "model"
                            : options.seed && old.first_seed != soak.first_seed ? "first seed"
                                                                                : nullptr;
  if (other != nullptr) {
    throw BadInput(
        fmt::format("{}: a soak with another {}; continue it with what it began with, or "
                    "name another --report",
                    state_of(options), other));
  }
  return old;
}

/// Runs the regression with seed after seed.
class Chunks {
 public:
  using Results = std::vector<std::optional<sim::RegressionResult>>;

  Chunks(const SimOptions& options, const Invocation& invocation, const Soaked& soaked)
      : options_(options), invocation_(invocation), soaked_(soaked) {}

  /// Packets of finished chunks and cases, for the progress. Any thread may read it.
  [[nodiscard]] std::atomic<std::uint64_t>& packets() { return packets_; }

  /// Runs `count` seeds from `seed` on. Those without a result were interrupted.
  Results run(std::uint64_t seed, std::uint64_t count) {
    Results results(count);
    TaskValues values = {{"--seed", fmt::format("{}", seed)}};
    if (options_.model.empty()) values.emplace("--model", soaked_.model);
    // A task that was lost in an earlier batch may write its result late: it has another folder.
    const auto parts = parts_of(options_.parts, invocation_,
                                fmt::format("{}/soak-{}", options_.report, seed), values);
    common::run_loop(parts.get(), 1,
                     {.count = results.size(),
                      .compute =
                          [&](std::size_t i) {
                            results[i] = run_one(seed + i);
                            return results[i].has_value();
                          },
                      .bytes_of = [&](std::size_t i) { return common::archived(*results[i]); },
                      .take =
                          [&](std::size_t i, const std::string& bytes) {
                            common::unarchive(bytes, results[i].emplace());
                            name_commands(*results[i], seed + i);
                          }});
    return results;
  }

 private:
  /// Returns nothing when it was interrupted.
  std::optional<sim::RegressionResult> run_one(std::uint64_t seed) {
    sim::RunOptions run;
    run.jobs = options_.jobs;
    run.interrupted = common::interrupted;
    run.fail_fast = options_.fail_fast;
    run.case_done = [this](const sim::CaseResult& one) { packets_ += one.delivered; };
    sim::RegressionResult result = soaked_.run(seed, run);
    if (result.outcome == Outcome::Interrupted) return std::nullopt;
    name_commands(result, seed);
    return result;
  }

  void name_commands(sim::RegressionResult& result, std::uint64_t seed) const {
    const std::vector<std::string> commands = soaked_.commands(seed);
    for (std::size_t i = 0; i < result.cases.size(); ++i) result.cases[i].command = commands[i];
  }

  const SimOptions& options_;
  const Invocation& invocation_;
  const Soaked& soaked_;
  std::atomic<std::uint64_t> packets_{0};
};

/// The most chunks that a cluster runs before the state is written again: an interruption loses
/// them.
constexpr std::uint64_t kMostChunks = 64;

/// Returns how many chunks to run before the state is written again: one on this machine, and on a
/// cluster as many as the packets need.
std::uint64_t chunks_at_once(const SimOptions& options, const sim::Soak& soak) {
  constexpr std::uint64_t kFirstChunks = 4;
  if (options.parts.engine == kLocalEngine) return 1;
  if (soak.chunks == 0) return kFirstChunks;
  const std::uint64_t of_a_chunk = std::max<std::uint64_t>(soak.packets / soak.chunks, 1);
  return std::clamp<std::uint64_t>((*options.packets - soak.packets) / of_a_chunk + 1, 1,
                                   kMostChunks);
}

Soaked soaked_topo(const SimOptions& options, std::string text, const sim::ModelStore& store) {
  const auto spec =
      std::make_shared<sim::RegressionSpec>(sim::parse_regression(std::move(text), options.config));
  require_one_seed(options.config, spec->suites);
  spec->full_coverage = spec->deep_coverage = false;
  Soaked soaked{.text = spec->text, .shape = spec->shape, .seed = spec->seed};
  soaked.model = options.model.empty()
                     ? store.ensure({spec->shape, !options.no_checkers, false, {}})
                     : options.model;
  const sim::DutLibrary library(soaked.model, options.plusargs);
  soaked.model_hash = library.create(spec->seed)->info().build_hash;
  soaked.run = [spec, library](std::uint64_t seed, const sim::RunOptions& run) {
    spec->seed = seed;
    return sim::run_regression(*spec, library, run).result;
  };
  soaked.commands = [spec, &options](std::uint64_t seed) {
    spec->seed = seed;
    std::vector<std::string> commands;
    for (const sim::CaseSpec& one : sim::list_cases(*spec)) {
      commands.push_back(rerun_command(options, one));
    }
    return commands;
  };
  return soaked;
}

Soaked soaked_network(const SimOptions& options, std::string text, const sim::ModelStore& store) {
  const auto spec = std::make_shared<sim::NetworkSpec>(
      sim::parse_network_regression(std::move(text), options.config));
  require_one_seed(options.config, spec->suites);
  spec->full_coverage = spec->deep_coverage = false;
  Soaked soaked{.text = spec->text, .shape = spec->shape, .seed = spec->seed};
  soaked.model = network_model(*spec, options, store);
  const sim::NetworkLibrary library(soaked.model, options.plusargs);
  const sim::DutInfo info = library.create(spec->seed)->info();
  sim::require_shape(info, spec->shape, soaked.model);
  soaked.model_hash = info.build_hash;
  const auto cases = [spec](std::uint64_t seed) {
    spec->seed = seed;
    return sim::network_cases(*spec);
  };
  soaked.run = [cases, library](std::uint64_t seed, const sim::RunOptions& run) {
    sim::RegressionResult named;
    named.seed = seed;
    return sim::run_network_regression(std::move(named), cases(seed), library, run).result;
  };
  soaked.commands = [cases, &options, shape = spec->shape](std::uint64_t seed) {
    std::vector<std::string> commands;
    for (const sim::NetworkCase& network_case : cases(seed)) {
      commands.push_back(rerun_command(options, shape, network_case));
    }
    return commands;
  };
  return soaked;
}

/// Reads the regression of a chunk and builds its model. Only whole suites with one seed each make
/// a chunk of a seed.
Soaked read_chunk(const SimOptions& options, const Invocation& invocation) {
  const std::string& path = options.config;
  std::string text = common::read_text_file(path, common::kMaxYamlBytes);
  if (sim::dut_of_regression(text, path) == "noc") {
    if (!invocation.parts.soak_noc) fail_not_in_this_build("soak of a network of any topology");
    Soaked soaked;
    invocation.parts.soak_noc(options, text, invocation, soaked);
    return soaked;
  }
  const sim::ModelStore store(invocation.root, options.models);
  return sim::is_network_regression(text, path) ? soaked_network(options, std::move(text), store)
                                                : soaked_topo(options, std::move(text), store);
}

Outcome conclude(const sim::Soak& soak, const SimOptions& options,
                 const common::ReportEnvelope& header, bool interrupted) {
  print("{}", sim::soak_summary(soak, *options.packets));
  if (soak.chunks != 0) {
    common::write_file_atomically(options.report + "/links.txt", sim::soak_links(soak));
    print("links: {}\n", common::shell_quote(options.report + "/links.txt"));
    const std::string page = options.report + "/soak.html";
    common::write_file_atomically(page, plot::page_of(sim::kSoakReport, soak_report(soak, header)));
    print("page: {}\n", common::shell_quote(page));
  }
  if (interrupted) {
    print_error(fmt::format("interrupted; the same command with --resume continues with seed {}",
                            soak.next_seed()));
    return Outcome::Interrupted;
  }
  const Outcome outcome = sim::outcome_of(soak);
  print("{}  {} packets, {} of {} not passed\n", outcome == Outcome::Pass ? "PASS" : "FAIL",
        sim::short_count(soak.packets), sim::grouped(soak.failing_cases),
        sim::counted(soak.cases, "case"));
  return outcome;
}

}  // namespace

Outcome soak(const SimOptions& options, const Invocation& invocation) {
  const common::InterruptGuard guard;
  check_engine(options.parts, invocation, options.report + "/soak");
  Soaked soaked = read_chunk(options, invocation);
  common::ensure_directory(options.report);
  if (options.parts.is_task()) soaked.seed = options.seed.value();
  Chunks chunks(options, invocation, soaked);
  if (options.parts.is_task()) (void)chunks.run(soaked.seed, kMostChunks);
  sim::Soak soak = begin_soak(options, soaked);

  common::ReportEnvelope header;
  header.revision = source_revision();
  header.command = invocation.command_line();
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t before = soak.packets;
  bool interrupted = false;
  chunks.packets() = soak.packets;
  const auto goal = static_cast<double>(std::max(*options.packets, before) - before);
  const common::Progress progress([&] {
    const std::uint64_t packets = chunks.packets();
    const auto done = static_cast<double>(packets - before);
    return common::ProgressState{goal == 0 ? 1.0 : done / goal,
                                 fmt::format("{}/{} packets", sim::short_count(packets),
                                             sim::short_count(*options.packets))};
  });
  const auto wanted = [&] {
    return soak.packets < *options.packets && soak.failing_cases < sim::Soak::kKeptFailures &&
           (!options.fail_fast || soak.failing_cases == 0);
  };
  for (std::uint64_t left = options.seeds.value_or(std::numeric_limits<std::uint64_t>::max());
       left > 0 && wanted() && !interrupted;) {
    const std::uint64_t first = soak.next_seed();
    const Chunks::Results results =
        chunks.run(first, std::min(left, chunks_at_once(options, soak)));
    // The same chunks count as in a run of one after the other.
    for (const auto& result : results) {
      interrupted = !result;
      if (interrupted || !wanted()) break;
      const std::uint64_t seed = soak.next_seed();
      soak.add(*result);
      --left;
      const double seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      print("seed {}: {}, {} packets in all, {} packets/s\n", seed, common::name(result->outcome),
            sim::short_count(soak.packets),
            sim::short_count(
                static_cast<std::uint64_t>(static_cast<double>(soak.packets - before) / seconds)));
    }
    chunks.packets() = soak.packets;
    if (soak.next_seed() != first) {
      common::write_report(state_of(options), soak_report(soak, header));
    }
    std::fflush(stdout);
  }
  return conclude(soak, options, header, interrupted);
}

}  // namespace kernbench::cli
