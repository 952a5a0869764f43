// SPDX-License-Identifier: Apache-2.0
#include "sim/build/build_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace kernbench::sim {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void add(Words& words, std::initializer_list<std::string> more) {
  words.insert(words.end(), more);
}
void add(Words& words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string below_root(std::string_view path) {
  return fmt::format("{}/{}", kRootName, path);
}

/// Returns the name of a path if a makefile can have it, else a name of ours with its suffix.
std::string plain_name(const fs::path& path) {
  const auto is_plain = [](const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
             std::string_view("._-").find(c) != std::string_view::npos;
    });
  };
  if (is_plain(path.filename().string())) return path.filename().string();
  const std::string suffix = path.extension().string();
  return is_plain(suffix) ? "source" + suffix : "source";
}

/// Gives other RTL names of the build folder, and adds the arguments that name it.
void add_other_rtl(BuildPlan& plan, const RtlSources& rtl) {
  Words& words = plan.design_sources;
  for (const std::string& define : rtl.defines) words.push_back("-D" + define);
  const auto name_folder = [&](const std::string& folder) {
    std::string name = fmt::format("kb_inc/{}", plan.searched.size());
    plan.names.add(name, folder);
    plan.searched.push_back(name);
    return name;
  };
  int files = 0;
  const auto name_file = [&](const std::string& file) {
    std::string name = fmt::format("kb_src/{}/{}", files++, plain_name(file));
    plan.names.add(name, file);
    return name;
  };
  for (const std::string& folder : rtl.include_dirs) words.push_back("-I" + name_folder(folder));
  for (const std::string& suffix : rtl.library_suffixes) {
    words.push_back("+libext+" + suffix);
    plan.suffixes.push_back(suffix);
  }
  for (const std::string& folder : rtl.library_dirs) add(words, {"-y", name_folder(folder)});
  for (const std::string& file : rtl.library_files) add(words, {"-v", name_file(file)});
  for (const std::string& file : rtl.files) words.push_back(name_file(file));
  for (const std::string& file : rtl.dpi_files) {
    // Beside its own folder, in which its headers are.
    const std::string name = fmt::format("kb_dpi/{}", plan.dpi.size());
    plan.dpi.push_back(name + "_" + plain_name(file));
    plan.names.add(plan.dpi.back(), file);
    plan.names.add(name, fs::path(file).parent_path());
  }
}

/// Arguments of every model and dump. Warnings are `lint`'s business: it judges the same sources
/// with -Wall. A model of somebody else's RTL has to build in spite of them, so here they do not
/// stop Verilator (-Wno-fatal), and those of lint and style are not printed.
Words common_arguments(bool assertions) {
  return {assertions ? "--assert" : "--noassert",
          "--no-timing",
          "--timescale",
          "1ns/1ns",
          "-Wno-fatal",
          "-Wno-lint",
          "-Wno-style"};
}

/// Files of a model in operations (--output-split), unless each has to read a long header.
constexpr unsigned kSplit = 30'000;

/// Flops start with random bits, so that a lost reset shows. Verilator 5.006 assigns a constant of
/// more words than --expand-limit by functions that leave its highest words unset if they are 0,
/// and clear what lies behind the variable.
Words model_arguments(bool assertions, unsigned split) {
  Words words = common_arguments(assertions);
  add(words, {"--expand-limit", "1000000"});
  add(words, {"--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--output-split",
              std::to_string(split), "--output-split-cfuncs", "3000"});
  return words;
}

/// The models of one process must not see each other: hidden symbols, and none that the loader
/// makes unique. Warnings of the C++ compiler concern code that Verilator wrote (-w).
Words compile_flags(const BuildSettings& settings) {
  Words flags = {"-std=c++20",
                 "-fPIC",
                 "-w",
                 "-DVL_TIME_CONTEXT",
                 "-fvisibility=hidden",
                 "-fvisibility-inlines-hidden"};
  if (settings.cxx.find("clang") == std::string::npos) flags.emplace_back("-fno-gnu-unique");
  // The adapter receives the text of the RTL, and its calls of $finish.
  add(flags, {fmt::format("-I../{}", kRootName), "-include", "sim/dut/rtl_print.hpp"});
  return flags;
}

