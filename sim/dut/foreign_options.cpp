// SPDX-License-Identifier: Apache-2.0
#include "sim/dut/foreign_options.hpp"

#include <algorithm>
#include <array>

namespace kernbench::sim {
namespace {

// Options of Verilator, VCS, Xcelium, Questa and Icarus Verilog, without a second '-' in front. The
// model has a top, a time scale, a language and levels of optimisation of its own. Not here are
// options that choose parameters, other sources or other semantics.

constexpr auto kAlone = std::to_array<std::string_view>({
    "-32",
    "-64",
    "-64bit",
    "-autoflush",
    "-batch",
    "-binary",
    "-build",
    "-c",
    "-cc",
    "-clean",
    "-compile",
    "-coverage",
    "-coverage-line",
    "-coverage-toggle",
    "-coverage-user",
    "-debug",
    "-debug_all",
    "-debug_pp",
    "-elaborate",
    "-exe",
    "-full64",
    "-kdb",
    "-lca",
    "-lint",
    "-lint-only",
    "-linedebug",
    "-main",
    "-messages",
    "-mfcu",
    "-no-assert",
    "-no-timing",
    "-no-trace-params",
    "-noassert",
    "-nolog",
    "-nologo",
    "-nospecify",
    "-notimingcheck",
    "-notimingchecks",
    "-O0",
    "-O1",
    "-O2",
    "-O3",
    "-public",
    "-public-flat-rw",
    "-q",
    "-quiet",
    "-R",
    "-savable",
    "-sc",
    "-stats",
    "-sv",
    "-sverilog",
    "-systemverilog",
    "-timing",
    "-trace",
    "-trace-fst",
    "-trace-params",
    "-trace-structs",
    "-trace-vcd",
    "-update",
    "-v2k",
    "-w",
});

constexpr auto kWithValue = std::to_array<std::string_view>({
    "-access",
    "-cm",
    "-cm_dir",
    "-cm_name",
    "-default-language",
    "-error-limit",
    "-j",
    "-l",
    "-language",
    "-log",
    "-logfile",
    "-max-num-width",
    "-Mdir",
    "-mod-prefix",
    "-nowarn",
    "-o",
    "-output-split",
    "-output-split-cfuncs",
    "-override_timescale",
    "-prefix",
    "-suppress",
    "-threads",
    "-timescale",
    "-top",
    "-top-module",
    "-trace-depth",
    "-trace-threads",
    "-unroll-count",
    "-unroll-stmts",
    "-work",
    "-x-assign",
    "-x-initial",
});

// Any option that begins so.
constexpr auto kPrefixes = std::to_array<std::string_view>({
    "+acc",
    "+cover",
    "+delay_mode_",
    "+libverbose",
    "+lint",
    "+maxdelays",
    "+mindelays",
    "+no_notifier",
    "+nospecify",
    "+notimingcheck",
    "+nowarn",
    "+systemverilogext",
    "+typdelays",
    "+v2k",
    "+vcs+",
    "+verbose",
    "+verilog1995ext",
    "+verilog2001ext",
    "+warn",
    "-debug_access",
    "-debug_region",
    "-Wall",
    "-Werror-",
    "-Wno-",
    "-Wpedantic",
    "-Wwarn-",
});

bool has(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns true for a word that may be the value of an option, and not an option or a file.
bool may_be_value(std::string_view word) {
  return !word.empty() && word[0] != '-' && word[0] != '+' &&
         word.find_first_of("./") == std::string_view::npos;
}

}  // namespace

std::optional<unsigned> words_after_ignored(std::string_view option, std::string_view next) {
  if (option.starts_with("--")) option.remove_prefix(1);
  if (option == "-assert") return may_be_value(next) ? 1 : 0;  // stands alone in Verilator
  if (has(kWithValue, option)) return 1;
  const std::string_view name = option.substr(0, option.find('='));
  const bool ignored =
      has(kAlone, option) || (name != option && has(kWithValue, name)) ||
      std::any_of(kPrefixes.begin(), kPrefixes.end(),
                  [&](std::string_view prefix) { return option.starts_with(prefix); });
  // +1800-2017ext+sv: the language of a suffix.
  const bool language = option.starts_with("+1") && option.find("ext+") != std::string_view::npos;
  if (ignored || language) return 0;
  return std::nullopt;
}

}  // namespace kernbench::sim
