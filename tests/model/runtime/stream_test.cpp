// SPDX-License-Identifier: Apache-2.0
// Requests of the host to a SIP complete in order. Copies transfer the values there and back.
#include "runtime_fixture.hpp"

namespace kernbench::model::runtime {
namespace {

using kernel::TensorRef;

TEST(HostCopies, BringEveryLayoutThereAndBack) {
  for (const Placement cube : kPlacements) {
    for (const Placement pe : kPlacements) {
      RuntimeMachine device;
      device.run([&](Context& kb) {
        const Tensor x = kb.tensor(7, 9, DataType::F32, {cube, pe, {}, 3}, counting(7, 9));
        kb.expect("x", kb.read(x), counting(7, 9));
      });
      const std::vector<CheckReport> reports = device.evaluate();
      ASSERT_EQ(reports.size(), 1U);
      EXPECT_EQ(reports[0].elements, 63U);
      EXPECT_EQ(reports[0].wrong, 0U) << name_of(cube) << " / " << name_of(pe);
    }
  }
}

TEST(HostCopies, WrongNumbersAreCountedAndTheFirstIsNamed) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const HostCopy x = kb.read(kb.tensor(2, 2, DataType::F32, kByRows, counting(2, 2)));
    kb.expect("x", x, [] {
      return data::Array::from(DataType::F32, data::MatrixF{{0.0F, 1.0F}, {4.0F, 5.0F}});
    });
    kb.expect(
        "near", x,
        [] {
          return data::Array::from(DataType::F32, data::MatrixF{{0.5F, 1.0F}, {2.0F, 3.0F}});
        },
        Tolerance{0.0, 1.0});
  });
  const std::vector<CheckReport> reports = device.evaluate();
  EXPECT_EQ(reports[0].wrong, 2U);
  EXPECT_EQ(reports[0].first_wrong, "[1, 0]: 2, expected 4");
  EXPECT_EQ(reports[1].wrong, 0U);
  EXPECT_EQ(reports[1].worst, 0.5);
}

TEST(HostCopies, AnotherShapeThanExpectedIsRefused) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    kb.expect("x", kb.read(kb.tensor(2, 2, DataType::F32, kByRows, counting(2, 2))),
              counting(2, 3));
  });
  try {
    (void)device.evaluate();
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "check 'x' expects 2 x 3 elements, but the tensor has 2 x 2");
  }
}

TEST(Stream, IsDoneInOrderEachAfterTheOneBefore) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(4, 4, DataType::F32, kByRows, counting(4, 4));
    const auto twice = [x = x->view()](Tl& tl) {
      const TensorRef mine = x.local(tl);
      if (!mine.empty()) tl.store(mine, tl.load(mine) * 2.0);
    };
    kb.launch("twice", twice);
    kb.launch("twice", twice);
    EXPECT_EQ(kb.now().ps(), 0);
    kb.expect("x", kb.read(x), [] {
      return data::Array::from(DataType::F32, data::MatrixF(counting(4, 4)().to_floats() * 4.0F));
    });
  });
  const std::vector<LaunchRecord>& launches = device.session().record().launches;
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_GT(launches[0].start.ps(), 0);
  EXPECT_EQ(launches[1].start, launches[0].end);
  EXPECT_GT(launches[1].end, launches[1].start);
  EXPECT_EQ(device.evaluate()[0].wrong, 0U);
}

/// Returns the launches of two requests of a context, and checks what they left in a tensor.
std::vector<LaunchRecord> launches_of(const std::function<void(Context&, const KernelBody&)>& ask,
                                      float factor) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(64, 64, DataType::F32, kByRows, counting(64, 64));
    const KernelBody twice = [x = x->view()](Tl& tl) {
      const TensorRef mine = x.local(tl);
      tl.store(mine, tl.load(mine) * 2.0);
    };
    kb.synchronize();
    ask(kb, twice);
    kb.synchronize();
    kb.expect("x", kb.read(x), [factor] {
      return data::Array::from(DataType::F32,
                               data::MatrixF(counting(64, 64)().to_floats() * factor));
    });
  });
  EXPECT_EQ(device.evaluate().at(0).wrong, 0U);
  return device.session().record().launches;
}

TEST(Streams, RunAtTheSameTime) {
  const std::vector<LaunchRecord> launches = launches_of(
      [](Context& kb, const KernelBody& twice) {
        const Stream other = kb.add_stream();
        kb.launch("twice", twice);
        kb.in(other, [&] { kb.launch("nothing", [](Tl&) {}); });
      },
      2.0F);
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_EQ(launches[0].kernel, "nothing");
  EXPECT_EQ(launches[0].start, launches[1].start);
  EXPECT_LT(launches[0].end, launches[1].end);
}

