// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <variant>

#include "model/kernel/operation_texts.hpp"
#include "model/kernel/tl.hpp"

namespace kernbench::model::kernel {

// The operations of Tl as a list: other languages, their type stubs, their help and the tables of
// docs/kernels.md come from it. A parameter has the name and the place of the C++ one; "name=text"
// states its default.

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

inline constexpr std::tuple kOperations{
    ListedOperation<&Tl::program_id>{
        {"program_id",
         {"axis"},
         "axis 0: the index of the PE within its cube; axis 1: of the cube within its SIP",
         "",
         "a number",
         "an axis other than 0 and 1"}},
    ListedOperation<&Tl::num_programs>{
        {"num_programs",
         {"axis"},
         "the PEs of a cube (axis 0), or the cubes (axis 1), of a launch",
         "",
         "a number",
         "an axis other than 0 and 1"}},
    ListedOperation<&ref_of>{{"ref",
                              {"va", "rows", "columns", "type"},
                              "names a dense matrix in memory; nothing moves",
                              "",
                              "the matrix is rows x columns",
                              "none; an operation that accesses memory that is not mapped fails"}},
    ListedOperation<&Tl::load>{{"load",
                                {"source"},
                                "copies a matrix from memory to the TCM, by the DMA",
                                kTimeOfCopy,
                                "the tile has the rows, columns and type of source",
                                kErrorsOfLoad}},
    ListedOperation<&Tl::store>{{"store",
                                 {"target", "tile"},
                                 "copies a tile to a matrix of its shape and type in memory, by "
                                 "the DMA",
                                 kTimeOfCopy,
                                 "tile and target have the same rows, columns and type",
                                 kErrorsOfStore}},
    ListedOperation<&Tl::iload>{{"iload",
                                 {"source"},
                                 "starts a `load` and returns at once, with what `wait` takes",
                                 "",
                                 "as `load`",
                                 "as `load`; a kernel that ends without the `wait`"}},
    ListedOperation<&Tl::istore>{{"istore",
                                  {"target", "tile"},
                                  "starts a `store` and returns at once",
                                  "",
                                  "as `store`",
                                  "as `store`; a kernel that ends without the `wait`"}},
    ListedOperation<&Tl::read>{
        {"read",
         {"tile"},
         "the numbers of a tile, on which the kernel may branch; with `--data live`",
         "command + fetch(the tile)",
         "an array of the rows and columns of the tile",
         "a run without `--data live`; a tile of another kernel"}},
    ListedOperation<&Tl::full>{{"full",
                                {"rows", "columns", "value", "type"},
                                "a tile of one number, from the math engine",
                                kTimeOfMake,
                                "the tile is rows x columns",
                                "i4; a full TCM"}},
    ListedOperation<&Tl::arange>{{"arange",
                                  {"columns", "type", "first=0.0"},
                                  "one row that counts up from `first`, from the math engine",
                                  kTimeOfMake,
                                  "the tile is 1 x columns",
                                  "i4; a full TCM"}},
    ListedOperation<&trans_of>{{"trans",
                                {"tile"},
                                "rows and columns exchanged; nothing moves",
                                "",
                                "tile r x c; the result c x r",
                                "none"}},
    ListedOperation<&Tl::transpose>{{"transpose",
                                     {"x"},
                                     "a transposed copy, by the math engine",
                                     kTimeOfMath,
                                     "x r x c; the result c x r",
                                     kErrorsOfMath}},
    ListedOperation<&Tl::gather>{{"gather",
                                  {"source", "rows"},
                                  "copies the rows of memory whose numbers are in `rows`, a row or "
                                  "column of i32, by the DMA",
                                  kTimeOfRows,
                                  "source r x c, rows 1 x n or n x 1; the result n x c",
                                  "rows that are not i32; unmapped memory; a full TCM; in the "
                                  "replay a number that is not a row of source"}},
    ListedOperation<&Tl::scatter>{{"scatter",
                                   {"target", "rows", "tile"},
                                   "copies the rows of a tile to the rows of memory whose numbers "
                                   "are in `rows`; of equal numbers the last one counts",
                                   kTimeOfRows,
                                   "target r x c, rows 1 x n or n x 1, tile n x c",
                                   "rows that are not i32; a tile that does not fit; unmapped "
                                   "memory; in the replay a number that is not a row of target"}},
    ListedOperation<&Tl::part>{{"part",
                                {"tile", "first", "columns"},
                                "some columns of a tile of one row; nothing moves",
                                "",
                                "tile 1 x c; the result 1 x columns",
                                "a tile of several rows; columns outside of it"}},
    ListedOperation<&Tl::buffer>{{"buffer",
                                  {"columns", "type"},
                                  "a row without values, whose parts are written by the operations "
                                  "with `_into`, each element once",
                                  "",
                                  "the tile is 1 x columns",
                                  "a full TCM"}},
    ListedOperation<&Tl::dot>{
        {"dot",
         {"a", "b", "type=None"},
         "the product of two tiles, summed in f32 (integers: i32) and converted to `type` if "
         "given; two f8 may differ, and b may be i4 beside any a",
         "command + fetch(a and b) + gemm + ceil(m k n / macs_per_cycle) cycles + put(c)",
         "a m x k, b k x n; the result m x n",
         "sides and types that do not fit; more sums than the accumulators hold; a full TCM"}},
    ListedOperation<&composite_of>{
        {"composite",
         {"a", "b", "c"},
         "a GEMM in tiles, with an epilogue: c = epilogue(a b). Factors are in memory or in the "
         "TCM; c is a matrix in memory, or the type of the tile that is returned",
         kTimeOfGemm,
         "a m x k, b k x n, c m x n; operands of steps m x n, m x 1, 1 x n or numbers",
         kErrorsOfGemm}},
    ListedOperation<&icomposite_of>{{"icomposite",
                                     {"a", "b", "c"},
                                     "starts a `composite` and returns at once",
                                     "",
                                     "as `composite`",
                                     "as `composite`; a kernel that ends without the `wait`"}},
    ListedOperation<&Tl::exp>{{"exp",
                               {"x"},
                               "e to the power of x; floating-point only",
                               kTimeOfMath,
                               kShapesOfUnary,
                               kErrorsOfFloats}},
    ListedOperation<&Tl::log>{{"log",
                               {"x"},
                               "natural logarithm; floating-point only",
                               kTimeOfMath,
                               kShapesOfUnary,
                               kErrorsOfFloats}},
    ListedOperation<&Tl::sqrt>{{"sqrt",
                                {"x"},
                                "square root; floating-point only",
                                kTimeOfMath,
                                kShapesOfUnary,
                                kErrorsOfFloats}},
    ListedOperation<&Tl::rsqrt>{{"rsqrt",
                                 {"x"},
                                 "1 / sqrt(x); floating-point only",
                                 kTimeOfMath,
                                 kShapesOfUnary,
                                 kErrorsOfFloats}},
    ListedOperation<&Tl::abs>{
        {"abs", {"x"}, "absolute value", kTimeOfMath, kShapesOfUnary, kErrorsOfMath}},
    ListedOperation<&Tl::sigmoid>{{"sigmoid",
                                   {"x"},
                                   "1 / (1 + exp(-x)); floating-point only",
                                   kTimeOfMath,
                                   kShapesOfUnary,
                                   kErrorsOfFloats}},
    ListedOperation<&Tl::tanh>{{"tanh",
                                {"x"},
                                "hyperbolic tangent; floating-point only",
                                kTimeOfMath,
                                kShapesOfUnary,
                                kErrorsOfFloats}},
    ListedOperation<&Tl::gelu>{{"gelu",
                                {"x"},
                                "x (1 + erf(x / sqrt(2))) / 2; floating-point only",
                                kTimeOfMath,
                                kShapesOfUnary,
                                kErrorsOfFloats}},
    ListedOperation<&Tl::silu>{{"silu",
                                {"x"},
                                "x sigmoid(x); floating-point only",
                                kTimeOfMath,
                                kShapesOfUnary,
                                kErrorsOfFloats}},
    ListedOperation<&Tl::neg>{
        {"neg", {"x"}, "-x, also as an operator", kTimeOfMath, kShapesOfUnary, kErrorsOfMath}},
    ListedOperation<&Tl::cast>{{"cast",
                                {"x", "type"},
                                "converts: rounds to nearest even, to i32 and i8 towards zero; f8 "
                                "and i4 saturate",
                                kTimeOfMath,
                                "x r x c; the result r x c of the type",
                                kErrorsOfMath}},
    ListedOperation<&Tl::add>{{"add",
                               {"a", "b"},
                               "a + b, also as an operator",
                               kTimeOfMath,
                               kShapesOfBinary,
                               kErrorsOfMath}},
    ListedOperation<&Tl::sub>{{"sub",
                               {"a", "b"},
                               "a - b, also as an operator",
                               kTimeOfMath,
                               kShapesOfBinary,
                               kErrorsOfMath}},
    ListedOperation<&Tl::mul>{{"mul",
                               {"a", "b"},
                               "a * b, also as an operator",
                               kTimeOfMath,
                               kShapesOfBinary,
                               kErrorsOfMath}},
    ListedOperation<&Tl::div>{{"div",
                               {"a", "b"},
                               "a / b, also as an operator",
                               kTimeOfMath,
                               kShapesOfBinary,
                               kErrorsOfMath}},
    ListedOperation<&Tl::maximum>{{"maximum",
                                   {"a", "b"},
                                   "the larger element of each pair",
                                   kTimeOfMath,
                                   kShapesOfBinary,
                                   kErrorsOfMath}},
    ListedOperation<&Tl::minimum>{{"minimum",
                                   {"a", "b"},
                                   "the smaller element of each pair",
                                   kTimeOfMath,
                                   kShapesOfBinary,
                                   kErrorsOfMath}},
    ListedOperation<&Tl::compare>{{"compare",
                                   {"op", "a", "b"},
                                   "0 and 1 of type i8; also as `< <= > >=`. op is less, "
                                   "less_equal, greater, greater_equal or equal",
                                   kTimeOfMath,
                                   kShapesOfBinary,
                                   kErrorsOfMath}},
    ListedOperation<&Tl::add_into>{{"add_into",
                                    {"target", "a", "b"},
                                    "as `add`, into a part of a buffer",
                                    kTimeOfMath,
                                    "a and b as for `add`; target has the shape of the result",
                                    kErrorsOfInto}},
    ListedOperation<&Tl::copy_into>{{"copy_into",
                                     {"target", "x"},
                                     "a copy of a tile, into a part of a buffer",
                                     kTimeOfMath,
                                     "x and target have the same shape",
                                     kErrorsOfInto}},
    ListedOperation<&Tl::where>{
        {"where",
         {"condition", "a", "b"},
         "a where the condition (i8) is not 0, else b",
         kTimeOfMath,
         "condition, a and b r x c, or 1 in place of a side, or a and b numbers; the result r x c",
         "a condition that is not i8; operands that do not fit; a full TCM"}},
    ListedOperation<&Tl::sum>{{"sum",
                               {"x", "axis"},
                               "the sum along \"rows\" to one row, along \"columns\" to one column",
                               kTimeOfMath,
                               kShapesOfReduction,
                               kErrorsOfMath}},
    ListedOperation<&Tl::max>{{"max",
                               {"x", "axis"},
                               "the largest element along \"rows\" or \"columns\"",
                               kTimeOfMath,
                               kShapesOfReduction,
                               kErrorsOfMath}},
    ListedOperation<&Tl::min>{{"min",
                               {"x", "axis"},
                               "the smallest element along \"rows\" or \"columns\"",
                               kTimeOfMath,
                               kShapesOfReduction,
                               kErrorsOfMath}},
    ListedOperation<&Tl::argmax>{{"argmax",
                                  {"x"},
                                  "the column (i32) of the largest element of each row; the first "
                                  "of equal ones; NaN is larger than all numbers",
                                  kTimeOfMath,
                                  "x r x c; the result r x 1",
                                  kErrorsOfMath}},
    ListedOperation<&Tl::top_k>{{"top_k",
                                 {"x", "k"},
                                 "the columns (i32) of the k largest elements of each row, the "
                                 "largest first",
                                 "as math, with k times the elements",
                                 "x r x c; the result r x k",
                                 "k that is 0 or larger than c; a full TCM"}},
    ListedOperation<&Tl::take>{{"take",
                                {"x", "columns"},
                                "the elements of each row whose columns (i32) are in the same row; "
                                "one row of x serves all",
                                kTimeOfMath,
                                "x r x c or 1 x c, columns r x n; the result r x n",
                                "columns that are not i32; rows that do not fit; in the replay a "
                                "number that is not a column of x"}},
    ListedOperation<&Tl::rope>{{"rope",
                                {"x", "cosines", "sines"},
                                "rotary embedding of the two halves of each row: the pair (j, j + "
                                "d/2) turns by angle j",
                                "as math, with twice the elements",
                                "x r x d, cosines and sines r x d/2 or 1 x d/2; the result r x d",
                                "an odd d; cosines and sines that do not fit, or are neither f32 "
                                "nor of the type of x; a full TCM"}},
    ListedOperation<&Tl::send>{
        {"send",
         {"direction", "tile"},
         "sends a tile to the neighbour in a direction; returns when its data have left",
         "ipcq + dma + read of the TCM + time of the data on the first wire + ipcq + cpu",
         "a tile of any shape",
         kErrorsOfMessages}},
    ListedOperation<&Tl::recv>{{"recv",
                                {"direction", "rows", "columns", "type"},
                                "receives a tile from the neighbour in a direction",
                                kTimeOfReceive,
                                "the tile is rows x columns, as the one that was sent",
                                kErrorsOfMessages}},
    ListedOperation<&Tl::irecv>{{"irecv",
                                 {"direction", "rows", "columns", "type"},
                                 "starts a `recv` and returns at once",
                                 "",
                                 "as `recv`",
                                 "as `recv`; a kernel that ends without the `wait`"}},
    ListedOperation<&Tl::recv_into>{{"recv_into",
                                     {"direction", "target"},
                                     "as `recv`, into a part of a buffer",
                                     kTimeOfReceive,
                                     "target has the shape of the tile that was sent",
                                     "as `recv`; a part that was written before"}},
    ListedOperation<&Tl::irecv_into>{{"irecv_into",
                                      {"direction", "target"},
                                      "starts a `recv_into` and returns at once",
                                      "",
                                      "as `recv_into`",
                                      "as `recv_into`; a kernel that ends without the `wait`"}},
    ListedOperation<&wait_of>{
        {"wait",
         {"pending"},
         "waits for an operation in flight and returns its result; each "
         "needs exactly one `wait`",
         "",
         "those of the operation in flight",
         "an operation that was waited for before, or is of another kernel"}}};

}  // namespace kernbench::model::kernel