Words shape_macros(const maze::Shape& shape) {
  return {fmt::format("-DKB_NX={}", shape.nx), fmt::format("-DKB_NY={}", shape.ny),
          fmt::format("-DKB_FLIT_W={}", shape.flit_w)};
}

/// Adds what all models have in common.
void add_common(BuildPlan& plan, const BuildSettings& settings) {
  plan.link = {"-shared", "-Wl,-Bsymbolic", "-Wl,--version-script=exports.map", "-latomic"};
  // OPT: of what runs in every cycle. What runs once is not worth optimising.
  plan.make = {"OPT_FAST=" + settings.opt, "OPT_GLOBAL=-O2", "OPT_SLOW=-O0", "CXX=" + settings.cxx,
               "LINK=" + settings.cxx};
}

/// Lets the model count the code coverage that the settings ask for, and tells the adapter whether
/// it does.
void add_coverage(BuildPlan& plan, const BuildSettings& settings) {
  const bool line = settings.coverage.find("line") != std::string::npos;
  const bool toggle = settings.coverage.find("toggle") != std::string::npos;
  if (line) plan.model.emplace_back("--coverage-line");
  if (toggle) plan.model.emplace_back("--coverage-toggle");
  plan.compile.push_back(fmt::format("-DKB_COVERAGE={}", line || toggle ? 1 : 0));
}

void plan_topo(BuildPlan& plan, const BuildSettings& settings) {
  const maze::Shape& shape = settings.shape;
  const bool checkers = settings.checkers && !settings.baseline && !settings.primitive;
  const std::string tb = settings.baseline ? "benchmarks/baseline_rtl" : "tb";
  const std::string top =
      settings.primitive ? "tb/primitive/maze_tb_top.sv" : tb + "/maze_tb_top.sv";
  plan.prefix = "Vmaze_tb_top";
  plan.library = "libmaze_model.so";
  plan.adapter = below_root("sim/dut/verilated_maze_dut.cpp");
  plan.exports = {"kernbench_dut_abi", "kernbench_create_dut"};
  plan.has_dump = !settings.baseline && !settings.primitive && !settings.trace;

  Words macros = shape_macros(shape);
  // A traced model shows beside its signals what the bench expects (ports of tb/maze_tb_top.sv).
  if (settings.trace && !settings.baseline) macros.emplace_back("-DKB_NOTES=1");
  plan.design = {"--top-module", "maze_tb_top"};
  add(plan.design, macros);
  // The sign-off shape is built without parameters, so that a TOPO that has none can take part.
  if (shape == maze::Shape{}) plan.design.emplace_back("-DKB_SIGN_OFF_SHAPE");

  // Every C++ file includes one header that names all signals, 53 MB of them at 16x16. At 8x8, 46
  // files took 165 s of processor time, 25 take 120 s, and 6 long ones still keep as many cores
  // busy. A network gains nothing.
  const unsigned split = std::clamp(shape.nx * shape.ny * 2'500, kSplit, 400'000U);
  plan.model = model_arguments(settings.assertions, split);
  if (checkers) add(plan.model, {"-DKB_CHECKERS", "-DKB_CHECKERS_DPI"});
  if (settings.trace) add(plan.model, {"--trace-fst", "--no-trace-params"});

  for (const char* config : {"tb/lint.vlt", "tb/trace.vlt", "tb/coverage.vlt"}) {
    plan.design_sources.push_back(below_root(config));
  }
  const std::size_t start = plan.design_sources.size();
  if (settings.baseline) {
    for (const char* file : {"pkt_con_if.sv", "irs_half.sv", "irs_lp.sv", "irs_n.sv", "topo.sv"}) {
      plan.design_sources.push_back(below_root(tb + "/" + file));
    }
  } else if (settings.rtl.empty()) {
    add(plan.design_sources, {"-F", below_root("rtl/topo.f")});
  } else {
    add_other_rtl(plan, settings.rtl);
  }
  plan.rtl.assign(plan.design_sources.begin() + static_cast<std::ptrdiff_t>(start),
                  plan.design_sources.end());
  plan.model_sources = plan.design_sources;
  plan.design_sources.push_back(below_root(top));
  if (checkers) {
    add(plan.model_sources, {below_root("tb/checker_pkg.sv"), below_root("tb/link_checker.sv")});
  }
  plan.model_sources.push_back(below_root(top));

  plan.compile = compile_flags(settings);
  plan.compile.push_back(fmt::format("-I../{}/{}", kRootName, tb));
  add(plan.compile, macros);
  add(plan.compile, {fmt::format("-DKB_CHECKERS={}", checkers ? 1 : 0),
                     fmt::format("-DKB_TRACE={}", settings.trace ? 1 : 0)});
  add_coverage(plan, settings);
}

