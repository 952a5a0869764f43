// SPDX-License-Identifier: Apache-2.0
#include "model/ccl/call_watch.hpp"

#include "model/ccl/contract_check.hpp"

namespace kernbench::model::ccl {

using runtime::Tensor;

namespace {

/// Notes the copies of a tensor in all cubes of the device; none of a null tensor.
std::vector<std::uint32_t> peek_all(runtime::Context& context, const Tensor& tensor) {
  std::vector<std::uint32_t> results;
  for (std::uint32_t cube = 0; tensor && cube < context.cubes(); ++cube) {
    results.push_back(context.peek(tensor, cube));
  }
  return results;
}

}  // namespace

runtime::LaunchHooks CallWatch::member(runtime::Context& context, std::uint32_t index,
                                       const std::string& name, const CallArguments& given) {
  members_[index].input_rows = given.input_rows;
  members_[index].output_rows = given.output_rows;
  const std::shared_ptr<CallWatch> self = shared_from_this();
  context.session().add_contract(
      [self, index, name](const data::Replay& replay) { return self->check(index, name, replay); });
  return {[self, index, &context, tensor = given.input] {
            self->members_[index].begin = context.now();
            self->members_[index].before = peek_all(context, tensor);
          },
          [self, index, &context, tensor = given.output] {
            self->members_[index].end = context.now();
            self->members_[index].after = peek_all(context, tensor);
          }};
}

runtime::CheckReport CallWatch::check(std::uint32_t index, const std::string& name,
                                      const data::Replay& replay) const {
  std::vector<MemberData> members;
  for (const Noted& noted : members_) {
    MemberData& data = members.emplace_back();
    for (const std::uint32_t result : noted.before) data.before.push_back(replay.result(result));
    for (const std::uint32_t result : noted.after) data.after.push_back(replay.result(result));
    data.input_rows = noted.input_rows;
    data.output_rows = noted.output_rows;
    data.begin = noted.begin;
    data.end = noted.end;
  }
  return check_contract(name, collective_, call_, index, members);
}

}  // namespace kernbench::model::ccl
