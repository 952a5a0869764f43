// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/line/check.hpp"

namespace kernbench::cli {

/// Checks the name of a picture to write, whose suffix, if it has one, chooses its format: .svg,
/// .pdf or .png.
[[nodiscard]] Check output_picture();

/// Writes a picture, given as SVG, in the format of the suffix of `path`; "-" is standard output.
/// PDF and PNG are made by rsvg-convert of librsvg. Throws common::BadInput if that program is
/// missing or the file cannot be written.
void write_picture(const std::string& path, const std::string& svg);

}  // namespace kernbench::cli
