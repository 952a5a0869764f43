// SPDX-License-Identifier: Apache-2.0
// Tensors in the memory of a SIP: their placement, the mappings of the PEs, and the latency.
#include "model/memory/free_list.hpp"
#include "runtime_fixture.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::runtime {
namespace {

constexpr DpPolicy kInEachCube{Placement::Replicate, Placement::RowWise, {}, {}};
constexpr DpPolicy kEverywhere{Placement::Replicate, Placement::Replicate, {}, {}};

template <typename Error>
std::string refusal_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST(Deployment, EveryPeFindsEveryShardOfASpreadTensorWhereItIs) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(16, 8, DataType::F32, kByRows);
    kb.synchronize();
    ASSERT_EQ(x->shards.size(), 16U);
    for (std::uint32_t cube = 0; cube < 4; ++cube) {
      for (std::uint32_t pe = 0; pe < 4; ++pe) {
        for (const DeviceShard& shard : x->shards) {
          EXPECT_EQ(device.table({0, cube, pe}).translate(shard.va), shard.pa);
        }
      }
    }
    EXPECT_EQ(device.table({1, 0, 0}).regions(), 0U);  // another SIP
  });
}

TEST(Deployment, PesOfACubeFindTheCopyOfTheirCube) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(8, 8, DataType::F32, kInEachCube);
    kb.synchronize();
    for (std::uint32_t cube = 0; cube < 4; ++cube) {
      for (std::uint32_t pe = 0; pe < 4; ++pe) {
        EXPECT_EQ(device.home({0, cube, pe}, x->va), (PeLocation{0, cube, 0}));
        EXPECT_EQ(device.home({0, cube, pe}, x->va + 7 * 32), (PeLocation{0, cube, 3}));
      }
    }
  });
}

TEST(Deployment, PesWithACopyEachFindTheirOwn) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(8, 8, DataType::F32, kEverywhere);
    kb.synchronize();
    for (std::uint32_t cube = 0; cube < 4; ++cube) {
      for (std::uint32_t pe = 0; pe < 4; ++pe) {
        EXPECT_EQ(device.home({0, cube, pe}, x->va), (PeLocation{0, cube, pe}));
      }
    }
  });
}

TEST(Deployment, CountsLeaveTheOtherPesWithoutAShardButNotWithoutAMap) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x =
        kb.tensor(12, 8, DataType::F32, {Placement::RowWise, Placement::RowWise, 2, 3});
    kb.synchronize();
    ASSERT_EQ(x->shards.size(), 6U);
    EXPECT_EQ(x->shards.back().pe, (PeLocation{0, 1, 2}));
    EXPECT_EQ(device.home({0, 3, 3}, x->va), (PeLocation{0, 0, 0}));
  });
}

TEST(Deployment, NothingIsPutWhereTheSlotsOfNeighboursAre) {
  for (const auto backing : {topology::SlotBacking::Tcm, topology::SlotBacking::Hbm}) {
    RuntimeMachine device;
    Session& session = device.session();
    const topology::PeSpec& pe = session.spec().pe;
    const std::uint64_t ring = std::uint64_t{pe.pe_ipcq_slots} * pe.pe_ipcq_slot_bytes;
    const auto free_bytes = [&](std::uint32_t of) {
      const memory::PeAllocator& allocator = session.allocator({0, 0, of});
      return backing == topology::SlotBacking::Tcm ? allocator.tcm().free_bytes()
                                                   : allocator.hbm().free_bytes();
    };
    const std::uint64_t all = free_bytes(0);
    session.install_neighbors({{{0, 0, 0}, "E", {0, 0, 1}, "W"}, {{0, 0, 1}, "E", {0, 0, 2}, "W"}},
                              backing);
    EXPECT_EQ(free_bytes(0), all - ring);
    EXPECT_EQ(free_bytes(1), all - 2 * ring);
    EXPECT_EQ(free_bytes(2), all - ring);
    EXPECT_EQ(free_bytes(3), all);
  }
}

TEST(Deployment, EmptyShardsTakeNoMemory) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    EXPECT_EQ(kb.tensor(3, 8, DataType::F32, kByRows)->shards.size(), 3U);
    const Tensor nothing = kb.tensor(0, 8, DataType::F32, kByRows);
    EXPECT_TRUE(nothing->shards.empty());
    kb.free(nothing);
  });
}

