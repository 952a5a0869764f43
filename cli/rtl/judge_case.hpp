// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "cli/base/command.hpp"
#include "common/temporary_files.hpp"

namespace kernbench::cli {

/// Verdict of a run of a case. Unknown: it did not build or could not run.
enum class Verdict { Good, Bad, Unknown };

/// Returns "passes", "fails" or "not judged".
[[nodiscard]] const char* text_of(Verdict verdict);

/// Runs the command of a failure, word by word, in a folder, as a process of its own. Its reports
/// stay in the scratch folder, and models in the user's cache of models.
[[nodiscard]] Verdict judge(const Words& own, const Invocation& invocation,
                            const std::filesystem::path& folder,
                            const common::TemporaryFolder& scratch);

}  // namespace kernbench::cli
