// SPDX-License-Identifier: Apache-2.0
// Invalid operations of kernels: the error message, and the release of all resources, which the
// address sanitizer checks.
#include <optional>
#include <stdexcept>
#include <vector>

#include "bad_kernel.hpp"
#include "bench_fixture.hpp"
#include "kernel_fixture.hpp"
#include "model/components/parts/host_cpu.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/kernel/kernel_error.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {
namespace {

using runtime::Context;
using runtime::LaunchGrid;
using runtime::Placement;
using ::testing::HasSubstr;

constexpr LaunchGrid kOnePe{1, 1};

class BadKernel : public ::testing::TestWithParam<Bad> {};

TEST_P(BadKernel, IsReportedWithItsPeOperationAndLine) {
  expect_reported(GetParam(), "errors_test.cpp");
}

// Outside a macro, within which all lines have one number.
const std::vector<Bad> kBadKernels = {

    Bad{"ThrowsAfterAnOperation",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          const Tile x = tl.arange(3, DataType::F32);
          throw std::runtime_error("no more");
        },
        " threw after tl.arange at @: no more"},
    Bad{"ThrowsSomethingElse",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.arange(3, DataType::F32);
          throw 1;
        },
        " threw after tl.arange at @: an exception that is not a std::exception"},
    Bad{"UnmappedMemory",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.load(Tl::ref(std::uint64_t{1} << 56U, 4, 8, DataType::F32));
        },
        ": tl.load at @: access of 128 bytes at 0x100000000000000: physical address "
        "0x0100000000000000: bits 63..56 must be 0"},
    Bad{"TcmOverflow",
        [](Tl& tl, int& line) {
          const Tile large = ones(tl, 1024, 768);
          line = __LINE__ + 1;
          (void)(large + large);
        },
        ": tl.add at @: the TCM of sip0.cube0.pe0 is out of memory: 3145728 bytes asked for, "
        "1048576 "
        "free, 1048576 in the largest free block"},
    Bad{"SidesThatOverflow",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.full(std::uint64_t{1} << 32U, std::uint64_t{1} << 32U, 0.0, DataType::F32);
        },
        ": tl.full at @: a tile of 4294967296 x 4294967296 is too large"},
    Bad{"ShapesOfAdd",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          const Tile y = ones(tl, 8, 4);
          line = __LINE__ + 1;
          (void)tl.add(x, y);
        },
        ": tl.add at @: 4 x 8 and 8 x 4 of f32 do not fit: sides must be equal, or one of them "
        "1"},
    Bad{"TypesOfAnOperator",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          const Tile y = ones(tl, 4, 8, DataType::F16);
          line = __LINE__ + 1;
          (void)(x * y);
        },
        ": tl.mul at @: an operand has type f16, not f32; convert it with tl.cast()"},
    Bad{"ExpOfIntegers",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8, DataType::I32);
          line = __LINE__ + 1;
          (void)tl.exp(x);
        },
        ": tl.exp at @: requires a floating-point type, not i32"},
    Bad{"MaximumOfNothing",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 0, 8);
          line = __LINE__ + 1;
          (void)tl.max(x, Axis::Rows);
        },
        ": tl.max at @: reduction of an empty tile"},
    Bad{"ShapesOfDot",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.dot(x, x);
        },
        ": tl.dot at @: cannot multiply 4 x 8 of f32 by 4 x 8 of f32: the inner dimensions "
        "and the types must be equal (or both types f8, or the right one i4)"},
    Bad{"ShapesOfStore",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          tl.store(Tl::ref(0, 4, 9, DataType::F32), x);
        },
        ": tl.store at @: a tile of 4 x 8 of f32 does not fit into 4 x 9 of f32"},
    Bad{"ShapesOfComposite",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.composite(x, x, DataType::F32);
        },
        ": tl.composite at @: cannot multiply 4 x 8 of f32 by 4 x 8 of f32 into 4 x 8 of f32"},
    Bad{"ReductionAsEpilogue",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 8, 8);
          CompositeOptions options;
          options.epilogue = {{MathOp::Sum}};
          line = __LINE__ + 1;
          (void)tl.composite(x, x, DataType::F32, options);
        },
        ": tl.composite at @: 'sum' is not a valid epilogue without an operand"},
    Bad{"WholeRowsAsEpilogue",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 8, 8);
          CompositeOptions options;
          options.epilogue = {{MathOp::Transpose}};
          line = __LINE__ + 1;
          (void)tl.composite(x, x, DataType::F32, options);
        },
        ": tl.composite at @: 'transpose' is not a valid epilogue without an operand"},
    Bad{"EpilogueOfALaterStep",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 8, 8);
          CompositeOptions options;
          options.epilogue = {{MathOp::Exp}, {MathOp::Mul, Accumulated{2}}};
          line = __LINE__ + 1;
          (void)tl.composite(x, x, DataType::F32, options);
        },
        ": tl.composite at @: step 1 of the epilogue takes the accumulator after 2 steps, but only "
        "1 precedes it"},
    Bad{"AccumulatorsForAnEpilogue",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 256, 8, DataType::F16);
          CompositeOptions options{256, 8, 256, 1, {}};
          options.epilogue = {{MathOp::Mul, Accumulated{0}}};
          (void)tl.composite(x, Tl::trans(x), DataType::F16, options);  // the value is still there
          options.epilogue = {{MathOp::Sigmoid}, {MathOp::Mul, Accumulated{0}}};
          line = __LINE__ + 1;
          (void)tl.composite(x, Tl::trans(x), DataType::F16, options);
        },
        ": tl.composite at @: a tile of 256 x 256 sums of f32 and 1 earlier value of each is too "
        "large: the accumulators of pe_gemm hold 65536 (accumulator_kb: 256)"},
    Bad{"MoreThanARowHas",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.top_k(x, 9);
        },
        ": tl.top_k at @: rows of 8 elements do not have 9 largest"},
    Bad{"IndicesOfTake",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.take(x, ones(tl, 3, 2, DataType::I32));
        },
        ": tl.take at @: the indices of 4 x 8 of f32 must be i32 and have as many rows, not 3 x 2 "
        "of i32"},
    Bad{"OddColumnsOfRope",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 7);
          line = __LINE__ + 1;
          (void)tl.rope(x, x, x);
        },
        ": tl.rope at @: requires an even number of columns of a floating-point type, not 4 x 7 of "
        "f32"},
    Bad{"AnglesOfRope",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8, DataType::F16);
          const Tile angles = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.rope(x, angles, angles);
        },
        ": tl.rope at @: cosines and sines of 4 x 8 of f32 do not fit 4 x 8 of f16: they need one "
        "row or 4, and 4 columns of f32 or f16"},
    Bad{"NumbersOfRows",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          line = __LINE__ + 1;
          (void)tl.gather(Tl::ref(0, 4, 8, DataType::F32), x);
        },
        ": tl.gather at @: the numbers of rows must be one row or column of i32, not 4 x 8 of f32"},
    Bad{"RowsOfScatter",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 4, 8);
          const Tile rows = ones(tl, 1, 3, DataType::I32);
          line = __LINE__ + 1;
          tl.scatter(Tl::ref(0, 4, 8, DataType::F32), rows, x);
        },
        ": tl.scatter at @: a tile of 4 x 8 of f32 does not fit 3 rows of 8 columns of f32"},
    Bad{"NoTilesInFlight",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 8, 8);
          CompositeOptions options;
          options.tiles_in_flight = 0;
          line = __LINE__ + 1;
          (void)tl.composite(x, x, DataType::F32, options);
        },
        ": tl.composite at @: at least one tile must be in flight"},
    Bad{"CompareThatDoesNot",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 8, 8);
          line = __LINE__ + 1;
          (void)tl.compare(MathOp::Exp, x, x);
        },
        ": tl.compare at @: 'exp' is not a comparison"},
    Bad{"UnknownDirection",
        [](Tl& tl, int& line) {
          const Tile x = ones(tl, 8, 8);
          line = __LINE__ + 1;
          tl.send("N", x);
        },
        ": tl.send at @: sip0.cube0.pe0.pe_ipcq has no neighbour 'N', nor any other"},
    Bad{"UnknownAxis",
        [](Tl& tl, int& line) {
          line = __LINE__ + 1;
          (void)tl.program_id(2);
        },
        ": tl.program_id at @: axis 2 is neither 0 nor 1"}};
