// SPDX-License-Identifier: Apache-2.0
// Header for a kind of traffic: its registration.
#pragma once

#include "topology/traffic_kind.hpp"
