// SPDX-License-Identifier: Apache-2.0
// The latency of a send and its receive against the formulas of docs/kernels.md.
#include "latency_fixture.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {
namespace {

/// Arrival times of flits that pass a chain of servers.
class Flow {
 public:
  Flow(std::int64_t ready, std::uint64_t bytes, std::uint32_t flit_bytes) {
    for (; bytes > flit_bytes; bytes -= flit_bytes) flits_.push_back({flit_bytes, ready});
    flits_.push_back({bytes, ready});
  }
  /// Passes a server, whose service time is rounded up to a picosecond, and a delay `after`.
  void pass(double bw_gbs, std::int64_t after) {
    Server server;
    for (Flit& flit : flits_) {
      flit.at = server.pass(flit.at, Formulas::occupancy(flit.bytes, bw_gbs)) + after;
    }
  }
  [[nodiscard]] std::int64_t last() const { return flits_.back().at; }
  [[nodiscard]] std::size_t size() const { return flits_.size(); }

 private:
  struct Flit {
    std::uint64_t bytes;
    std::int64_t at;
  };
  std::vector<Flit> flits_;
};

TEST_P(KernelLatency, OfASendAndAReceive) {
  const memory::PeLocation left{0, 0, 0};
  const memory::PeLocation right{0, 0, 1};
  components::install_neighbors(pe_.machine(), {{left, "E", right, "W"}});
  const auto& pe = pe_.spec().pe;
  const std::uint32_t flit_bytes = pe_.spec().system.flit_bytes;
  // Returns when the DMA, starting at `at`, has read `bytes` of its TCM.
  const auto read = [&](std::int64_t at, std::uint64_t bytes) {
    Flow flow(at + expected_.to_tcm(), bytes, flit_bytes);
    flow.pass(pe.pe_tcm_read_bw_gbs, 0);
    flow.pass(pe.pe_internal.bw_gbs, expected_.travel());
    return flow.last();
  };
  std::size_t most_flits = 0;
  for (const std::uint64_t columns : {1U, 16U, 17U, 96U, 1000U}) {
    SCOPED_TRACE(columns);
    std::int64_t begun = 0;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    pe_.start(left, [&](Tl& tl) {
      const Tile tile = tl.full(4, columns, 1.0, DataType::F32);
      begun = pe_.now();
      tl.send("E", tile);
      sent = pe_.now();
    });
    pe_.start(right, [&](Tl& tl) {
      (void)tl.recv("W", 4, columns, DataType::F32);
      received = pe_.now();
    });
    pe_.run();

    const std::uint64_t bytes = 4 * columns * 4;
    const std::int64_t taken = read(begun + expected_.to_ipcq() + expected_.to_dma(), bytes);
    const auto way = expected_.router().find_path("sip0.cube0.pe0", "sip0.cube0.pe1.pe_dma").edges;
    Flow data(taken, bytes, flit_bytes);
    most_flits = std::max(most_flits, data.size());
    data.pass(pe_.graph().edge(way.front()).bw_gbs, 0);
    EXPECT_EQ(sent, data.last() + expected_.to_ipcq() + expected_.to_cpu());

    data = Flow(taken, bytes, flit_bytes);
    for (const topology::EdgeId id : way) {
      const topology::Edge& edge = pe_.graph().edge(id);
      data.pass(edge.bw_gbs,
                pe_.graph().node(edge.to).overhead.ps() +
                    transport::propagation(edge.length_nm, pe_.spec().system.wire_ns_per_mm).ps());
    }
    Flow slot(data.last(), bytes, flit_bytes);
    slot.pass(pe.pe_internal.bw_gbs, expected_.travel() + ps_of(pe.pe_tcm_overhead_ns));
    slot.pass(pe.pe_tcm_write_bw_gbs, 0);
    const std::int64_t arrived = slot.last() + expected_.message() + expected_.to_ipcq();
    EXPECT_EQ(received,
              read(arrived + expected_.to_dma(), bytes) + expected_.to_ipcq() + expected_.to_cpu());
  }
  EXPECT_GT(most_flits, 10U);
}

}  // namespace
}  // namespace kernbench::model::kernel
