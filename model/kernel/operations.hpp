// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>

#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

// The operations of Tl as a list: other languages, their type stubs, their help and the tables of
// docs/kernels.md come from it. A parameter has the name and the place of the C++ one; "name=text"
// states its default.

/// The name, the parameters and the help of an operation. `time` is its time when nothing else
/// runs, in the terms of docs/kernels.md; empty if it takes none.
struct OperationText {
  std::string_view name;
  std::array<std::string_view, 4> parameters;
  std::string_view help;
  std::string_view time = "";
};

/// An operation and the function that does it: a member of Tl, or a function whose first parameter
/// is a Tl. A SourceLine at the end is the line of the call, and CompositeOptions are named
/// options.
template <auto function_of_tl>
struct ListedOperation {
  static constexpr auto kFunction = function_of_tl;
  OperationText text;
};

/// An option of a composite and the help for it; its default is that of CompositeOptions.
template <auto member>
struct ListedOption {
  static constexpr auto kMember = member;
  std::string_view name;
  std::string_view help;
};

inline constexpr std::tuple kCompositeOptions{
    ListedOption<&CompositeOptions::tile_m>{"tile_m", "rows of a tile of a"},
    ListedOption<&CompositeOptions::tile_k>{"tile_k", "columns of a tile of a"},
    ListedOption<&CompositeOptions::tile_n>{"tile_n", "columns of a tile of b"},
    ListedOption<&CompositeOptions::tiles_in_flight>{"tiles_in_flight", "2 is double buffering"},
    ListedOption<&CompositeOptions::epilogue>{
        "epilogue", "operations on each finished tile, such as (\"maximum\", 0.0) or \"gelu\""},
    ListedOption<&CompositeOptions::first_k_tile>{"first_k_tile",
                                                  "tile along k with which each sum begins"},
    ListedOption<&CompositeOptions::plan>{"plan", "order of the tiles: the name of a plan"},
    ListedOption<&CompositeOptions::k_begins>{
        "k_begins", "where the parts of k begin that are each in one place, 0 first"},
    ListedOption<&CompositeOptions::first_k_part>{"first_k_part",
                                                  "part of k with which sums begin"}};

// Operations that Tl overloads by the types of their parameters, or does without an object.

using AnyPending = std::variant<Pending, PendingTile>;
/// The result of a composite: a matrix in memory, or a tile of this type.
using CompositeResult = std::variant<TensorRef, DataType>;

[[nodiscard]] inline TensorRef ref_of(Tl& /*tl*/, std::uint64_t va, std::uint64_t rows,
                                      std::uint64_t columns, DataType type) {
  return Tl::ref(va, rows, columns, type);
}
[[nodiscard]] inline Tile trans_of(const Tl& /*tl*/, const Tile& tile) {
  return Tl::trans(tile);
}
[[nodiscard]] inline std::optional<Tile> composite_of(Tl& tl, const GemmOperand& a,
                                                      const GemmOperand& b,
                                                      const CompositeResult& c,
                                                      const CompositeOptions& options,
                                                      SourceLine line) {
  if (const auto* const type = std::get_if<DataType>(&c)) {
    return tl.composite(a, b, *type, options, line);
  }
  tl.composite(a, b, std::get<TensorRef>(c), options, line);
  return {};
}
[[nodiscard]] inline AnyPending icomposite_of(Tl& tl, const GemmOperand& a, const GemmOperand& b,
                                              const CompositeResult& c,
                                              const CompositeOptions& options, SourceLine line) {
  if (const auto* const type = std::get_if<DataType>(&c)) {
    return tl.icomposite(a, b, *type, options, line);
  }
  return tl.icomposite(a, b, std::get<TensorRef>(c), options, line);
}
[[nodiscard]] inline std::optional<Tile> wait_of(Tl& tl, const AnyPending& pending,
                                                 SourceLine line) {
  if (const auto* const tile = std::get_if<PendingTile>(&pending)) return tl.wait(*tile, line);
  tl.wait(std::get<Pending>(pending), line);
  return {};
}

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

