// SPDX-License-Identifier: Apache-2.0
// Applies every mutant of a list to a copy of the RTL, builds it and runs the regression on it. A
// mutant that passes the regression has survived, which shows a gap in the checkers.
#include <fmt/format.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cereal/types/set.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <string_view>

#include "common/atomic_file.hpp"
#include "common/diagnostics.hpp"
#include "common/fill_in_parts.hpp"
#include "common/outcome.hpp"
#include "common/places.hpp"
#include "common/report_envelope.hpp"
#include "common/text_file.hpp"
#include "farm/cluster_parts.hpp"
#include "mutant_list.hpp"
#include "tests/places.hpp"

namespace kernbench::mutants {
namespace {

namespace fs = std::filesystem;
using common::Outcome;

struct Options {
  std::string list = places::source("/tests/mutants/mutants.yaml");
  std::string rtl = places::source("/rtl");
  std::string config = places::source("/configs/regressions/mutants.yaml");
  std::string full_config = places::source("/configs/regressions/mutants-8x8.yaml");
  std::string kernbench;
  std::string work = "build/mutants";
  std::string only;
  unsigned jobs = 2;
  std::string deep;    // list of triggers and effects; empty: `list`
  unsigned seeds = 1;  // of a deep list, from `seed` on
  std::uint64_t seed = 1;
  unsigned slice = 0;  // number of mutants, spread evenly over the list; 0: all
  std::string
      engine;  // name of an engine of configs/engines/ or a file, and its options; empty: here
  std::string part;                // of a task of an engine, as farm::OnePart reads it
  std::vector<std::string> words;  // of the command line, without the engine
};

enum class Fate { Killed, Survived, Broken };

struct Verdict {
  const Mutant* mutant = nullptr;
  Fate fate = Fate::Broken;
  std::set<std::string> killers;  ///< checkers that noticed it
  std::string note;               ///< why the mutant could not be run
  double seconds = 0.0;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(fate, killers, note, seconds);
  }
};

std::set<std::string> killers_in(const std::string& report) {
  std::set<std::string> killers;
  const auto envelope = common::read_report(report, "regression");
  for (const auto& one : envelope.data.at("cases")) {
    for (const auto& checker : one.at("checkers")) {
      if (checker.at("failures").get<std::uint64_t>() != 0) {
        killers.insert(checker.at("name").get<std::string>());
      }
    }
  }
  return killers;
}

std::string last_line(const std::string& path) {
  std::string text = common::read_text_file(path);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Runs the program, with its output in a log. Returns its exit code.
int run_kernbench(const Options& options, const std::string& arguments, const std::string& log) {
  const std::string command = fmt::format("'{}' {} > '{}' 2>&1", options.kernbench, arguments, log);
  const int status = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe,cert-env33-c)
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Runs the regression on RTL, in a model below `models`. Returns the exit code.
int simulate(const Options& options, const std::string& config, const fs::path& rtl,
             const fs::path& models, const fs::path& folder, const std::string& further) {
  return run_kernbench(options,
                       fmt::format("sim '{}' --rtl-dir '{}' --models '{}' --report "
                                   "'{}/report' --waves off --jobs 1{}",
                                   config, rtl.string(), models.string(), folder.string(), further),
                       folder / "log");
}

/// Chooses the mutant N of plant_together(), whose structure is that of no sound RTL.
std::string choice(unsigned number) {
  return fmt::format(" --no-structure --plusarg mutant={}", number);
}

fs::path together(const Options& options) {
  return fs::absolute(options.work) / "together";
}

/// Builds the model of the mutants with a number. Throws std::runtime_error if it fails without
/// one.
void build_together(const std::vector<Mutant>& mutants, const Options& options) {
  if (std::none_of(mutants.begin(), mutants.end(), [](const Mutant& m) { return m.number != 0; })) {
    return;
  }
  const fs::path folder = together(options);
  plant_together(mutants, options.rtl, folder / "rtl");
  const int code =
      simulate(options, options.config, folder / "rtl", folder / "models", folder, choice(0));
  if (code != common::exit_code(Outcome::Pass)) {
    throw std::runtime_error(fmt::format("the RTL with all mutants and none chosen fails: {}",
                                         last_line(folder / "log")));
  }
}

Verdict judge(const Mutant& mutant, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const fs::path folder = fs::absolute(fmt::format("{}/{}", options.work, mutant.id));
  plant(mutant, options.rtl, folder / "rtl");
  Verdict verdict;
  verdict.mutant = &mutant;
  const int mismatch = common::exit_code(Outcome::Mismatch);
  // The structure of mutants in one model tells nothing, so each is checked by itself. A slice
  // leaves that out, and builds no model of another mutant whose structure tells.
  if ((mutant.number != 0) != (options.slice != 0)) {
    const int code = run_kernbench(
        options, fmt::format("structure --rtl-dir '{}/rtl'", folder.string()), folder / "log");
    if (code == mismatch) verdict.killers.insert("structure");
  }
  int code = mismatch;
  if (mutant.number != 0) {
    code = simulate(options, options.config, together(options) / "rtl",
                    together(options) / "models", folder, choice(mutant.number));
  } else if (verdict.killers.empty()) {
    code = simulate(options, mutant.full_size ? options.full_config : options.config,
                    folder / "rtl", folder / "models", folder, "");
  }

  const std::set<int> killed = {mismatch, common::exit_code(Outcome::Timeout),
                                common::exit_code(Outcome::Deadlock)};
  if (code == common::exit_code(Outcome::Pass)) {
    verdict.fate = verdict.killers.empty() ? Fate::Survived : Fate::Killed;
  } else if (killed.count(code) != 0) {
    if (fs::exists(folder / "report"))
      verdict.killers.merge(killers_in(folder / "report/report.json"));
    // A run that only checked nothing has the exit code of a mismatch.
    const bool noticed = !verdict.killers.empty() || code != mismatch;
    verdict.fate = noticed ? Fate::Killed : Fate::Broken;
    if (!noticed) verdict.note = fmt::format("exit code {}: no checker failed", code);
  } else {
    verdict.note = fmt::format("exit code {}: {}", code, last_line(folder / "log"));
  }
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (verdict.fate != Fate::Broken) fs::remove_all(folder);  // keep a broken one for inspection
  return verdict;
}

bool as_expected(const Verdict& verdict) {
  if (verdict.mutant->by_chance) return verdict.fate != Fate::Broken;
  return verdict.mutant->survives.empty() ? verdict.fate == Fate::Killed
                                          : verdict.fate == Fate::Survived;
}

std::string describe(const Verdict& verdict) {
  const Mutant& mutant = *verdict.mutant;
  switch (verdict.fate) {
    case Fate::Killed:
      return fmt::format("{} by {}",
                         mutant.survives.empty() ? "killed" : "KILLED, listed as surviving,",
                         fmt::join(verdict.killers, ", "));
    case Fate::Survived:
      if (mutant.by_chance) return "survives: this length is reached by chance";
      return mutant.survives.empty() ? "SURVIVED" : "survives, as explained: " + mutant.survives;
    case Fate::Broken:
      break;
  }
  return "BROKEN, " + verdict.note;
}

/// Returns what runs the mutants elsewhere; null without an engine.
std::unique_ptr<common::Parts> parts_of(const Options& options) {
  if (!options.part.empty()) return std::make_unique<farm::OnePart>(options.part);
  if (options.engine.empty()) return nullptr;
  farm::ClusterSettings settings;
  std::istringstream words(options.engine);
  std::string name;
  words >> name;
  for (std::string word; words >> word;) settings.further.push_back(word);
  settings.engine = farm::read_engine(
      name.ends_with(".yaml") ? name : places::source("/configs/engines/") + name + ".yaml");
  return std::make_unique<farm::ClusterParts>(
      farm::Work{.kernbench = fs::absolute(options.kernbench).string(),
                 .program = common::running_program().string(),
                 .folder = fs::current_path()},
      options.words, settings, fs::path(options.work) / "mutants");
}

std::vector<Verdict> judge_all(const std::vector<Mutant>& mutants, const Options& options) {
  std::vector<Verdict> verdicts(mutants.size());
  std::mutex print;
  const auto judged = [&](std::size_t i) {
    verdicts[i].mutant = &mutants[i];
    const std::scoped_lock lock(print);
    fmt::print("{:<30} {:<22} {:6.1f} s  {}\n", mutants[i].id, mutants[i].kind, verdicts[i].seconds,
               describe(verdicts[i]));
    std::fflush(stdout);
  };
  const auto compute = [&](std::size_t i) {
    verdicts[i] = judge(mutants[i], options);
    judged(i);
    return true;
  };
  const auto parts = parts_of(options);
  common::fill_in_parts(parts.get(), options.jobs, verdicts, compute, judged);
  return verdicts;
}

std::vector<Mutant> chosen(std::vector<Mutant> all, const Options& options) {
  if (!options.only.empty()) {
    std::erase_if(all, [&](const Mutant& mutant) { return mutant.id != options.only; });
    if (all.empty()) throw common::BadInput(fmt::format("no mutant '{}'", options.only));
  }
  if (options.slice == 0 || options.slice >= all.size()) return all;
  // A full-size build takes minutes, too long for a slice.
  std::erase_if(all, [](const Mutant& mutant) { return mutant.full_size; });
  if (all.empty()) return all;
  std::vector<Mutant> some;
  for (std::size_t i = 0; i < options.slice; ++i)
    some.push_back(all[i * all.size() / options.slice]);
  return some;
}

void print_summary(const std::vector<Verdict>& verdicts) {
  std::map<std::string, std::pair<unsigned, unsigned>> kinds;  // kind -> killed, all
  std::map<std::string, std::pair<unsigned, unsigned>>
      killers;  // checker -> killed, killed by no other
  for (const Verdict& verdict : verdicts) {
    auto& [killed, all] = kinds[verdict.mutant->kind];
    killed += verdict.fate == Fate::Killed ? 1 : 0;
    ++all;
    for (const std::string& killer : verdict.killers) {
      ++killers[killer].first;
      if (verdict.killers.size() == 1) ++killers[killer].second;
    }
  }
  fmt::print("\n{:<24} {:>6} {:>4}\n", "kind of error", "killed", "of");
  for (const auto& [kind, count] : kinds) {
    fmt::print("{:<24} {:>6} {:>4}\n", kind, count.first, count.second);
  }
  fmt::print("\n{:<24} {:>6} {:>11}\n", "checker", "kills", "only killer");
  for (const auto& [killer, count] : killers) {
    fmt::print("{:<24} {:>6} {:>11}\n", killer, count.first, count.second);
  }
}

/// Prints for each drawn error how many of its seeds the regression noticed, and how many of those
/// only the structure check, which runs nothing.
void print_rates(const std::vector<Verdict>& verdicts) {
  struct Rate {
    unsigned seeds = 0, killed = 0, by_structure = 0;
  };
  std::map<std::string, Rate> rates;
  for (const Verdict& verdict : verdicts) {
    if (verdict.mutant->drawn_from.empty()) continue;
    Rate& rate = rates[verdict.mutant->drawn_from];
    ++rate.seeds;
    rate.killed += verdict.fate == Fate::Killed ? 1 : 0;
    rate.by_structure += verdict.killers == std::set<std::string>{"structure"} ? 1 : 0;
  }
  if (rates.empty()) return;
  fmt::print("\n{:<40} {:>6} {:>4} {:>18}\n", "drawn error", "killed", "of", "by structure alone");
  for (const auto& [name, rate] : rates) {
    fmt::print("{:<40} {:>6} {:>4} {:>18}\n", name, rate.killed, rate.seeds, rate.by_structure);
  }
}

int run(const Options& options) {
  std::vector<Mutant> all;
  if (options.deep.empty()) {
    all = load_mutants(options.list, options.rtl);
    number(all, options.rtl);
  }
  for (unsigned i = 0; !options.deep.empty() && i < options.seeds; ++i) {
    for (Mutant& mutant : draw_mutants(options.deep, options.rtl, options.seed + i)) {
      all.push_back(std::move(mutant));
    }
  }
  const std::vector<Mutant> mutants = chosen(std::move(all), options);
  if (mutants.empty()) throw common::BadInput("there is no mutant to judge");
  common::ensure_directory(options.work);
  if (options.part.empty()) build_together(mutants, options);
  const std::vector<Verdict> verdicts = judge_all(mutants, options);
  print_summary(verdicts);
  print_rates(verdicts);
  const auto wrong = std::count_if(verdicts.begin(), verdicts.end(),
                                   [](const Verdict& v) { return !as_expected(v); });
  fmt::print("\n{} mutants, {} not as expected\n", verdicts.size(), wrong);
  return common::exit_code(wrong == 0 ? Outcome::Pass : Outcome::Mismatch);
}

}  // namespace
}  // namespace kernbench::mutants

