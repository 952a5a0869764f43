// SPDX-License-Identifier: Apache-2.0
// Properties of random transfers over any topology with any parameters.
#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "common/random.hpp"
#include "fabric_fixture.hpp"

namespace kernbench::model::fabric {
namespace {

constexpr int kSeeds = 1000;
constexpr std::array<const char*, 5> kTopologies = {
    "FlattenedButterfly(3,4)", "Mesh2D(4,3)", "BidirectionalTorus1D(7)", "BidirectionalTree(2,3)",
    "TerminalRouter(BidirectionalLine(4))"};

struct Submission {
  std::int64_t ps = 0;
  Transfer transfer;
};

/// Returns 30 transfers within 30 cycles, in order of time.
std::vector<Submission> random_submissions(common::Rng& rng, std::uint32_t nodes, bool multicasts) {
  std::vector<Submission> submissions(30);
  for (Submission& submission : submissions) {
    Transfer& transfer = submission.transfer;
    submission.ps = static_cast<std::int64_t>(rng.below(30000));
    transfer.src = static_cast<std::uint32_t>(rng.below(nodes));
    transfer.dst = static_cast<std::uint32_t>(rng.below(nodes));
    transfer.qos = static_cast<Qos>(rng.below(2));
    transfer.bytes = 1 + rng.below(12);
    if (multicasts && rng.below(4) == 0) {
      transfer.type = static_cast<TransferType>(1 + rng.below(3));
    }
  }
  std::sort(submissions.begin(), submissions.end(),
            [](const Submission& a, const Submission& b) { return a.ps < b.ps; });
  for (std::size_t i = 0; i < submissions.size(); ++i) submissions[i].transfer.id = i;
  return submissions;
}

std::int64_t done_alone(const char* topology, const Submission& submission) {
  FabricUnderTest test(topology, 1);
  test.submit_at(submission.ps, submission.transfer);
  return test.run().at(0).ps;
}

TEST(FabricProperty, EachIsDoneOnceInOrderAndNoEarlierThanAlone) {
  std::uint64_t waited = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    common::Rng rng = common::Rng::stream(static_cast<std::uint64_t>(seed), "fabric_property");
    const char* topology = kTopologies.at(rng.below(kTopologies.size()));
    const auto stride = static_cast<std::uint32_t>(1 + rng.below(5));
    FabricUnderTest test(topology, 1, {.multicast_stride = stride});
    const std::vector<Submission> submissions =
        random_submissions(rng, test.topology->n_nodes(), topology == std::string(kTopologies[0]));
    for (const Submission& each : submissions) test.submit_at(each.ps, each.transfer);
    ASSERT_EQ(test.run().size(), submissions.size()) << "seed " << seed;

    std::vector<std::int64_t> done_at(submissions.size(), -1);
    for (const Done& done : test.recorder.done) {
      EXPECT_EQ(done_at.at(done.id), -1) << "seed " << seed;
      done_at.at(done.id) = done.ps;
    }
    std::map<std::tuple<std::uint32_t, std::uint32_t, Qos, TransferType>, std::int64_t> last;
    for (const Submission& each : submissions) {
      const Transfer& transfer = each.transfer;
      const std::int64_t done = done_at[transfer.id];
      const std::int64_t alone = done_alone(topology, each);
      EXPECT_GE(done, alone) << "seed " << seed << ", transfer " << transfer.id;
      waited += done > alone ? 1 : 0;
      // All packets of a transfer arrive after those of the previous transfer of the same kind.
      std::int64_t& before = last[{transfer.src, transfer.dst, transfer.qos, transfer.type}];
      EXPECT_GE(done, before + 1000 * static_cast<std::int64_t>(transfer.bytes))
          << "seed " << seed << ", transfer " << transfer.id;
      before = done;
    }
  }
  EXPECT_GT(waited, 1000U);  // otherwise nothing was tested
}

}  // namespace
}  // namespace kernbench::model::fabric
