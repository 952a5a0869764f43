// SPDX-License-Identifier: Apache-2.0
// Virtual, physical and logical addresses: what their deployment costs, and that kernels get the
// same numbers.
#include "runtime_fixture.hpp"

namespace kernbench::model::runtime {
namespace {

using ::testing::HasSubstr;

SessionOptions with(AddressModel model) {
  SessionOptions options;
  options.addresses = model;
  return options;
}

/// Doubles a tensor. Returns the times at which its deployment and the kernel have ended.
std::pair<std::int64_t, std::int64_t> run(AddressModel model) {
  RuntimeMachine device(with(model));
  std::int64_t deployed = 0;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(16, 8, DataType::F32, kByRows, counting(16, 8));
    kb.synchronize();
    deployed = kb.now().ps();
    kb.launch("double",
              [x = x->view()](Tl& tl) { tl.store(x.local(tl), tl.load(x.local(tl)) * 2.0); });
    kb.expect("x", kb.read(x), [] {
      data::MatrixF values(16, 8);
      for (Eigen::Index i = 0; i < values.size(); ++i) {
        values.data()[i] = static_cast<float>(2 * i);
      }
      return data::Array::from(DataType::F32, values);
    });
    kb.synchronize();
    kb.free(x);
  });
  for (const CheckReport& check : device.evaluate()) EXPECT_EQ(check.wrong, 0U);
  EXPECT_EQ(device.evaluate().size(), 1U);
  return {deployed, device.now()};
}

TEST(AddressModels, HaveTheTimesOfTheirMaps) {
  const auto [virtual_deployed, virtual_end] = run(AddressModel::Virtual);
  const auto [physical_deployed, physical_end] = run(AddressModel::Physical);
  const auto [logical_deployed, logical_end] = run(AddressModel::Logical);
  // A map of 16 regions for 16 PEs: request, 16 targets of 16 bytes, 16 regions of 24. The logical
  // descriptor is one region, as all shards are at offset 0 of their slices. Physical addresses
  // need no map, so the tensor is there at once.
  EXPECT_EQ(virtual_deployed, 575'272);
  EXPECT_EQ(logical_deployed, 492'144);
  EXPECT_EQ(physical_deployed, 0);
  // The kernel and the copy take the same time in all models; the release costs what the map does.
  EXPECT_EQ(physical_end, 1'008'313);
  EXPECT_EQ(virtual_end, physical_end + 2 * virtual_deployed);
  EXPECT_EQ(logical_end, physical_end + 2 * logical_deployed);
}

TEST(AddressModels, APhysicalTensorIsContiguousInAShardOnly) {
  RuntimeMachine device(with(AddressModel::Physical));
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(16, 8, DataType::F32, kByRows);
    EXPECT_EQ(x->view().shard(1, 0).va, x->shards[4].pa);
    EXPECT_EQ(x->view().pieces({0, 0, 16, 8}).size(), 16U);
    EXPECT_EQ(x->view().pieces({3, 2, 2, 4}).size(), 2U);
    try {
      (void)x->view().whole();
      FAIL();
    } catch (const std::invalid_argument& error) {
      EXPECT_THAT(error.what(), HasSubstr("has no contiguous physical addresses"));
    }
    EXPECT_THROW((void)x->view().in_cube(1), std::invalid_argument);
    const Tensor one = kb.tensor(4, 8, DataType::F32, {});
    EXPECT_EQ(one->view().in_cube(1).va, one->shards[4].pa);
    EXPECT_EQ(one->view().whole().va, one->shards[0].pa);
    // Each program takes its own replica.
    kb.launch("replicas", [view = one->view(), shards = one->shards](Tl& tl) {
      const std::uint64_t own = tl.program_id(1) * 4 + tl.program_id(0);
      EXPECT_EQ(view.pieces({0, 0, 4, 8}, &tl)[0].ref.va, shards[own].pa);
    });
  });
}

TEST(AddressModels, ALogicalAddressIsATensorAndAnOffset) {
  RuntimeMachine device(with(AddressModel::Logical));
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(16, 8, DataType::F32, kByRows);
    const Tensor y = kb.tensor(16, 8, DataType::F32, kByRows);
    EXPECT_EQ(x->va, kLogicalBegin);
    EXPECT_EQ(y->va, kLogicalBegin + kLogicalBytes);
    kb.synchronize();
    EXPECT_EQ(device.table({0, 2, 1}).translate(y->va + 9 * 32), y->shards[9].pa);
    kb.free(x);
    EXPECT_EQ(kb.tensor(16, 8, DataType::F32, kByRows)->va, kLogicalBegin + 2 * kLogicalBytes);
  });
}

}  // namespace
}  // namespace kernbench::model::runtime