/// Returns the time to map a tensor, in ps.
std::int64_t map_time(const DpPolicy& policy) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    (void)kb.tensor(16, 16, DataType::F32, policy);
    EXPECT_EQ(kb.now().ps(), 0);  // requested, not complete
    kb.synchronize();
    EXPECT_GT(kb.now().ps(), 0);
  });
  return device.now();
}

TEST(Deployment, MapsTakeTheTimeOfTheirMessages) {
  EXPECT_EQ(map_time(kByRows), 575272);
  EXPECT_EQ(map_time(kInEachCube), 509557);
  EXPECT_EQ(map_time(kEverywhere), 481485);
}

TEST(Deployment, RunsOutOfMemoryWithAMessageThatNamesTheSlice) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const std::uint64_t slice = runtime_graph().spec().cube.memory_map.hbm_slice_bytes();
    EXPECT_EQ(refusal_of<memory::OutOfMemory>(
                  [&] { (void)kb.tensor(1, slice + 1, DataType::I8, kEverywhere); }),
              "the HBM slice of sip0.cube0.pe0 is out of memory: 12884901889 bytes asked for, "
              "12884901888 free, 12884901888 in the largest free block");
  });
}

TEST(Deployment, WhatFailsHalfwayGivesItsMemoryBack) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const std::uint64_t slice = runtime_graph().spec().cube.memory_map.hbm_slice_bytes();
    // PE 0 has room for a row, PE 1 does not.
    const Tensor half =
        kb.tensor(1, slice / 2 + 1, DataType::I8, {Placement::RowWise, Placement::RowWise, 1, 1});
    const std::uint64_t before = kb.session().allocator({0, 0, 1}).hbm().free_bytes();
    EXPECT_THROW(
        (void)kb.tensor(2, slice / 2, DataType::I8, {Placement::RowWise, Placement::RowWise, 1, 2}),
        memory::OutOfMemory);
    EXPECT_THROW((void)kb.tensor(2, slice / 2, DataType::I8,
                                 {Placement::Replicate, Placement::Replicate, 1, 2}),
                 memory::OutOfMemory);
    EXPECT_EQ(kb.session().allocator({0, 0, 1}).hbm().free_bytes(), before);
    kb.free(half);
    kb.synchronize();
    EXPECT_EQ(kb.session().allocator({0, 0, 0}).hbm().free_bytes(), slice);
  });
}

TEST(Deployment, FreedMemoryIsWholeAgainAndUnmapped) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const std::uint64_t slice = runtime_graph().spec().cube.memory_map.hbm_slice_bytes();
    const Tensor x = kb.tensor(16, 8, DataType::F32, kByRows);
    const Tensor y = kb.tensor(16, 8, DataType::F32, kEverywhere);
    EXPECT_LT(kb.session().allocator({0, 2, 1}).hbm().free_bytes(), slice);
    const std::uint64_t va = x->va;
    kb.free(x);
    kb.free(y);
    EXPECT_EQ(kb.tensor(16, 8, DataType::F32, kByRows)->va, va + 2 * 65536);  // not yet free
    kb.synchronize();
    EXPECT_EQ(device.table({0, 2, 1}).translate(va), std::nullopt);
    const Tensor again = kb.tensor(16, 8, DataType::F32, kByRows);
    EXPECT_EQ(again->va, va);
  });
}

TEST(Deployment, RefusesToFreeATensorTwice) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(16, 8, DataType::F32, kByRows);
    kb.free(x);
    EXPECT_EQ(refusal_of<std::invalid_argument>([&] { kb.free(x); }),
              "the tensor has already been freed");
  });
}

TEST(Deployment, RefusesToReadOrLaunchWithAFreedTensor) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(16, 8, DataType::F32, kByRows, counting(16, 8));
    kb.free(x);
    EXPECT_EQ(refusal_of<std::invalid_argument>([&] { (void)kb.read(x); }),
              "cannot read a freed tensor");
  });
}

TEST(Deployment, RefusesPoliciesAndGridsThatTheSipDoesNotHave) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    EXPECT_EQ(
        refusal_of<std::invalid_argument>([&] {
          (void)kb.tensor(1, 1, DataType::F32, {Placement::RowWise, Placement::RowWise, 5, {}});
        }),
        "cannot place a tensor on 5x4 PEs: sip0 has 4 cubes of 4 PEs");
    EXPECT_EQ(refusal_of<std::invalid_argument>([&] {
                kb.launch("k", [](Tl&) {}, {0, 1});
              }),
              "cannot launch on 0x1 PEs: sip0 has 4 cubes of 4 PEs");
  });
}

}  // namespace
}  // namespace kernbench::model::runtime
