// SPDX-License-Identifier: Apache-2.0
// Headers for a component: its registration, the machine around it, and components to derive from.
#pragma once

#include "model/components/machine/component_registration.hpp"
#include "model/components/machine/machine.hpp"
#include "model/components/parts/control_cpus.hpp"
#include "model/components/parts/forwarding.hpp"
#include "model/components/parts/host_cpu.hpp"
#include "model/components/parts/memories.hpp"
#include "model/components/parts/pe_cpu.hpp"
#include "model/components/parts/pe_dma.hpp"
#include "model/components/parts/pe_ipcq.hpp"
#include "model/components/parts/pe_mmu.hpp"
#include "model/components/parts/pe_scheduler.hpp"
#include "model/components/parts/tile_engines.hpp"
#include "topology/spec/topology_spec.hpp"