TEST(Streams, WaitForAMark) {
  const std::vector<LaunchRecord> launches = launches_of(
      [](Context& kb, const KernelBody& twice) {
        const Stream other = kb.add_stream();
        kb.launch("twice", twice);
        const Mark doubled = kb.mark();
        kb.in(other, [&] {
          kb.wait_for(doubled);
          kb.launch("twice", twice);
        });
        const Mark again = [&] {
          Mark mark;
          kb.in(other, [&] { mark = kb.mark(); });
          return mark;
        }();
        kb.wait_for(again);
        kb.launch("twice", twice);
      },
      8.0F);
  ASSERT_EQ(launches.size(), 3U);
  EXPECT_EQ(launches[1].start, launches[0].end);
  EXPECT_EQ(launches[2].start, launches[1].end);
}

TEST(Streams, AreUpToFour) {
  RuntimeMachine device;
  device.run([](Context& kb) {
    for (int i = 0; i < 3; ++i) (void)kb.add_stream();
    try {
      (void)kb.add_stream();
      FAIL() << "nothing was thrown";
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), "a context has at most 4 streams");
    }
    try {
      kb.in(Stream(4), [] {});
      FAIL() << "nothing was thrown";
    } catch (const std::invalid_argument& error) {
      EXPECT_STREQ(error.what(), "unknown stream 4; the context has 4");
    }
  });
}

TEST(Launch, RunsOnTheProgramsOfItsGridAlone) {
  RuntimeMachine device;
  std::vector<std::vector<std::uint64_t>> seen;
  device.run([&](Context& kb) {
    kb.launch("who",
              [&](Tl& tl) {
                seen.push_back(
                    {tl.program_id(1), tl.program_id(0), tl.num_programs(1), tl.num_programs(0)});
              },
              {2, 3});
  });
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(
      seen,
      (std::vector<std::vector<std::uint64_t>>{
          {0, 0, 2, 3}, {0, 1, 2, 3}, {0, 2, 2, 3}, {1, 0, 2, 3}, {1, 1, 2, 3}, {1, 2, 2, 3}}));
  EXPECT_EQ(device.session().record().launches[0].programs, 6U);
}

TEST(Launch, ReadsOfReplicasStayInTheirCube) {
  RuntimeMachine device;
  device.run([&](Context& kb) {
    const Tensor x = kb.tensor(4, 4, DataType::F32,
                               {Placement::Replicate, Placement::RowWise, {}, {}}, counting(4, 4));
    kb.launch("read", [x = x->view()](Tl& tl) { (void)tl.load(x.whole()); });
  });
  std::size_t reads = 0;
  for (const data::OpRecord& record : device.log().records()) {
    const auto* const copy = std::get_if<data::CopyParams>(&record.params);
    if (copy == nullptr) continue;
    for (const data::Stretch& stretch : copy->source.stretches) {
      EXPECT_EQ(topology::decode_phys_addr(stretch.pa).cube,
                runtime_graph().node(record.component).cube);
    }
    ++reads;
  }
  EXPECT_EQ(reads, 16U);
}

/// Doubles a tensor on a SIP.
std::function<void(Context&)> doubling(float factor) {
  return [factor](Context& kb) {
    const Tensor x = kb.tensor(32, 32, DataType::F32, kByRows, counting(32, 32));
    kb.launch("scale", [x = x->view(), factor](Tl& tl) {
      const TensorRef mine = x.local(tl);
      tl.store(mine, tl.load(mine) * static_cast<double>(factor));
    });
    kb.expect("x", kb.read(x), [factor] {
      return data::Array::from(DataType::F32,
                               data::MatrixF(counting(32, 32)().to_floats() * factor));
    });
  };
}

TEST(Contexts, OfTwoSipsRunSideBySideInOneSession) {
  RuntimeMachine alone;
  alone.run(doubling(2.0F));
  RuntimeMachine device;
  device.add(0, doubling(2.0F));
  device.add(1, doubling(3.0F));
  device.run();
  const std::vector<LaunchRecord>& launches = device.session().record().launches;
  ASSERT_EQ(launches.size(), 2U);
  EXPECT_NE(launches[0].device.sip, launches[1].device.sip);
  EXPECT_LT(launches[1].start, launches[0].end);
  EXPECT_LT(device.now(), 2 * alone.now());
  for (const CheckReport& report : device.evaluate()) {
    EXPECT_EQ(report.elements, 1024U);
    EXPECT_EQ(report.wrong, 0U) << report.first_wrong;
  }
}

}  // namespace
}  // namespace kernbench::model::runtime
