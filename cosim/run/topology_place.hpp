#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kernbench::cosim {

/// Throws common::BadInput that points at a key of a topology file, each of `keys` below the one
/// before; where the file does not say a key, at the last one that it says. The file has been read
/// before without an error.
[[noreturn]] void reject_topology(const std::string& file, std::span<const std::string_view> keys,
                                  const std::string& message, const std::string& hint);

}  // namespace kernbench::cosim