int main(int argc, char** argv) {
  kernbench::mutants::Options options;
  CLI::App app("Runs the regression on deliberately broken RTL");
  app.add_option("--list", options.list);
  app.add_option("--rtl", options.rtl);
  app.add_option("--config", options.config, "regression on the 8x3 fabric");
  app.add_option("--full-config", options.full_config, "regression on the 8x8 fabric");
  app.add_option("--kernbench", options.kernbench)->required();
  app.add_option("--work", options.work, "folder for the builds");
  app.add_option("--only", options.only, "one mutant");
  app.add_option("--deep", options.deep, "list of triggers and effects, in place of --list");
  app.add_option("--seed", options.seed, "first seed of a list of triggers and effects");
  app.add_option("--seeds", options.seeds, "number of seeds")->check(CLI::Range(1U, 1000U));
  app.add_option("--jobs", options.jobs)->check(CLI::Range(1U, 64U));
  app.add_option("--slice", options.slice, "this many, spread over the list");
  app.add_option("--engine", options.engine,
                 "spread over the nodes of an engine; further words are for its submit command");
  app.add_option("--part", options.part, "judge one mutant, in a task of an engine");
  CLI11_PARSE(app, argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--engine") {
      ++i;
    } else {
      options.words.emplace_back(argv[i]);
    }
  }
  try {
    return kernbench::mutants::run(options);
  } catch (const kernbench::common::PartComputed&) {
    return kernbench::common::exit_code(kernbench::common::Outcome::Pass);
  } catch (const kernbench::common::PartsInterrupted&) {
    return kernbench::common::exit_code(kernbench::common::Outcome::Interrupted);
  } catch (const kernbench::common::BadInput& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kernbench::common::exit_code(kernbench::common::Outcome::BadInput);
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}\n", error.what());
    return kernbench::common::exit_code(kernbench::common::Outcome::InternalError);
  }
}
