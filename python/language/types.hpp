// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>

#include "model/ccl/cost.hpp"
#include "model/kernel/tl.hpp"
#include "python/language/object.hpp"
#include "python/language/python_thread.hpp"

namespace kernbench::python {

/// Adds what kernels use to the module: Tl, Tile, TensorRef, TensorView and Pending.
void add_kernel_types(PyObject* module);
/// Adds HostContext, with which benches run, Tensor, and the functions that register benches.
void add_host_types(PyObject* module);

/// Adds Cost and CostQuery, with which modules of collectives state formulas.
void add_cost_types(PyObject* module);
/// Returns the formula that a function of Python states: it takes a CostQuery and returns a Cost.
[[nodiscard]] std::function<model::ccl::Cost(const model::ccl::CostQuery&)> formula_of(
    Kept function);

/// Creates a type of objects that hold a T and adds it to the module. `attributes` and `methods`
/// have a last entry of zeros, and live as long as the program.
PyTypeObject* add_type(PyObject* module, const char* name, const char* help, int bytes,
                       destructor destroy, PyMethodDef* methods, PyGetSetDef* attributes,
                       std::initializer_list<PyType_Slot> further = {});

/// Returns an object for the Tl of a kernel that begins.
[[nodiscard]] Object object_for(model::kernel::Tl& tl);
/// Notes that the kernel of such an object has ended.
void close(const Object& tl);

}  // namespace kernbench::python
