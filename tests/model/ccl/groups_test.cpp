// SPDX-License-Identifier: Apache-2.0
// Groups of any ranks in any order, several at once, and messages between two members.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "model/bench/random_data.hpp"
#include "model/ccl/process_group.hpp"
#include "tests/model/ccl/group_fixture.hpp"

namespace kernbench::model::ccl {
namespace {

using bench::RunResult;
using data::Array;
using data::DataType;
using runtime::Placement;
using runtime::Tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kSips = "backend: ahbm\nalgorithms: {all_reduce: recursive-doubling}\n";
constexpr const char* kCubes =
    "backend: ahbm\nrank: cube\nalgorithms: {all_reduce: recursive-doubling}\n";
constexpr const char* kPes = "backend: ahbm\nrank: pe\n";

Array filled(std::int32_t value) {
  return Array::from(DataType::I32, data::MatrixI(data::MatrixI::Constant(4, 24, value)));
}

/// Returns a tensor with the same value everywhere.
Tensor tensor_of(runtime::Context& device, std::int32_t value) {
  return device.tensor(4, 24, DataType::I32, {Placement::Replicate, Placement::ColumnWise},
                       [value] { return filled(value); });
}

void expect_value(runtime::Context& device, const Tensor& tensor, std::int32_t value) {
  device.expect(fmt::format("at {}", device.device().name()), device.read(tensor),
                [value] { return filled(value); });
}

/// Expects right results and contracts of `calls` members' calls.
void expect_right(const RunResult& result, std::size_t checks, std::size_t calls) {
  EXPECT_EQ(result.checks.size(), checks);
  EXPECT_EQ(result.contracts.size(), calls);
  for (const auto* const list : {&result.checks, &result.contracts}) {
    for (const runtime::CheckReport& check : *list) {
      EXPECT_EQ(check.wrong, 0U) << check.name << " " << check.first_wrong;
      EXPECT_GT(check.elements, 0U);
    }
  }
}

TEST(Groups, ACollectiveRunsOnItsGroupAlone) {
  const RunResult result = run(
      small_system_of(4, 1, 1),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        Group& some = world.group("some", {3, 0, 2});
        spawn(kb, world, [&](Worker& worker) {
          const auto rank = static_cast<std::int32_t>(worker.rank());
          const Tensor x = tensor_of(worker.kb(), 1 << rank);
          if (rank != 1) worker.in(some).all_reduce(x);
          expect_value(worker.kb(), x, rank == 1 ? 2 : 13);
        });
      },
      kSips);
  expect_right(result, 4, 3);
  for (const runtime::LaunchRecord& launch : result.launches) EXPECT_NE(launch.device.sip, 1U);
}

TEST(Groups, BlocksAreInTheOrderOfTheGroup) {
  const RunResult result = run(
      small_system_of(4, 1, 1),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        Group& some = world.group("some", {3, 0, 2});
        spawn(kb, world, [&](Worker& worker) {
          if (worker.rank() == 1) return;
          const Tensor x = tensor_of(worker.kb(), static_cast<std::int32_t>(worker.rank()));
          const Tensor y = worker.kb().tensor(12, 24, DataType::I32,
                                              {Placement::Replicate, Placement::ColumnWise});
          worker.in(some).all_gather(y, x);
          worker.kb().expect("y", worker.kb().read(y), [] {
            data::MatrixI all(12, 24);
            all.topRows(4).setConstant(3);
            all.middleRows(4, 4).setConstant(0);
            all.bottomRows(4).setConstant(2);
            return Array::from(DataType::I32, all);
          });
        });
      },
      kSips);
  expect_right(result, 3, 3);
}

/// Sums within the cubes 0, 1, 4, 5 and within 7, 3, 2 of a SIP of 4 x 2 cubes. Returns the time of
/// the launches from the first start to the last end, and their number, of those of `which`.
std::pair<std::int64_t, std::size_t> cube_groups(bool first, bool second) {
  static bool with_first;
  static bool with_second;
  with_first = first;
  with_second = second;
  const RunResult result = run(
      small_system_of(1, 4, 2),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        Group& left = world.group("left", {0, 1, 4, 5});
        Group& right = world.group("right", {7, 3, 2});
        spawn(kb, world, [&](Worker& worker) {
          const Tensor x = tensor_of(worker.kb(), 1 << worker.rank());
          std::int32_t sum = 1 << worker.rank();
          if (left.index_of(worker.rank()) && with_first) {
            worker.in(left).all_reduce(x);
            sum = 51;
          }
          if (right.index_of(worker.rank()) && with_second) {
            worker.in(right).all_reduce(x);
            sum = 140;
          }
          expect_value(worker.kb(), x, sum);
        });
      },
      kCubes);
  expect_right(result, 8, (first ? 4 : 0) + (second ? 3 : 0));
  common::SimTime start = result.end;
  common::SimTime end;
  for (const runtime::LaunchRecord& launch : result.launches) {
    start = std::min(start, launch.start);
    end = std::max(end, launch.end);
  }
  return {(end - start).ps(), result.launches.size()};
}

