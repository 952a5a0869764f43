// SPDX-License-Identifier: Apache-2.0
// A bench whose kernels crash or race, for the program `kernbench_mistakes`.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "model/bench/registry.hpp"

namespace kernbench::model::bench {
namespace {

using data::DataType;
using kernel::Tile;
using kernel::Tl;
using runtime::Placement;

/// Hides a value from the compiler, which otherwise replaces what is undefined.
template <typename T>
T hidden(T value) {
  volatile T copy = value;
  return copy;
}

[[gnu::noinline]] std::uint64_t recurse(std::uint64_t depth) {
  volatile char kept[64] = {};
  kept[depth % 64] = 1;
  if (hidden(false)) return depth;
  return recurse(depth + 1) + static_cast<std::uint64_t>(kept[0]);
}

[[gnu::noinline]] void use_large_local() {
  volatile char large[1 << 20];
  large[hidden(0)] = 1;
  (void)large[hidden(0)];
}

[[gnu::noinline]] void throw_error() {
  if (hidden(true)) throw std::runtime_error("thrown by a noexcept function");
}

void throw_from_noexcept() noexcept {
  throw_error();
}

void make(const std::string& kind) {
  if (kind == "segv") {
    *hidden<volatile int*>(nullptr) = 1;
  } else if (kind == "wild") {
    *hidden(reinterpret_cast<volatile int*>(0x123456789000)) = 1;
  } else if (kind == "recursion") {
    (void)recurse(hidden<std::uint64_t>(0));
  } else if (kind == "large-local") {
    use_large_local();
  } else if (kind == "abort") {
    std::abort();
  } else if (kind == "terminate") {
    throw_from_noexcept();
  } else if (kind == "division") {
    (void)hidden(7 / hidden(0));
  } else if (kind == "illegal") {
    __builtin_trap();
  } else if (kind == "printed") {
    std::printf("printed by the kernel\n");
    std::abort();
  } else if (kind == "unknown-exception") {
    throw 3;
  } else if (kind == "spin") {
    for (volatile bool forever = true; forever;) {
    }
  }
}

/// PE 1 of each cube makes the mistake, after a load.
void crash(runtime::Context& kb, const std::string& kind, bool at_once) {
  const runtime::Tensor x =
      kb.tensor(8, 8, DataType::F32, {Placement::RowWise, Placement::RowWise});
  kb.launch("crash", [kind, at_once, x = x->view()](Tl& tl) {
    if (tl.program_id(0) != 1 || tl.program_id(1) != 0) return;
    if (!at_once) (void)tl.load(x.local(tl));
    make(kind);
  });
}

/// PEs 1 and 2 of the first cube access the same row: both write the same values, or the second one
/// reads.
void race(runtime::Context& kb, bool both_write) {
  const runtime::DpPolicy rows{Placement::RowWise, Placement::RowWise};
  const runtime::Tensor x = kb.tensor(8, 8, DataType::F32, rows, [] {
    return data::Array::from(DataType::F32, data::MatrixF(data::MatrixF::Zero(8, 8)));
  });
  kb.launch("race", [both_write, x = x->view()](Tl& tl) {
    if (tl.program_id(1) != 0) return;
    const auto zeros = [&tl](std::uint64_t columns) {
      return tl.full(1, columns, 0.0, DataType::F32);
    };
    if (tl.program_id(0) == 1) {
      tl.store(x.whole().block(3, 0, 1, 8), zeros(8));
    } else if (tl.program_id(0) == 2 && both_write) {
      tl.store(x.whole().block(3, 2, 1, 4), zeros(4));
    } else if (tl.program_id(0) == 2) {
      (void)tl.load(x.whole().block(2, 0, 2, 8));
    }
  });
  kb.expect("x", kb.read(x), [] {
    return data::Array::from(DataType::F32, data::MatrixF(data::MatrixF::Zero(8, 8)));
  });
}

/// All PEs write the same row in each of two launches.
void races(runtime::Context& kb) {
  const runtime::Tensor x =
      kb.tensor(8, 8, DataType::F32, {Placement::RowWise, Placement::RowWise});
  for (std::uint64_t row = 0; row < 2; ++row) {
    kb.launch("races", [row, x = x->view()](Tl& tl) {
      tl.store(x.whole().block(row, 0, 1, 8), tl.full(1, 8, 0.0, DataType::F32));
    });
  }
}

void run(runtime::Context& kb) {
  const std::string kind = kb.parameter("kind");
  if (kind == "races") return races(kb);
  if (kind.starts_with("race")) return race(kb, kind == "race");
  const std::string where = kb.choice("where", {"kernel", "start", "host"});
  if (where == "host") return make(kind);
  crash(kb, kind, where == "start");
}

const Registration kBench{{"mistakes",
                           "makes a mistake",
                           {{"kind", "segv", "the mistake"}, {"where", "kernel", "its place"}},
                           run}};

}  // namespace
}  // namespace kernbench::model::bench
