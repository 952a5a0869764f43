// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Absolute paths of this checkout and its build, which one generated file defines. No other unit
/// has one in its text or flags, so that a compiler cache finds what another clone compiled.
namespace places {

extern const char* const kSource;  // the checkout
extern const char* const kBuild;
extern const char* const kApiInclude;  // the headers for plugins

// Programs and libraries of the build.
extern const char* const kKernbench;
extern const char* const kRtlProgram;  // verifies RTL, and does nothing else
extern const char* const kMistakes;
extern const char* const kReferenceModel;
extern const char* const kReferenceModel3x2;
extern const char* const kReferenceModelStale;
extern const char* const kReferenceNoc;
extern const char* const kNotAModel;

// Folders of the build.
extern const char* const kPlugins;
extern const char* const kCliModels;
extern const char* const kNetworkModels;

/// Returns the path of a file of the checkout, such as "/rtl/topo.f".
inline std::string source(std::string_view file) {
  return std::string(kSource).append(file);
}

}  // namespace places
