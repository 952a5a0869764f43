// SPDX-License-Identifier: Apache-2.0
// How the points of evaluations are written to the results of parts, and read from them.
#pragma once

#include "common/archive.hpp"
#include "model/bench/evaluation/collective_sweep.hpp"
#include "model/bench/evaluation/gemm_sweep.hpp"

namespace kernbench::model::trace {

template <class Archive>
void serialize(Archive& archive, PathPart& part) {
  archive(part.name, part.time);
}

}  // namespace kernbench::model::trace

namespace kernbench::model::ccl {

template <class Archive>
void serialize(Archive& archive, Grid& grid) {
  archive(grid.w, grid.h);
}

}  // namespace kernbench::model::ccl

namespace kernbench::model::bench {

template <class Archive>
void serialize(Archive& archive, TimeBand& band) {
  archive(band.name, band.undisturbed, band.least, band.median, band.most);
}
template <class Archive>
void serialize(Archive& archive, Spread& spread) {
  archive(spread.runs, spread.seed, spread.least_delay, spread.most_delay, spread.bands);
}
template <class Archive>
void serialize(Archive& archive, GemmCase& gemm) {
  archive(gemm.series, gemm.m, gemm.k, gemm.n, gemm.a, gemm.b, gemm.mapping);
}
template <class Archive>
void serialize(Archive& archive, GemmPoint& point) {
  archive(point.gemm, point.took, point.macs, point.read_bytes, point.written_bytes, point.limits,
          point.spread);
}
template <class Archive>
void serialize(Archive& archive, CollectiveCase& which) {
  archive(which.bytes, which.sips, which.algorithm, which.sip_topology, which.slot_memory,
          which.collective, which.cubes, which.rank, which.ranks);
}
template <class Archive>
void serialize(Archive& archive, CollectivePoint& point) {
  archive(point.which, point.latency, point.bound, point.flit_hops, point.elements, point.wrong,
          point.algorithm, point.neighbors, point.predicted, point.spread);
}

}  // namespace kernbench::model::bench
