// SPDX-License-Identifier: Apache-2.0
// Header for base topologies and routing relations: their registrations, and the classes to derive
// from.
#pragma once

#include "topology/zoo/routing/routing_kind.hpp"
#include "topology/zoo/zoo_kinds.hpp"
