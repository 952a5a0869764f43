// SPDX-License-Identifier: Apache-2.0
#include "model/trace/hop_trace.hpp"

#include <array>

#include "common/hash.hpp"

namespace kernbench::model::trace {

std::string_view name(WaitReason reason) {
  constexpr std::array<std::string_view, 5> kNames = {"", "wire busy", "channel busy",
                                                      "engine busy", "no credit"};
  return kNames.at(static_cast<std::size_t>(reason));
}

std::uint64_t HopTrace::hash() const {
  common::RunHash hash;
  for (const HopRecord& record : records_) {
    hash.add(record.label.transaction);
    hash.add(common::hash_bytes(record.label.what));
    hash.add(record.node.value());
    for (const common::SimTime time : {record.arrive, record.depart, record.wait}) {
      hash.add(static_cast<std::uint64_t>(time.ps()));
    }
    hash.add(record.behind);
    hash.add(static_cast<std::uint64_t>(record.why));
  }
  return hash.value();
}

}  // namespace kernbench::model::trace