INSTANTIATE_TEST_SUITE_P(All, BadKernel, ::testing::ValuesIn(kBadKernels),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(KernelErrors, OfAKernelThatThrowsBeforeAnyOperation) {
  EXPECT_EQ(failure_of<bench::RunFailed>([](Context& kb) {
              kb.launch(
                  "k", [](Tl&) { throw std::runtime_error("at once"); }, kOnePe);
            }),
            "kernel 'k' on sip0.cube0.pe0 threw before its first operation: at once");
}

TEST(KernelErrors, OfARangeThatIsMappedInPart) {
  EXPECT_THAT(failure_of<bench::RunFailed>([](Context& kb) {
                const auto x =
                    kb.tensor(8, 64, DataType::F32, {Placement::Replicate, Placement::Replicate});
                kb.launch(
                    "k",
                    [view = x->view()](Tl& tl) {
                      TensorRef past = view.local(tl);
                      past.rows = 9;
                      (void)tl.load(past);
                    },
                    kOnePe);
              }),
              ::testing::MatchesRegex(
                  "kernel 'k' on sip0\\.cube0\\.pe0: tl\\.load at "
                  "tests/model/kernel/errors_test\\.cpp:[0-9]+: access of 2304 bytes at "
                  "0x[0-9a-f]+: only a part of it is mapped, nothing at 0x[0-9a-f]+"));
}

/// Neighbours E and W: PE 0 and PE 1 of the first cube.
void join(Context& kb) {
  components::install_neighbors(kb.session().machine(), {{{0, 0, 0}, "E", {0, 0, 1}, "W"}});
}

TEST(KernelErrors, OfATileThatIsLargerThanASlot) {
  EXPECT_THAT(failure_of<bench::RunFailed>([](Context& kb) {
                join(kb);
                kb.launch(
                    "k", [](Tl& tl) { tl.send("E", ones(tl, 128, 129)); }, kOnePe);
              }),
              HasSubstr("sip0.cube0.pe0.pe_ipcq: a send has 1 to 65536 bytes (pe_ipcq.slot_bytes), "
                        "not 66048"));
}

TEST(KernelErrors, OfAReceiveOfAnotherShapeOrSizeThanTheSend) {
  EXPECT_THAT(failure_of<bench::RunFailed>([](Context& kb) {
                join(kb);
                kb.launch("k",
                          [](Tl& tl) {
                            if (tl.program_id(0) == 0) tl.send("E", ones(tl, 4, 8));
                            if (tl.program_id(0) == 1) (void)tl.recv("W", 8, 4, DataType::F32);
                          },
                          {1, 2});
              }),
              ::testing::MatchesRegex(
                  "kernel 'k' on sip0\\.cube0\\.pe1: tl\\.recv at "
                  "tests/model/kernel/errors_test\\.cpp:[0-9]+: 4 x 8 of f32 were sent at "
                  "tests/model/kernel/errors_test\\.cpp:[0-9]+, not 8 x 4 of f32"));
  EXPECT_THAT(failure_of<bench::RunFailed>([](Context& kb) {
                join(kb);
                kb.launch("k",
                          [](Tl& tl) {
                            if (tl.program_id(0) == 0) tl.send("E", ones(tl, 4, 8));
                            if (tl.program_id(0) == 1) (void)tl.recv("W", 4, 4, DataType::F32);
                          },
                          {1, 2});
              }),
              ::testing::MatchesRegex(
                  "sip0\\.cube0\\.pe1\\.pe_ipcq: a receive of 64 bytes from W meets a send of 128; "
                  "running:\n  kernel 'k' on sip0\\.cube0\\.pe1: tl\\.recv at "
                  "tests/model/kernel/errors_test\\.cpp:[0-9]+"));
}

TEST(KernelErrors, OfAReceiveThatNobodyWaitsForOrTwice) {
  EXPECT_THAT(failure_of<bench::RunFailed>([](Context& kb) {
                join(kb);
                kb.launch(
                    "k", [](Tl& tl) { (void)tl.irecv("E", 4, 8, DataType::F32); }, kOnePe);
              }),
              ::testing::MatchesRegex("kernel 'k' on sip0\\.cube0\\.pe0: tl\\.irecv at .*: the "
                                      "kernel ended without waiting for this operation"));
  EXPECT_THAT(failure_of<bench::RunFailed>([](Context& kb) {
                join(kb);
                kb.launch("k",
                          [](Tl& tl) {
                            if (tl.program_id(0) == 0) return tl.send("E", ones(tl, 4, 8));
                            const PendingTile pending = tl.irecv("W", 4, 8, DataType::F32);
                            (void)tl.wait(pending);
                            (void)tl.wait(pending);
                          },
                          {1, 2});
              }),
              ::testing::MatchesRegex("kernel 'k' on sip0\\.cube0\\.pe1: tl\\.wait at .*: the "
                                      "kernel has already waited for this operation"));
}

TEST(KernelErrors, OfADeadlockNameKernelsOperationsAndLines) {
  const std::string text = failure_of<bench::RunDeadlocked>([](Context& kb) {
    join(kb);
    kb.launch("ring",
              [](Tl& tl) {
                if (tl.program_id(0) == 1) (void)tl.recv("W", 4, 8, DataType::F32);
              },
              {1, 2});
  });
  EXPECT_THAT(text, HasSubstr("deadlock at "));
  EXPECT_THAT(text, HasSubstr("'ring on sip0.cube0.pe1.pe_cpu' waits for event 'recv'"));
  EXPECT_THAT(text,
              HasSubstr("waits for an item in channel 'slots of sip0.cube0.pe1.pe_ipcq from W'"));
  EXPECT_THAT(text, HasSubstr("; running:\n  kernel 'ring' on sip0.cube0.pe1: tl.recv at "
                              "tests/model/kernel/errors_test.cpp:"));
}

TEST(KernelErrors, OfSimulatedTimeThatRunsOut) {
  bench::RunOptions options;
  options.time_limit = common::SimTime::from_ns(50'000);
  EXPECT_THAT(
      failure_of<bench::TimeLimitReached>(
          [](Context& kb) {
            kb.launch(
                "forever",
                [](Tl& tl) {
                  for (;;) (void)tl.arange(3, DataType::F32);
                },
                kOnePe);
          },
          options),
      ::testing::MatchesRegex(
          "simulated time reached 50\\.000 us; running:\n  kernel 'forever' on "
          "sip0\\.cube0\\.pe0: tl\\.arange at tests/model/kernel/errors_test\\.cpp:[0-9]+"));
}

TEST(KernelErrors, OfMemoryThatIsNoLongerMappedWhereItWas) {
  KernelMachine pe{topology::TopologySpec()};
  constexpr std::uint64_t kVa = std::uint64_t{1} << 56U;
  components::Machine& machine = pe.machine();
  auto& host = machine.component_as<components::HostCpu>(machine.resolver().find_host_cpu());
  const auto change = [&](components::HostCommand command) {
    machine.simulation().spawn("host", host.run(std::move(command), {{0, 0, 0}}));
  };
  change({components::MmuMap{{{kVa, pe.slice(), 4096}}}});
  pe.run();
  const TensorRef block = Tl::ref(kVa + 128, 2, 16, DataType::F32);
  pe.start({}, [&](Tl& tl) {
    (void)tl.load(block);
    change({components::MmuMap{{{kVa, pe.slice(65'536), 4096}}}});
    while (pe.now() < 10'000'000) (void)ones(tl, 16, 16);
    (void)tl.load(block);
    change({components::MmuUnmap{{{kVa, 0, 4096}}}});
    while (pe.now() < 20'000'000) (void)ones(tl, 16, 16);
    (void)tl.load(block);
  });
  EXPECT_THAT([&] { pe.run(); }, ::testing::ThrowsMessage<std::exception>(
                                     HasSubstr("tl.load at tests/model/kernel/errors_test.cpp")));
  std::vector<std::uint64_t> read;
  for (const data::OpRecord& record : pe.log().records()) {
    if (const auto* const copy = std::get_if<data::CopyParams>(&record.params)) {
      read.push_back(copy->source.stretches.at(0).pa);
    }
  }
  EXPECT_THAT(read, ::testing::ElementsAre(pe.slice(128), pe.slice(65'536 + 128)));
}

TEST(KernelErrors, LeaveTheTcmEmpty) {
  KernelMachine pe{topology::TopologySpec()};
  std::optional<Tile> kept;
  pe.run([&](Tl& tl) {
    try {
      const Tile x = ones(tl, 4, 8);
      (void)tl.dot(x, x);
    } catch (const KernelError&) {
      kept = ones(tl, 2, 2);  // also works while an exception is handled
    }
  });
  EXPECT_EQ(pe.free_tcm(), std::uint64_t{4} << 20U);
  EXPECT_EQ(kept->rows(), 2U);  // the shape outlives the kernel
  pe.start({0, 0, 1}, [&](Tl& tl) { (void)tl.add(ones(tl, 2, 2), *kept); });
  EXPECT_THAT([&] { pe.run(); }, ::testing::ThrowsMessage<std::exception>(
                                     HasSubstr(": the tile belongs to another kernel")));
  EXPECT_EQ(pe.free_tcm({0, 0, 1}), std::uint64_t{4} << 20U);
}

}  // namespace
}  // namespace kernbench::model::kernel
