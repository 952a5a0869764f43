// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/api.hpp"
#include "model/ccl/algorithm.hpp"

namespace kernbench::model::ccl {

// ccl.yaml can name an algorithm by a file of another language, such as "center.py". The folder of
// ccl.yaml is the one that its path begins at.

/// Returns hashes of the content of files, by the path of each from the folder of the first one.
/// Throws common::BadInput for a file that cannot be read.
[[nodiscard]] std::map<std::string, std::string> source_hashes(
    const std::vector<std::string>& files);

/// The algorithm of a file, and the files that it is made of.
struct AlgorithmOfFile {
  Algorithm algorithm;
  std::vector<std::string> files;  ///< itself, and those below its folder that it imports
};

/// Returns the algorithm that a file states, with the name `name`. Throws common::BadInput.
using ReadAlgorithm = AlgorithmOfFile (*)(const std::string& path, const std::string& name);
/// Sets what reads such files. To be called before the first ccl.yaml is read.
void read_algorithms_by(ReadAlgorithm read);

/// Returns true for the name of an algorithm that is a file.
[[nodiscard]] bool is_algorithm_file(std::string_view name);
/// Returns the algorithm of a file, which `ccl.yaml` names `name`. A file is read again when it has
/// changed. The algorithm lives as long as the program. Throws common::BadInput.
[[nodiscard]] const Algorithm* algorithm_of_file(const std::filesystem::path& path,
                                                 const std::string& name);
/// Returns the files of an algorithm; none if it is not of a file.
[[nodiscard]] std::vector<std::string> files_of(const Algorithm& algorithm);
/// Returns source_hashes() of the files of an algorithm when it was read; none if it is not of a
/// file.
[[nodiscard]] std::map<std::string, std::string> sources_of(const Algorithm& algorithm);

}  // namespace kernbench::model::ccl
