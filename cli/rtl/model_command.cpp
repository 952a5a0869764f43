// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/base/command.hpp"
#include "cli/base/console.hpp"
#include "common/diagnostics.hpp"
#include "common/file_lock.hpp"
#include "common/progress.hpp"
#include "sim/build/model_builder.hpp"

namespace kernbench::cli {
namespace {

using common::Outcome;

struct ModelOptions {
  std::vector<std::string> settings;
  std::string out;
  bool design = false;
};

Outcome build_model(const ModelOptions& options, const Invocation& invocation) {
  sim::BuildSettings settings = sim::settings_of_environment();
  common::Diagnostics wrong;
  for (const std::string& word : options.settings) {
    try {
      sim::set(settings, word, invocation.root + "/rtl/topo.f");
    } catch (const common::BadInput& error) {
      for (const common::Diagnostic& diagnostic : error.diagnostics().errors()) {
        wrong.error(diagnostic.position, diagnostic.message, diagnostic.hint);
      }
    }
  }
  wrong.throw_if_any();
  const std::string what = fmt::format("the model in {}", options.out);
  sim::ModelBuilder builder(invocation.root, options.out, settings, what);
  const common::FileLock lock(builder.folder() / ".lock", "builds this model");
  const common::Progress progress([&what] {
    return common::ProgressState{std::nullopt, "building " + what};
  });
  if (options.design) {
    (void)builder.elaborate();
    return Outcome::Pass;
  }
  builder.build();
  print("{}\n", builder.library().lexically_relative(std::filesystem::current_path()).string());
  return Outcome::Pass;
}

}  // namespace

void add_model_command(Command& program, const Invocation& invocation) {
  const auto options = std::make_shared<ModelOptions>();
  Command& command = program.add_command(
      "model", "Build a verilated model with settings of its own, for --model and benchmarks");
  command.add_option("SETTING", options->settings,
                     "NAME=VALUE; the names and values are those of Makefile.verilator");
  command.add_option("-o,--output", options->out, "Folder of the model")
      .required()
      .check(output_folder({"lib*.so"}));
  command.add_flag("--design", options->design, "Elaborate the design alone: no model");
  command.footer =
      "Examples:\n"
      "  kernbench model NX=4 NY=2 CHECKERS=0 --output build/models/4x2-bare\n"
      "  kernbench model COVERAGE=line,toggle --output build/models/covered   for --code-coverage\n"
      "  kernbench model DEVICE=network NX=4 NY=3 NODE_CHECKERS=1 --output build/models/nodes";
  command.run = [options, &invocation] { return build_model(*options, invocation); };
}

}  // namespace kernbench::cli
