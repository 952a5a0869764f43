// SPDX-License-Identifier: Apache-2.0
// The spec reader takes any bytes: it answers with a spec or throws BadInput, and nothing else.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/diagnostics.hpp"
#include "topology/spec/spec_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    static_cast<void>(kernbench::topology::parse_topology_spec(text, "fuzz.yaml"));
  } catch (const kernbench::common::BadInput&) {
  }
  return 0;
}
