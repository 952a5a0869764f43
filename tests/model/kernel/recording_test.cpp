// SPDX-License-Identifier: Apache-2.0
// The list of a kernel's operations, which is the same on a PE and with a recorder.
#include "kernel_fixture.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/kernel/kernel_error.hpp"
#include "model/kernel/recording_executor.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Calls each operation once.
void everything(Tl& tl, std::uint64_t address) {
  const TensorRef x_ref = Tl::ref(address, 70, 64, DataType::F16);
  const Tile x = tl.load(x_ref.block(64, 0, 16, 64));  // 6 rows
  const Tile y = tl.cast(x, DataType::F32);
  const Tile row = tl.arange(64, DataType::F32, 1.0);
  const Tile z = tl.where(y < row, -y, tl.exp(y * 0.5) + row);
  const Tile norm = z / tl.sum(z, Axis::Columns);
  const Tile product = tl.dot(norm, Tl::trans(norm));
  CompositeOptions options;
  options.tile_k = 32;
  options.epilogue = {{MathOp::Maximum, 0.0},
                      {MathOp::Mul, Accumulated{0}},
                      {MathOp::Add, tl.full(1, 6, 2.0, DataType::F16)}};
  tl.composite(x, Tl::ref(address, 64, 6, DataType::F16), Tl::ref(address, 6, 6, DataType::F16),
               options);
  const Tile best = tl.top_k(norm, 2);
  const Tile rows = tl.gather(Tl::ref(address, 70, 64, DataType::F16), tl.argmax(norm));
  tl.scatter(Tl::ref(address, 70, 64, DataType::F16), tl.argmax(rows), rows);
  (void)tl.take(Tl::trans(tl.transpose(norm)), best);
  (void)tl.rope(norm, tl.part(row, 0, 32), tl.part(row, 32, 32));
  tl.send("E", product);
  const PendingTile pending = tl.irecv("E", 6, 6, DataType::F32);
  tl.store(Tl::ref(address, 6, 64, DataType::F32), tl.maximum(norm, 1.0 * row));
  (void)tl.wait(pending);
}

std::string line_of(std::string_view text, const data::SourceLine& line) {
  return fmt::format("{} at {}:{}", text, line.file, line.line);
}

TEST(RecordingExecutor, NamesTheWritersOfABufferAndNotTheBuffer) {
  const std::vector<RecordedOperation> list = record_kernel(
      [](Tl& tl) {
        const Tile all = tl.buffer(8, DataType::F32);
        tl.copy_into(tl.part(all, 0, 4), tl.arange(4, DataType::F32, 1.0));
        tl.copy_into(tl.part(all, 4, 4), tl.arange(4, DataType::F32, 2.0));
        tl.store(Tl::ref(0, 1, 8, DataType::F32), all);
      },
      topology::TopologySpec());
  ASSERT_EQ(list.size(), 5U);
  EXPECT_THAT(list.back().dependencies, ElementsAre(1, 3));
}

TEST(RecordingExecutor, ListsTheOperationsThatAPeDoes) {
  KernelMachine pe{topology::TopologySpec()};
  components::install_neighbors(pe.machine(), {{{0, 0, 0}, "E", {0, 0, 1}, "W"}});
  const std::uint64_t address = pe.slice();
  pe.start({}, [&](Tl& tl) { everything(tl, address); });
  pe.start({0, 0, 1}, [](Tl& tl) { tl.send("W", tl.recv("W", 6, 6, DataType::F32)); });
  pe.run();

  std::vector<std::string> done;
  std::vector<data::Params> params;
  for (const data::OpRecord& record : pe.log().records()) {
    const topology::Node& place = pe.graph().node(record.component);
    if (place.pe != 0) continue;
    done.push_back(line_of(text_of(record.params), record.line));
    params.push_back(record.params);
  }
  const std::vector<RecordedOperation> recorded =
      record_kernel([&](Tl& tl) { everything(tl, address); }, pe.spec(), {0, 0, 8, 16});
  std::vector<std::string> written;
  for (const RecordedOperation& operation : recorded) {
    written.push_back(line_of(text_of(operation.params), operation.line));
  }
  EXPECT_EQ(written, done);

  // TCM is allocated in the same way.
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const auto* const math = std::get_if<data::MathParams>(&recorded[i].params);
    if (math == nullptr) continue;
    EXPECT_EQ(math->output.stretches, std::get<data::MathParams>(params[i]).output.stretches);
  }
}

TEST(RecordingExecutor, SaysWhatEachOperationDoesAndWhatItTakes) {
  const topology::TopologySpec spec;
  const std::vector<RecordedOperation> list = record_kernel(
      [](Tl& tl) {
        const Tile x = tl.load(Tl::ref(tl.program_id(0) * 4096, 4, 8, DataType::F16));
        tl.store(Tl::ref(0, 4, 4, DataType::F32), tl.dot(x, Tl::trans(x)));
        (void)tl.max(x + 1.5, Axis::Rows);
      },
      spec, {3, 0, 8, 1});
  std::vector<std::string> lines;
  for (const RecordedOperation& operation : list) {
    lines.push_back(fmt::format("{}: {} of {}", operation.name, text_of(operation.params),
                                fmt::join(operation.dependencies, " ")));
  }
  EXPECT_THAT(lines,
              ElementsAre("load: dma_read 4 x 8 of f16 -> 4 x 8 of f16 of ",
                          "dot: gemm_f16 4 x 8 of f16, (4 x 8)^T of f16 -> 4 x 4 of f32 of 0",
                          "store: dma_write 4 x 4 of f32 -> 4 x 4 of f32 of 1",
                          "add: add 4 x 8 of f16, 1.5 -> 4 x 8 of f16 of 0",
                          "max: max 4 x 8 of f16, along rows -> 1 x 8 of f16 of 3"));
  EXPECT_EQ(std::get<data::CopyParams>(list[0].params).source.stretches,
            (std::vector<data::Stretch>{{3 * 4096, 64}}));
}

TEST(RecordingExecutor, RefusesWhatAPeWould) {
  const topology::TopologySpec spec;
  const auto large = [](Tl& tl) { (void)tl.full(2048, 1024, 0.0, DataType::F32); };
  EXPECT_THAT([&] { (void)record_kernel(large, spec); },
              ::testing::ThrowsMessage<KernelError>(HasSubstr("is out of memory")));
  const auto slot = [](Tl& tl) { tl.send("E", tl.full(256, 256, 0.0, DataType::F32)); };
  EXPECT_THAT([&] { (void)record_kernel(slot, spec); },
              ::testing::ThrowsMessage<KernelError>(
                  HasSubstr("a send has 1 to 65536 bytes (pe_ipcq.slot_bytes), not 262144")));
}

}  // namespace
}  // namespace kernbench::model::kernel
