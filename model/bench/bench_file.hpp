// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/algorithm_file.hpp"

namespace kernbench::model::bench {

// A bench can be in a file of another language: find_bench() takes "bench.py", and "bench.py:NAME"
// of several.

/// The benches of a file, and the files that it is made of.
struct BenchFile {
  std::vector<std::string> benches;  ///< names, in the order of the file
  std::vector<std::string> files;    ///< itself, and those below its folder that it imports
  std::map<std::string, std::string> hashes{};  ///< ccl::source_hashes() of the files
};

/// A language in which files state benches, and algorithms of collectives. A plugin that brings its
/// interpreter registers it.
struct BenchLanguage {
  std::string_view ending;  ///< end of the names of files, such as ".py"
  /// Registers the benches of a file. Throws common::BadInput.
  BenchFile (*read)(const std::string& path) = nullptr;
  ccl::ReadAlgorithm read_algorithm = nullptr;
};

/// Registers a language when its plugin is loaded.
class KERNBENCH_API BenchLanguageRegistration {
 public:
  explicit BenchLanguageRegistration(const BenchLanguage& language);
};

/// Returns true for the name of a bench that is a file: "bench.py" or "bench.py:NAME".
[[nodiscard]] bool is_bench_file(std::string_view name);

/// Registers the benches of a file, if it was not read before, and returns the name of the one that
/// `name` chooses: the only one of "bench.py", or NAME of "bench.py:NAME". Throws
/// common::BadInput.
[[nodiscard]] std::string bench_of_file(const std::string& name);

/// Returns hashes of the files of a registered bench when they were read, by the path of each from
/// the folder of the file with the bench; none for a bench that is not of a file.
[[nodiscard]] std::map<std::string, std::string> sources_of(const std::string& bench);

/// Returns the files of a bench that is_bench_file(), and reads them if need be. Throws
/// common::BadInput.
[[nodiscard]] const std::vector<std::string>& files_of_bench(const std::string& name);
/// Returns the files of a bench of a folder by its name; none for one that is not of a file.
[[nodiscard]] std::vector<std::string> files_of_registered(const std::string& bench);

/// Registers the benches of all files in these folders but those whose names begin with _ or a dot,
/// in the order of the names. Throws common::BadInput.
void read_bench_folders(const std::vector<std::string>& folders);

}  // namespace kernbench::model::bench
