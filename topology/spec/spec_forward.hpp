// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace kernbench::topology {

// For headers that only pass specs on.

struct CubeSpec;
struct FabricSpec;
struct MazeSpec;
struct MemoryMapSpec;
struct NocSpec;
struct PeSpec;
struct SipSpec;
struct SystemSpec;
struct TopologySpec;

}  // namespace kernbench::topology
