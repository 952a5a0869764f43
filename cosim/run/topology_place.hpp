// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kernbench::cosim {

/// Throws common::BadInput with the position of a key in a topology file. `keys` is the path to the
/// key; if the file omits a key, the position is that of the last one present. The file must have
/// been read before without an error.
[[noreturn]] void reject_topology(const std::string& file, std::span<const std::string_view> keys,
                                  const std::string& message, const std::string& hint);

}  // namespace kernbench::cosim