void plan_network(BuildPlan& plan, const BuildSettings& settings) {
  const maze::Shape& shape = settings.shape;
  plan.prefix = "Vnetwork_tb_top";
  plan.library = "libnetwork_model.so";
  plan.adapter = below_root("sim/dut/verilated_network_dut.cpp");
  plan.exports = {"kernbench_network_abi", "kernbench_create_network"};

  Words macros = shape_macros(shape);
  add(macros, {fmt::format("-DKB_HIGH_BOUND={}", settings.high_bound),
               fmt::format("-DKB_FIXED={}", settings.fixed ? 1 : 0)});
  // The sign-off shape is built without parameters: MAZE_TOP, in any other MAZE_ARRAY.
  if (shape == maze::Shape{} && settings.high_bound == 16 && !settings.fixed) {
    macros.emplace_back("-DKB_SIGN_OFF_SHAPE");
  }
  if (settings.links) macros.emplace_back("-DKB_LINKS");
  plan.design = {"--top-module", "network_tb_top"};
  add(plan.design, macros);

  plan.model = model_arguments(settings.assertions, kSplit);
  if (settings.trace) add(plan.model, {"--trace-fst", "--no-trace-params", "-DKB_NOTES=1"});

  for (const char* config : {"tb/network.vlt", "tb/coverage.vlt"}) {
    plan.design_sources.push_back(below_root(config));
  }
  // Waves of what is inside the nodes, too, up to 16 nodes.
  if (settings.trace && shape.nx * shape.ny > 16) {
    plan.design_sources.push_back(below_root("tb/network_ports.vlt"));
  }
  const std::size_t start = plan.design_sources.size();
  if (settings.rtl.empty()) {
    add(plan.design_sources, {"-F", below_root("rtl/network/maze.f")});
  } else {
    add_other_rtl(plan, settings.rtl);
  }
  plan.rtl.assign(plan.design_sources.begin() + static_cast<std::ptrdiff_t>(start),
                  plan.design_sources.end());
  plan.design_sources.push_back(below_root("tb/network_tb_top.sv"));
  plan.model_sources = plan.design_sources;
  if (settings.node_checkers) plan.model_sources.push_back(below_root("tb/network_checker.sv"));

  plan.compile = compile_flags(settings);
  add(plan.compile, macros);
  add(plan.compile, {fmt::format("-DKB_SHOW_LINKS={}", settings.links ? 1 : 0),
                     fmt::format("-DKB_CHECKERS={}", settings.node_checkers ? 1 : 0),
                     fmt::format("-DKB_TRACE={}", settings.trace ? 1 : 0)});
  add_coverage(plan, settings);
}

