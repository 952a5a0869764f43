// Every cube of every SIP gets the sum of what all cubes have: one rank per SIP, one worker each.

#include <fmt/format.h>

#include "model/bench/random_data.hpp"
#include "model/bench/registry.hpp"
#include "model/ccl/process_group.hpp"

namespace kernbench::model::bench {
namespace {

using data::Array;
using runtime::Placement;

void run(runtime::Context& kb) {
  const std::uint64_t rows = kb.pes();
  const std::uint64_t columns = kb.number("columns");
  const data::DataType type = kb.type("type");
  ccl::ProcessGroup group(kb.session(), "ahbm", kb.session().ccl_yaml());

  ccl::spawn(kb, group, [&](ccl::Worker& worker) {
    // A SIP's cubes begin with the same numbers.
    const runtime::Tensor x =
        worker.kb().tensor(rows, columns, type, {Placement::Replicate, Placement::RowWise},
                           uniform(type, rows, columns, worker.rank()));
    worker.all_reduce(x);

    const std::uint32_t world_size = worker.world_size();
    const std::uint32_t cubes = worker.kb().cubes();
    worker.kb().expect(fmt::format("sum at rank {}", worker.rank()), worker.kb().read(x), [=] {
      data::MatrixF sum =
          data::MatrixF::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
      for (std::uint32_t rank = 0; rank < world_size; ++rank) {
        sum += static_cast<float>(cubes) * uniform(type, rows, columns, rank)().to_floats();
      }
      return Array::from(type, sum);
    });
  });
}

const Registration kBench{{"all-reduce",
                           "sums over all cubes of all SIPs, one rank per SIP",
                           {{"columns", "4096", "of each PE's row"}, {"type", "i32", ""}},
                           run}};

}  // namespace
}  // namespace kernbench::model::bench