TEST(Groups, TwoRunAtTheSameTime) {
  const auto [left, left_launches] = cube_groups(true, false);
  const auto [right, right_launches] = cube_groups(false, true);
  const auto [both, launches] = cube_groups(true, true);
  EXPECT_EQ(left_launches, 4U);
  EXPECT_EQ(right_launches, 3U);
  EXPECT_EQ(launches, 7U);
  EXPECT_GT(left, 500'000);
  EXPECT_GT(right, 500'000);
  // They share the host and the links of the mesh, not their PEs.
  EXPECT_LT(both, left + right / 2);
}

TEST(Groups, MayOverlap) {
  const RunResult result = run(
      small_system_of(3, 1, 1),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        Group& low = world.group("low", {0, 1});
        Group& high = world.group("high", {2, 1});
        spawn(kb, world, [&](Worker& worker) {
          const auto rank = static_cast<std::int32_t>(worker.rank());
          const Tensor x = tensor_of(worker.kb(), 1 << rank);
          if (rank < 2) worker.in(low).all_reduce(x);
          if (rank > 0) worker.in(high).all_reduce(x);
          expect_value(worker.kb(), x, rank == 0 ? 3 : 7);
        });
      },
      kSips);
  expect_right(result, 3, 4);
}

TEST(Groups, MembersSendToEachOtherAlsoWithinACube) {
  const RunResult result = run(
      small_system_of(2, 1, 1),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        ASSERT_EQ(world.world_size(), 8U);
        Group& some = world.group("some", {6, 2, 3});
        spawn(kb, world, [&](Worker& worker) {
          if (!some.index_of(worker.rank())) return;
          Member member = worker.in(some);
          const Tensor x = tensor_of(worker.kb(), static_cast<std::int32_t>(worker.rank()));
          const Tensor y = tensor_of(worker.kb(), -1);
          // 6 -> 2 between SIPs, 2 -> 3 within a cube, 3 -> 6 between SIPs.
          member.send(x, (member.rank() + 1) % 3);
          member.receive(y, (member.rank() + 2) % 3);
          const std::int32_t from[] = {3, 6, 2};
          expect_value(worker.kb(), y, from[member.rank()]);
        });
      },
      kPes);
  expect_right(result, 3, 0);
}

TEST(Groups, AMessageReachesAllCubesOfARank) {
  const RunResult result = run(
      small_system_of(2, 2, 2),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        spawn(kb, world, [&](Worker& worker) {
          const Tensor x = tensor_of(worker.kb(), static_cast<std::int32_t>(worker.rank()));
          if (worker.rank() == 0) worker.send(x, 1);
          if (worker.rank() == 1) worker.receive(x, 0);
          // Sums the copies of all cubes: 0 if each of them has arrived.
          if (worker.rank() == 1) worker.in(worker.group("one", {1})).all_reduce(x);
          expect_value(worker.kb(), x, 0);
        });
      },
      kSips);
  expect_right(result, 2, 1);
}

TEST(Groups, AMemberSendsManyMessagesToEachOfFifteen) {
  const RunResult result = run(
      small_system_of(2, 2, 1),
      [](runtime::Context& kb) {
        ProcessGroup world(kb.session(), "ahbm");
        ASSERT_EQ(world.world_size(), 16U);
        spawn(kb, world, [&](Worker& worker) {
          // 69,120 bytes are five messages, one more than there are slots.
          const auto all = [](std::uint32_t value) {
            return Array::from(DataType::I32, data::MatrixI(data::MatrixI::Constant(
                                                  720, 24, static_cast<std::int32_t>(value))));
          };
          const std::uint32_t rank = worker.rank();
          const Tensor x =
              worker.kb().tensor(720, 24, DataType::I32, {}, [=] { return all(rank + 7); });
          if (rank != 0) worker.receive(x, 0);
          for (std::uint32_t to = 1; rank == 0 && to < 16; ++to) worker.send(x, to);
          worker.kb().expect("x", worker.kb().read(x), [=] { return all(7); });
        });
      },
      kPes);
  expect_right(result, 16, 0);
  EXPECT_EQ(result.launches.size(), 30U);
}