inline constexpr std::tuple kOperations{
    ListedOperation<&Tl::program_id>{
        {"program_id",
         {"axis"},
         "axis 0: the index of the PE within its cube; axis 1: of the cube within its SIP"}},
    ListedOperation<&Tl::num_programs>{
        {"num_programs",
         {"axis"},
         "the PEs of a cube (axis 0), or the cubes (axis 1), of a launch"}},
    ListedOperation<&ref_of>{{"ref",
                              {"va", "rows", "columns", "type"},
                              "names a dense matrix in memory; nothing moves"}},
    ListedOperation<&Tl::load>{
        {"load", {"source"}, "copies a matrix from memory to the TCM, by the DMA", kTimeOfCopy}},
    ListedOperation<&Tl::store>{{"store",
                                 {"target", "tile"},
                                 "copies a tile to a matrix of its shape and type in memory, by "
                                 "the DMA",
                                 kTimeOfCopy}},
    ListedOperation<&Tl::iload>{
        {"iload", {"source"}, "starts a `load` and returns at once, with what `wait` takes"}},
    ListedOperation<&Tl::istore>{
        {"istore", {"target", "tile"}, "starts a `store` and returns at once"}},
    ListedOperation<&Tl::read>{
        {"read",
         {"tile"},
         "the numbers of a tile, on which the kernel may branch; with `--data live`",
         "command + fetch(the tile)"}},
    ListedOperation<&Tl::full>{{"full",
                                {"rows", "columns", "value", "type"},
                                "a tile of one number, from the math engine",
                                kTimeOfMake}},
    ListedOperation<&Tl::arange>{{"arange",
                                  {"columns", "type", "first=0.0"},
                                  "one row that counts up from `first`, from the math engine",
                                  kTimeOfMake}},
    ListedOperation<&trans_of>{{"trans", {"tile"}, "rows and columns exchanged; nothing moves"}},
    ListedOperation<&Tl::transpose>{
        {"transpose", {"x"}, "a transposed copy, by the math engine", kTimeOfMath}},
    ListedOperation<&Tl::gather>{{"gather",
                                  {"source", "rows"},
                                  "copies the rows of memory whose numbers are in `rows`, a row or "
                                  "column of i32, by the DMA",
                                  kTimeOfRows}},
    ListedOperation<&Tl::scatter>{{"scatter",
                                   {"target", "rows", "tile"},
                                   "copies the rows of a tile to the rows of memory whose numbers "
                                   "are in `rows`; of equal numbers the last one counts",
                                   kTimeOfRows}},
    ListedOperation<&Tl::part>{
        {"part", {"tile", "first", "columns"}, "some columns of a tile of one row; nothing moves"}},
    ListedOperation<&Tl::buffer>{{"buffer",
                                  {"columns", "type"},
                                  "a row without values, whose parts are written by the operations "
                                  "with `_into`, each element once"}},
    ListedOperation<&Tl::dot>{
        {"dot",
         {"a", "b", "type=None"},
         "the product of two tiles, summed in f32 (integers: i32) and converted to `type` if "
         "given; two f8 may differ, and b may be i4 beside any a",
         "command + fetch(a and b) + gemm + ceil(m k n / macs_per_cycle) cycles + put(c)"}},
    ListedOperation<&composite_of>{
        {"composite",
         {"a", "b", "c"},
         "a GEMM in tiles, with an epilogue: c = epilogue(a b). Factors are in memory or in the "
         "TCM; c is a matrix in memory, or the type of the tile that is returned",
         kTimeOfGemm}},
    ListedOperation<&icomposite_of>{
        {"icomposite", {"a", "b", "c"}, "starts a `composite` and returns at once"}},
    ListedOperation<&Tl::exp>{
        {"exp", {"x"}, "e to the power of x; floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::log>{
        {"log", {"x"}, "natural logarithm; floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::sqrt>{{"sqrt", {"x"}, "square root; floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::rsqrt>{{"rsqrt", {"x"}, "1 / sqrt(x); floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::abs>{{"abs", {"x"}, "absolute value", kTimeOfMath}},
    ListedOperation<&Tl::sigmoid>{
        {"sigmoid", {"x"}, "1 / (1 + exp(-x)); floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::tanh>{
        {"tanh", {"x"}, "hyperbolic tangent; floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::gelu>{
        {"gelu", {"x"}, "x (1 + erf(x / sqrt(2))) / 2; floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::silu>{{"silu", {"x"}, "x sigmoid(x); floating-point only", kTimeOfMath}},
    ListedOperation<&Tl::neg>{{"neg", {"x"}, "-x, also as an operator", kTimeOfMath}},
    ListedOperation<&Tl::cast>{{"cast",
                                {"x", "type"},
                                "converts: rounds to nearest even, to i32 and i8 towards zero; f8 "
                                "and i4 saturate",
                                kTimeOfMath}},
    ListedOperation<&Tl::add>{{"add", {"a", "b"}, "a + b, also as an operator", kTimeOfMath}},
    ListedOperation<&Tl::sub>{{"sub", {"a", "b"}, "a - b, also as an operator", kTimeOfMath}},
    ListedOperation<&Tl::mul>{{"mul", {"a", "b"}, "a * b, also as an operator", kTimeOfMath}},
    ListedOperation<&Tl::div>{{"div", {"a", "b"}, "a / b, also as an operator", kTimeOfMath}},
    ListedOperation<&Tl::maximum>{
        {"maximum", {"a", "b"}, "the larger element of each pair", kTimeOfMath}},
    ListedOperation<&Tl::minimum>{
        {"minimum", {"a", "b"}, "the smaller element of each pair", kTimeOfMath}},
    ListedOperation<&Tl::compare>{{"compare",
                                   {"op", "a", "b"},
                                   "0 and 1 of type i8; also as `< <= > >=`. op is less, "
                                   "less_equal, greater, greater_equal or equal",
                                   kTimeOfMath}},
    ListedOperation<&Tl::add_into>{
        {"add_into", {"target", "a", "b"}, "as `add`, into a part of a buffer", kTimeOfMath}},
    ListedOperation<&Tl::copy_into>{
        {"copy_into", {"target", "x"}, "a copy of a tile, into a part of a buffer", kTimeOfMath}},
    ListedOperation<&Tl::where>{{"where",
                                 {"condition", "a", "b"},
                                 "a where the condition (i8) is not 0, else b",
                                 kTimeOfMath}},
    ListedOperation<&Tl::sum>{{"sum",
                               {"x", "axis"},
                               "the sum along \"rows\" to one row, along \"columns\" to one column",
                               kTimeOfMath}},
    ListedOperation<&Tl::max>{
        {"max", {"x", "axis"}, "the largest element along \"rows\" or \"columns\"", kTimeOfMath}},
    ListedOperation<&Tl::min>{
        {"min", {"x", "axis"}, "the smallest element along \"rows\" or \"columns\"", kTimeOfMath}},
    ListedOperation<&Tl::argmax>{{"argmax",
                                  {"x"},
                                  "the column (i32) of the largest element of each row; the first "
                                  "of equal ones; NaN is larger than all numbers",
                                  kTimeOfMath}},
    ListedOperation<&Tl::top_k>{{"top_k",
                                 {"x", "k"},
                                 "the columns (i32) of the k largest elements of each row, the "
                                 "largest first",
                                 "as math, with k times the elements"}},
    ListedOperation<&Tl::take>{{"take",
                                {"x", "columns"},
                                "the elements of each row whose columns (i32) are in the same row; "
                                "one row of x serves all",
                                kTimeOfMath}},
    ListedOperation<&Tl::rope>{{"rope",
                                {"x", "cosines", "sines"},
                                "rotary embedding of the two halves of each row: the pair (j, j + "
                                "d/2) turns by angle j",
                                "as math, with twice the elements"}},
    ListedOperation<&Tl::send>{
        {"send",
         {"direction", "tile"},
         "sends a tile to the neighbour in a direction; returns when its data have left",
         "ipcq + dma + read of the TCM + time of the data on the first wire + ipcq + cpu"}},
    ListedOperation<&Tl::recv>{{"recv",
                                {"direction", "rows", "columns", "type"},
                                "receives a tile from the neighbour in a direction",
                                kTimeOfReceive}},
    ListedOperation<&Tl::irecv>{
        {"irecv", {"direction", "rows", "columns", "type"}, "starts a `recv` and returns at once"}},
    ListedOperation<&Tl::recv_into>{{"recv_into",
                                     {"direction", "target"},
                                     "as `recv`, into a part of a buffer",
                                     kTimeOfReceive}},
    ListedOperation<&Tl::irecv_into>{
        {"irecv_into", {"direction", "target"}, "starts a `recv_into` and returns at once"}},
    ListedOperation<&wait_of>{{"wait",
                               {"pending"},
                               "waits for an operation in flight and returns its result; each "
                               "needs exactly one `wait`"}}};

}  // namespace kernbench::model::kernel
