// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace kernbench::model::kernel {

// The texts that several operations of kOperations share.

/// The name, the parameters and the help of an operation. `time` is its time when nothing else
/// runs, in the terms of docs/kernels.md; empty if it takes none. `shapes` are those of operands
/// and of the result, r rows x c columns, and `errors` the reasons for which it is refused.
struct OperationText {
  std::string_view name;
  std::array<std::string_view, 4> parameters;
  std::string_view help;
  std::string_view time = "";
  std::string_view shapes = "";
  std::string_view errors = "";
};

inline constexpr std::string_view kTimeOfMath =
    "command + fetch(all tiles) + math + ceil(elements / elements_per_cycle) cycles + put(result)";
inline constexpr std::string_view kTimeOfMake =
    "command + math + ceil(elements / elements_per_cycle) cycles + put(result)";
inline constexpr std::string_view kTimeOfCopy = "command + dma + tlb_overhead + access";
inline constexpr std::string_view kTimeOfRows =
    "command + fetch(numbers) + dma + tlb_overhead + accesses";
inline constexpr std::string_view kTimeOfReceive =
    "ipcq + dma + read of the slot + ipcq + cpu, when the data is in the slot";
inline constexpr std::string_view kTimeOfGemm =
    "tiles in a pipeline: [dma + access] fetch gemm [epilogue] put [dma + access]";

inline constexpr std::string_view kShapesOfUnary = "x r x c; the result r x c";
inline constexpr std::string_view kShapesOfBinary =
    "a and b r x c, or 1 in place of a side, or numbers; the result r x c";
inline constexpr std::string_view kShapesOfReduction =
    "x r x c; the result 1 x c along \"rows\", r x 1 along \"columns\"";

inline constexpr std::string_view kErrorsOfMath =
    "operands whose sides or types do not fit; i4; a tile of another kernel; a full TCM";
inline constexpr std::string_view kErrorsOfFloats =
    "integers; a tile of another kernel; a full TCM";
inline constexpr std::string_view kErrorsOfLoad = "unmapped memory; a full TCM";
inline constexpr std::string_view kErrorsOfStore =
    "a tile that does not fit; a tile of another kernel; unmapped memory";
inline constexpr std::string_view kErrorsOfInto =
    "a target that is not a part of a buffer, does not fit, or was written before; as for others "
    "of the math engine";
inline constexpr std::string_view kErrorsOfGemm =
    "sides and types that do not fit; a tile with more sums than the accumulators hold; unmapped "
    "memory; a full TCM; an unknown plan or step";
inline constexpr std::string_view kErrorsOfMessages =
    "a direction without a neighbour; a tile larger than a slot; a shape or a type other than that "
    "of the other end; a full TCM";

/// The terms of the times, in short; docs/kernels.md has the times of accesses.
inline constexpr std::string_view kTermsOfTimes =
    "The terms of the times: command = scheduler + scheduler + cpu, there and back; fetch = "
    "fetch_store + tcm + bytes read / read_bw_gbs; put = fetch_store + tcm + bytes written / "
    "write_bw_gbs; scheduler, cpu, dma, math, gemm, ipcq and fetch_store are a message to that "
    "part "
    "of the PE, with its overhead_ns; access is the time of the memory, and tlb_overhead that of "
    "the "
    "translation. A time counts from the call to the return, in picoseconds, when nothing else "
    "runs";

}  // namespace kernbench::model::kernel
