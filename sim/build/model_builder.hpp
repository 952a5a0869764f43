// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/child_process.hpp"
#include "sim/build/assertion_count.hpp"
#include "sim/build/build_plan.hpp"
#include "sim/build/build_settings.hpp"
#include "sim/build/manifest.hpp"

namespace kernbench::sim {

/// Hashes of the contents of files by their path; empty for a file that is not there.
using SourceState = std::map<std::filesystem::path, std::string>;

/// Builds one model into a folder, which it creates:
///
///     libmaze_model.so   the library; libnetwork_model.so and libirs_bench.so of the other devices
///     manifest           the hash of the build, and of every file that it read
///     settings           from which another build of the same model starts
///     names              names of the build and the user's paths (SourceNames)
///     build.log          what Verilator and the compiler printed last, in the user's names
///     verilate.log       what Verilator printed
///     notes              what the hash does not cover
///     dump/              the elaborated design with a manifest of its own, `stamp`; and the design
///                        as tools see it whose macros the RTL asks for (other_tools.hpp)
///
/// Verilator and make run without a shell in a private folder inside it and see relative names
/// only. Results move into place when they are whole, so a failed or killed build leaves the
/// former model. Two builders of one folder must not run at once (common::FileLock).
class ModelBuilder {
 public:
  /// `root` contains rtl/, tb/ and sim/. `what` is for messages, such as "the 8x8 TOPO model".
  /// Throws common::BadInput for settings that cannot be built.
  ModelBuilder(const std::string& root, const std::filesystem::path& folder, BuildSettings settings,
               std::string what);

  /// Returns true if the library was built of the files, flags and tools that a build would read
  /// now.
  [[nodiscard]] bool is_current() const { return !current_hash().empty(); }
  /// Returns the hash of the library's build if is_current(), else an empty text.
  [[nodiscard]] std::string current_hash() const;
  /// Returns the hash of the build that the folder tells of if its files, flags and tools are still
  /// those of today, else an empty text. The library may have another name or be gone.
  [[nodiscard]] std::string source_hash() const;
  /// Returns the files that the last builds of the folder have read or looked for, and those that
  /// the settings name, as they are now.
  [[nodiscard]] SourceState sources() const;
  /// Builds the library, and the dump if the device has one, unless they are current. A design that
  /// Verilator cannot dump is not an error here. Throws common::BadInput when the build fails, and
  /// removes what it has left.
  void build();
  /// Elaborates the design alone unless its dump is current. Returns the hash of the dump. Throws
  /// common::BadInput when that fails.
  std::string elaborate();

  /// Takes over the model of another folder, which was built of equal files elsewhere. Returns
  /// false if that model is not current here.
  bool adopt(const std::filesystem::path& other) const;

  /// Returns the hash of all flags, arguments and tools of the model, or of its dump.
  [[nodiscard]] std::string recipe(bool dump) const;
  [[nodiscard]] std::filesystem::path library() const { return folder_ / plan_.library; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  class Private;
  using Clock = std::chrono::system_clock;
  struct Reading {
    Manifest manifest;
    bool changed = false;  ///< one of the files has changed while they were read
  };

  /// Runs a program in a folder of the build. Throws common::BadInput when it fails.
  void run(const Private& place, std::vector<std::string> words, const char* log,
           const std::filesystem::path& folder) const;
  [[noreturn]] void fail(const Private& place, const common::ChildEnd& end) const;
  /// Writes build.log with the user's names, and returns it.
  std::string keep_log(const Private& place) const;
  void require_wave_library(const Private& place) const;

  /// Returns what a run of Verilator that began at `since` has read, by the list that it wrote.
  [[nodiscard]] Reading read_by(const Private& place, const std::filesystem::path& list,
                                const std::vector<std::string>& more, bool dump,
                                Clock::time_point since) const;
  /// Calls `read` again while files change under it. Throws common::BadInput if they go on.
  [[nodiscard]] Manifest settled(const std::function<Reading(Clock::time_point)>& read) const;

  using Words = std::vector<std::string>;
  /// Returns the headers of the bench that the adapter includes.
  [[nodiscard]] Words bench_headers(const Private& place) const;
  /// Compiles a C or C++ file of the user. Returns it and the headers that it includes.
  [[nodiscard]] Words compile_dpi(const Private& place, std::size_t index) const;
  [[nodiscard]] std::string verilator_root() const;
  [[nodiscard]] Manifest verilate(const Private& place) const;
  [[nodiscard]] Manifest dump(const Private& place) const;
  /// Elaborates the design once more for every other tool whose macros its RTL asks for.
  /// `verilator` is the call for a dump without the name of the dump. Returns the files that were
  /// read.
  [[nodiscard]] Words dump_for_other_tools(const Private& place, const Words& verilator) const;
  /// Counts the checks that the RTL has.
  [[nodiscard]] AssertionCount assertions(const Private& place) const;
  void compile(const Private& place, const std::string& hash) const;
  void install_dump(const Private& place, Manifest manifest, const std::string& hash) const;
  std::string current_dump();
  /// Returns false, and leaves nothing, if a source changed while the model was compiled.
  bool build_once() const;

  std::filesystem::path folder_;
  BuildSettings settings_;
  BuildPlan plan_;
  std::string what_;
};

}  // namespace kernbench::sim
