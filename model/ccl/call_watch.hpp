// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/ccl/group.hpp"
#include "model/runtime/context.hpp"

namespace kernbench::model::ccl {

/// Notes the data of all members before and after a call of a collective, for the check of its
/// contract after the replay.
class CallWatch : public std::enable_shared_from_this<CallWatch> {
 public:
  CallWatch(const Collective& collective, const CallShape& call)
      : collective_(collective), call_(call), members_(call.size) {}

  /// Returns the hooks of a member's launch, and adds the check of what it has then to the session,
  /// as `name`. The context must outlive the launch.
  [[nodiscard]] runtime::LaunchHooks member(runtime::Context& context, std::uint32_t index,
                                            const std::string& name, const CallArguments& given);

 private:
  /// The data of a member, as numbers of results of the replay, by cube.
  struct Noted {
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
    std::vector<std::uint64_t> input_rows;
    std::vector<std::uint64_t> output_rows;
    common::SimTime begin;
    common::SimTime end;
  };
  [[nodiscard]] runtime::CheckReport check(std::uint32_t index, const std::string& name,
                                           const data::Replay& replay) const;

  const Collective& collective_;
  CallShape call_;
  std::vector<Noted> members_;
};

}  // namespace kernbench::model::ccl
