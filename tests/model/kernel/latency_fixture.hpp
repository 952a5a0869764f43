// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "model/probe/closed_form.hpp"
#include "model/transport/wire_time.hpp"
#include "tests/model/kernel/kernel_fixture.hpp"
#include "topology/routing/path_router.hpp"
#include "topology/spec/topology_spec.hpp"

namespace kernbench::model::kernel {
/// Returns a system with other parameters than the default.
inline topology::TopologySpec other_spec() {
  topology::TopologySpec spec;
  spec.system.request_bytes = 24;
  spec.pe.clock_ghz = 0.75;
  spec.pe.pe_cpu_overhead_ns = 3.5;
  spec.pe.pe_scheduler_overhead_ns = 1.25;
  spec.pe.pe_dma_overhead_ns = 4.75;
  spec.pe.pe_fetch_store_overhead_ns = 0.5;
  spec.pe.pe_gemm_overhead_ns = 7.0;
  spec.pe.pe_gemm_macs_per_cycle = 1000;
  spec.pe.pe_math_overhead_ns = 1.125;
  spec.pe.pe_math_elements_per_cycle = 33;
  spec.pe.pe_tcm_overhead_ns = 2.5;
  spec.pe.pe_tcm_read_bw_gbs = 300.0;
  spec.pe.pe_tcm_write_bw_gbs = 200.0;
  spec.pe.pe_mmu_tlb_overhead_ns = 0.75;
  spec.pe.pe_ipcq_overhead_ns = 3.25;
  spec.pe.pe_internal = {700.0, 0.25};
  spec.cube.memory_map.channels_per_slice = 4;
  return spec;
}

inline std::int64_t ps_of(double ns) {
  return common::SimTime::from_ns(ns).ps();
}

/// The formulas of docs/kernels.md.
class Formulas {
 public:
  explicit Formulas(components::Machine& machine)
      : machine_(machine),
        router_(machine.graph()),
        system_(machine.spec().system),
        pe_(machine.spec().pe) {}

  /// Returns the time of a message to another part of the PE, without that part's overhead.
  [[nodiscard]] std::int64_t wire(std::uint64_t bytes) const {
    return occupancy(bytes, pe_.pe_internal.bw_gbs) + travel();
  }
  [[nodiscard]] std::int64_t to_cpu() const { return message() + ps_of(pe_.pe_cpu_overhead_ns); }
  [[nodiscard]] std::int64_t to_scheduler() const {
    return message() + ps_of(pe_.pe_scheduler_overhead_ns);
  }
  [[nodiscard]] std::int64_t to_dma() const { return message() + ps_of(pe_.pe_dma_overhead_ns); }
  [[nodiscard]] std::int64_t to_ipcq() const { return message() + ps_of(pe_.pe_ipcq_overhead_ns); }
  [[nodiscard]] std::int64_t to_gemm() const { return message() + ps_of(pe_.pe_gemm_overhead_ns); }
  [[nodiscard]] std::int64_t to_math() const { return message() + ps_of(pe_.pe_math_overhead_ns); }
  [[nodiscard]] std::int64_t to_tcm() const { return message() + ps_of(pe_.pe_tcm_overhead_ns); }
  [[nodiscard]] std::int64_t to_fetch_store() const {
    return message() + ps_of(pe_.pe_fetch_store_overhead_ns);
  }
  [[nodiscard]] std::int64_t command() const { return to_scheduler() + to_scheduler() + to_cpu(); }
  [[nodiscard]] std::int64_t fetch(std::uint64_t bytes) const {
    return to_fetch_store() + to_tcm() + occupancy(bytes, pe_.pe_tcm_read_bw_gbs);
  }
  [[nodiscard]] std::int64_t store(std::uint64_t bytes) const {
    return to_fetch_store() + to_tcm() + occupancy(bytes, pe_.pe_tcm_write_bw_gbs);
  }
  [[nodiscard]] std::int64_t cycles(std::uint64_t work, std::uint32_t per_cycle) const {
    const auto count = static_cast<double>((work + per_cycle - 1) / per_cycle);
    return static_cast<std::int64_t>(std::ceil(count * 1000.0 / pe_.clock_ghz));
  }
  [[nodiscard]] std::int64_t gemm(std::uint64_t macs) const {
    return cycles(macs, pe_.pe_gemm_macs_per_cycle);
  }
  [[nodiscard]] std::int64_t math(std::uint64_t elements) const {
    return cycles(elements, pe_.pe_math_elements_per_cycle);
  }
  /// Returns the time of an access by PE 0 of its cube to a contiguous block of a PE's slice, or to
  /// rows with gaps.
  [[nodiscard]] std::int64_t access(bool write, std::uint64_t bytes, std::uint64_t address = 0,
                                    const char* slice = "sip0.cube0.hbm_ctrl.pe0",
                                    std::uint64_t row_bytes = 0,
                                    std::uint64_t row_stride = 0) const {
    const auto there = router_.find_path("sip0.cube0.pe0", slice).edges;
    const auto back = machine_.network().reversed(there);
    const probe::LoneAccess alone{write, there, back, address, bytes, row_bytes, row_stride};
    return ps_of(pe_.pe_mmu_tlb_overhead_ns) +
           probe::closed_form(machine_.graph(), alone).latency().ps() -
           ps_of(pe_.pe_dma_overhead_ns);  // already paid when the tile arrived
  }
  [[nodiscard]] std::int64_t load(std::uint64_t bytes) const {
    return command() + to_dma() + access(false, bytes);
  }
  [[nodiscard]] std::int64_t compute(std::uint64_t in, std::int64_t engine,
                                     std::uint64_t out) const {
    return command() + (in == 0 ? 0 : fetch(in)) + engine + store(out);
  }
  [[nodiscard]] const topology::PathRouter& router() const { return router_; }
  [[nodiscard]] std::int64_t message() const { return wire(system_.request_bytes); }
  [[nodiscard]] static std::int64_t occupancy(std::uint64_t bytes, double bw_gbs) {
    return transport::occupancy(bytes, bw_gbs).ps();
  }
  [[nodiscard]] std::int64_t travel() const {
    return ps_of(pe_.pe_internal.distance_mm * system_.wire_ns_per_mm);
  }

 private:
  components::Machine& machine_;
  topology::PathRouter router_;
  const topology::SystemSpec& system_;
  const topology::PeSpec& pe_;
};

class KernelLatency : public ::testing::TestWithParam<const char*> {
 protected:
  KernelLatency()
      : pe_(GetParam() == std::string_view("default") ? topology::TopologySpec() : other_spec()),
        expected_(pe_.machine()) {}

  /// Returns the time of a part of a kernel, which runs after `prepare`.
  template <typename Prepare, typename Act>
  std::int64_t time_of(Prepare prepare, Act act) {
    std::int64_t took = 0;
    pe_.run([&](Tl& tl) {
      const auto prepared = prepare(tl);
      const std::int64_t from = pe_.now();
      act(tl, prepared);
      took = pe_.now() - from;
    });
    return took;
  }
  template <typename Act>
  std::int64_t time_of(Act act) {
    return time_of([](Tl&) { return 0; }, [&](Tl& tl, int) { act(tl); });
  }

  KernelMachine pe_;
  Formulas expected_;
};

/// Serves requests in order. A request that arrives at `ready` starts when its predecessors have
/// left, and leaves after its own service time.
struct Server {
  std::int64_t free = 0;
  std::int64_t pass(std::int64_t ready, std::int64_t time) {
    return free = std::max(ready, free) + time;
  }
};

}  // namespace kernbench::model::kernel