/// Returns the message of a bench that is refused.
std::string refusal_of(void (*body)(runtime::Context&), const char* ccl = kSips) {
  try {
    (void)run(small_system_of(3, 1, 1), body, ccl);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "not refused";
}

template <int kCase>
void make_group(runtime::Context& kb) {
  ProcessGroup world(kb.session(), "ahbm");
  if (kCase == 0) (void)world.group("g", {});
  if (kCase == 1) (void)world.group("g", {0, 2, 0});
  if (kCase == 2) (void)world.group("g", {0, 3});
  if (kCase == 3) (void)world.group("a b", {0});
  if (kCase == 4) {
    (void)world.group("g", {0, 1});
    (void)world.group("g", {0, 1});
    (void)world.group("g", {1, 0});
  }
}

TEST(Groups, RefuseRanksThatCannotBe) {
  EXPECT_THAT(refusal_of(make_group<0>), HasSubstr("group 'g' has no ranks"));
  EXPECT_THAT(refusal_of(make_group<1>), HasSubstr("group 'g' has rank 0 twice"));
  EXPECT_THAT(refusal_of(make_group<2>),
              HasSubstr("group 'g' has rank 3, but the world has ranks 0 to 2"));
  EXPECT_THAT(refusal_of(make_group<3>),
              HasSubstr("'a b' is not a valid name of a group; use letters, digits, - and _"));
  EXPECT_THAT(refusal_of(make_group<4>), HasSubstr("group 'g' has the ranks 0, 1, not 1, 0"));
}

/// Runs `work` at every rank.
void at_every_rank(runtime::Context& kb, void (*work)(Worker& worker)) {
  ProcessGroup world(kb.session(), "ahbm");
  spawn(kb, world, work);
}

TEST(Groups, RefuseCallsThatDoNotFitThoseOfOtherMembers) {
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb, [](Worker& worker) {
                  if (worker.rank() == 1) return (void)worker.in(worker.group("g", {0, 2}));
                });
              }),
              HasSubstr("rank 1 is not a member of group 'g'"));
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb, [](Worker& worker) {
                  const Tensor x = tensor_of(worker.kb(), 1);
                  worker.all_reduce(x);
                  if (worker.rank() == 0) return worker.broadcast(x, 0);
                  worker.all_reduce(x);
                });
              }),
              HasSubstr("broadcast, call 2 of group 'world', is all_reduce at rank 1"));
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb, [](Worker& worker) {
                  worker.broadcast(tensor_of(worker.kb(), 1), worker.rank() / 2);
                });
              }),
              HasSubstr("broadcast, call 1 of group 'world': rank 2 calls it with root 1, but rank "
                        "0 with 0"));
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb, [](Worker& worker) {
                  const std::uint64_t rows = worker.rank() == 2 ? 8 : 4;
                  worker.all_reduce(worker.kb().tensor(
                      rows, 24, DataType::I32, {Placement::Replicate, Placement::ColumnWise},
                      bench::uniform(DataType::I32, rows, 24, 1)));
                });
              }),
              HasSubstr("all_reduce, call 1 of group 'world': rank 2 calls it with tensors that do "
                        "not fit: 8 x 24 of i32, but rank 0 with 4 x 24 of i32"));
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb, [](Worker& worker) {
                  const Tensor x = tensor_of(worker.kb(), 1);
                  const Tensor y = tensor_of(worker.kb(), 1);
                  const bool odd = worker.rank() == 1;
                  worker.all_to_all(y, x, {1, 1, 2},
                                    odd ? std::vector<std::uint64_t>{0, 2, 2}
                                        : std::vector<std::uint64_t>{1, 1, 2});
                });
              }),
              HasSubstr("all_to_all, call 1 of group 'world': rank 0 sends 1 rows to rank 1, which "
                        "expects 0"));
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb, [](Worker& worker) {
                  worker.all_to_all(tensor_of(worker.kb(), 1), tensor_of(worker.kb(), 1));
                });
              }),
              HasSubstr("the input of all_to_all has 4 rows, which 3 members cannot share evenly"));
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb, [](Worker& worker) {
                  worker.reduce(nullptr, tensor_of(worker.kb(), 1), 0);
                });
              }),
              HasSubstr("reduce needs an output tensor"));
  EXPECT_THAT(refusal_of([](runtime::Context& kb) {
                at_every_rank(kb,
                              [](Worker& worker) { worker.send(tensor_of(worker.kb(), 1), 3); });
              }),
              HasSubstr("unknown member 3; group 'world' has members 0 to 2"));
}

TEST(Groups, AMemberThatNeverCallsIsNamedInTheListOfWaits) {
  const std::string text = refusal_of([](runtime::Context& kb) {
    ProcessGroup world(kb.session(), "ahbm");
    Group& some = world.group("some", {2, 0, 1});
    spawn(kb, world, [&](Worker& worker) {
      const Tensor x = tensor_of(worker.kb(), 1);
      worker.in(some).all_reduce(x);
      if (worker.rank() == 0) worker.in(some).broadcast(x, 0);
    });
  });
  EXPECT_THAT(text, HasSubstr("deadlock at "));
  EXPECT_THAT(text, HasSubstr("\n  broadcast, call 2 of group 'some', waits for ranks 2, 1, which "
                              "never called it"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("call 1 of group")));
}

}  // namespace
}  // namespace kernbench::model::ccl