/// A network of any topology. Its RTL is generated, so that it is always other RTL.
void plan_noc(BuildPlan& plan, const BuildSettings& settings) {
  plan.prefix = "Vnoc_tb_top";
  plan.library = "libnoc_model.so";
  plan.adapter = below_root("sim/dut/verilated_noc_dut.cpp");
  plan.exports = {"kernbench_noc_abi", "kernbench_create_noc"};
  const Words macros = {fmt::format("-DKB_NODES={}", settings.nodes),
                        fmt::format("-DKB_CHANNELS={}", settings.channels),
                        fmt::format("-DKB_VCS={}", settings.vcs),
                        fmt::format("-DKB_FLIT_BITS={}", settings.flit_bits)};
  plan.design = {"--top-module", "noc_tb_top"};
  add(plan.design, macros);
  // Not without assertions: the checkers would cost as much.
  const bool wants_checkers = settings.assertions && settings.checkers;
  if (wants_checkers) plan.design.emplace_back("-DNOC_CHECKERS");
  plan.model = model_arguments(settings.assertions, kSplit);
  if (settings.trace) add(plan.model, {"--trace-fst", "--no-trace-params"});
  plan.design_sources.push_back(below_root("tb/coverage.vlt"));
  const std::size_t start = plan.design_sources.size();
  add_other_rtl(plan, settings.rtl);
  plan.rtl.assign(plan.design_sources.begin() + static_cast<std::ptrdiff_t>(start),
                  plan.design_sources.end());
  plan.design_sources.push_back(below_root("tb/noc_tb_top.sv"));
  plan.model_sources = plan.design_sources;
  plan.compile = compile_flags(settings);
  add(plan.compile, macros);
  // Other RTL may have no checkers.
  const bool has_checkers =
      wants_checkers && std::any_of(plan.rtl.begin(), plan.rtl.end(), [](const std::string& file) {
        return file.ends_with("/noc_checkers.sv");
      });
  add(plan.compile, {fmt::format("-DKB_CHECKERS={}", has_checkers ? 1 : 0),
                     fmt::format("-DKB_TRACE={}", settings.trace ? 1 : 0)});
  add_coverage(plan, settings);
}

/// Several IRS_N side by side, which tests/rtl drives itself.
void plan_irs_bench(BuildPlan& plan, const BuildSettings& settings) {
  plan.prefix = "Virs_bench_top";
  plan.library = "libirs_bench.so";
  plan.keeps_headers = true;
  plan.design = {"--top-module", "irs_bench_top"};
  if (settings.irs_primitives) plan.design.emplace_back("-DKB_IRS_PRIMITIVES");
  plan.model = common_arguments(false);
  add(plan.model, {"--cc", "-O3", "--x-initial", "unique"});
  if (settings.rtl.empty()) {
    for (const char* file : {"irs_half.sv", "irs_lp.sv", "irs_n.sv"}) {
      plan.design_sources.push_back(below_root(std::string("rtl/") + file));
    }
  } else {
    add_other_rtl(plan, settings.rtl);
  }
  plan.design_sources.push_back(below_root("tb/irs_bench_top.sv"));
  plan.model_sources = plan.design_sources;
  plan.compile = {"-std=c++20", "-fPIC", "-w", "-DVL_TIME_CONTEXT"};
  plan.link = {"-shared", "-Wl,--whole-archive", "Virs_bench_top__ALL.a", "-Wl,--no-whole-archive"};
}

}  // namespace

BuildPlan plan_build(const BuildSettings& settings, const std::string& root) {
  check(settings);
  BuildPlan plan;
  plan.names.add(kRootName, fs::absolute(root).lexically_normal());
  plan.suffixes = {"", ".v", ".sv"};
  add_common(plan, settings);
  switch (settings.device) {
    case Device::Topo:
      plan_topo(plan, settings);
      break;
    case Device::Network:
      plan_network(plan, settings);
      break;
    case Device::Noc:
      plan_noc(plan, settings);
      break;
    case Device::IrsBench:
      plan_irs_bench(plan, settings);
      break;
  }
  for (std::size_t i = 0; i < plan.dpi.size(); ++i) plan.link.push_back(dpi_object(i));
  return plan;
}

std::string dpi_object(std::size_t index) {
  return fmt::format("kb_dpi_{}.o", index);
}

const std::vector<std::string>& dump_arguments() {
  static const Words kArguments = [] {
    Words words = {"-O0"};
    add(words, common_arguments(false));
    return words;
  }();
  return kArguments;
}

}  // namespace kernbench::sim
