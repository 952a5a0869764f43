// SPDX-License-Identifier: Apache-2.0
// The types of Python that kernels use. The methods of Tl are those of kOperations.
#include <vector>

#include "python/language/call.hpp"
#include "python/language/types.hpp"

namespace kernbench::python {
namespace {

using model::kernel::kOperations;

/// Calls `work` with the name, the help and the default of each option of a composite.
template <typename Work>
void for_each_option(const Work& work) {
  const CompositeOptions standard;
  std::apply(
      [&](const auto&... listed) {
        const auto one = [&](const auto& option) {
          const auto& value = standard.*std::remove_cvref_t<decltype(option)>::kMember;
          std::string text;
          if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(value)>>) {
            text = std::to_string(value);
          }
          work(std::string(option.name), std::string(option.help), text);
        };
        (one(listed), ...);
      },
      model::kernel::kCompositeOptions);
}

/// Returns the help of an operation with the formula of its time.
std::string help_of(const model::kernel::OperationText& text, bool has_options) {
  std::string help(text.help);
  help.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(help.front())));
  help += ".";
  if (has_options) {
    help += "\n\nOptions, by name:";
    for_each_option(
        [&](const std::string& name, const std::string& what, const std::string& value) {
          help += fmt::format("\n  {}{}: {}", name, value.empty() ? "" : "=" + value, what);
        });
  }
  help += fmt::format("\n\nShapes: {}.\nErrors: {}.", text.shapes, text.errors);
  if (!text.time.empty()) help += fmt::format("\nTime: {}.", text.time);
  return help;
}

std::vector<PyMethodDef>& operations() {
  static std::vector<PyMethodDef> methods = [] {
    std::vector<PyMethodDef> all;
    std::apply(
        [&](const auto&... listed) {
          const auto add = [&](const auto& one) {
            constexpr auto kFunction = std::remove_cvref_t<decltype(one)>::kFunction;
            using Parameters =
                typename FunctionTraits<std::remove_const_t<decltype(kFunction)>>::Parameters;
            Signature signature{
                std::string(one.text.name), {}, help_of(one.text, HasOptions<Parameters>::value)};
            for (const std::string_view parameter : one.text.parameters) {
              if (!parameter.empty()) signature.parameters.emplace_back(parameter);
            }
            all.push_back(method<kFunction>("Tl", std::move(signature)));
          };
          (add(listed), ...);
        },
        kOperations);
    all.push_back({});
    return all;
  }();
  return methods;
}

/// A binary operation of tiles as a number of Python.
using Binary = Tile (Tl::*)(const Located&, const Located&, model::kernel::SourceLine);

/// Returns true for what Located has.
bool is_operand(PyObject* object) {
  return Box<Tile>::in(object) != nullptr || PyFloat_Check(object) || PyLong_Check(object) ||
         PyIndex_Check(object) != 0 || (PyNumber_Check(object) != 0 && !PyComplex_Check(object));
}

template <typename Work>
PyObject* on_tiles(const char* name, PyObject* a, PyObject* b, const Work& work) {
  if (!is_operand(a) || !is_operand(b)) Py_RETURN_NOTIMPLEMENTED;
  return guarded([&] {
    const std::string function = name;
    const Located left = Convert<Located>::from(a, {&function, "the left operand"});
    const Located right = Convert<Located>::from(b, {&function, "the right operand"});
    const model::kernel::SourceLine line = calling_line();
    return result_of<true>([&] { return work(Tl::of(left, right), left, right, line); });
  });
}

template <Binary operation>
PyObject* binary(PyObject* a, PyObject* b) {
  return on_tiles("an operator", a, b, [](Tl& tl, const auto& left, const auto& right, auto line) {
    return (tl.*operation)(left, right, line);
  });
}

PyObject* negative(PyObject* x) {
  return on_tiles("-", x, x, [](Tl& tl, const auto& tile, const auto&, auto line) {
    return tl.neg(*tile.tile, line);
  });
}

PyObject* compared(PyObject* a, PyObject* b, int op) {
  const auto by = [&](MathOp math_op) {
    return on_tiles("a comparison", a, b,
                    [math_op](Tl& tl, const auto& left, const auto& right, auto line) {
                      return tl.compare(math_op, left, right, line);
                    });
  };
  switch (op) {
    case Py_LT:
      return by(MathOp::Less);
    case Py_LE:
      return by(MathOp::LessEqual);
    case Py_GT:
      return by(MathOp::Greater);
    case Py_GE:
      return by(MathOp::GreaterEqual);
    default:
      PyErr_SetString(PyExc_TypeError,
                      "tiles are not compared by == and !=; use tl.compare(\"equal\", a, b)");
      return nullptr;
  }
}

int truth(PyObject* /*tile*/) {
  PyErr_SetString(PyExc_TypeError,
                  "a kernel cannot branch on a tile, whose numbers are on the device; "
                  "tl.read(tile) returns them, with `kernbench run --data live`");
  return -1;
}

/// Returns (rows, columns).
template <typename T>
Object shape_of(const T& matrix) {
  const auto side = [](const auto& value) { return static_cast<unsigned long long>(value); };
  if constexpr (std::is_same_v<T, TensorRef>) {
    return Object::taken(Py_BuildValue("(KK)", side(matrix.rows), side(matrix.columns)));
  } else {
    return Object::taken(Py_BuildValue("(KK)", side(matrix.rows()), side(matrix.columns())));
  }
}

template <typename T>
PyObject* repr(PyObject* self) {
  return guarded([&] {
    const T& matrix = self_of<T>(self);
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    DataType type{};
    if constexpr (std::is_same_v<T, TensorRef>) {
      rows = matrix.rows;
      columns = matrix.columns;
      type = matrix.type;
    } else {
      rows = matrix.rows();
      columns = matrix.columns();
      type = matrix.type();
    }
    const std::string name = Py_TYPE(self)->tp_name;
    return text(fmt::format("<{} of {}>", name.substr(name.rfind('.') + 1),
                            model::kernel::shape_text(rows, columns, type)))
        .release();
  });
}

TensorRef block_of(const TensorRef& ref, std::uint64_t row, std::uint64_t column,
                   std::uint64_t rows, std::uint64_t columns) {
  return ref.block(row, column, rows, columns);
}
TensorRef matrix_of(const TensorRef& ref, std::uint64_t index, std::uint64_t rows) {
  return ref.matrix(index, rows);
}
TensorRef flat(const TensorRef& ref) {
  if (ref.row_stride != ref.columns && ref.rows > 1) {
    throw std::invalid_argument("a matrix with gaps between its rows cannot be one row");
  }
  const std::uint64_t size = ref.rows * ref.columns;
  return {ref.va, size == 0 ? 0U : 1U, size, size, ref.type};
}
TensorRef strided(const TensorRef& ref, std::uint64_t rows, std::uint64_t row_stride) {
  TensorRef other = ref;
  other.rows = rows;
  other.row_stride = row_stride;
  return other;
}

std::vector<model::runtime::TensorPiece> pieces_of(const TensorView& view, const Rectangle& part,
                                                   const Tl& tl) {
  return view.pieces(part, &tl);
}
Rectangle shard_part(const TensorView& view, std::uint64_t cube, std::uint64_t pe) {
  return view.layout().shard(static_cast<std::uint32_t>(cube), static_cast<std::uint32_t>(pe)).part;
}
Rectangle cube_part(const TensorView& view, std::uint64_t cube) {
  return view.layout().cube_part(static_cast<std::uint32_t>(cube)).part;
}
std::uint32_t cubes_of(const TensorView& view) {
  return view.layout().cubes();
}
std::uint32_t pes_of(const TensorView& view) {
  return view.layout().pes();
}

PyMethodDef g_ref_methods[] = {
    method<&block_of>("TensorRef", {"block",
                                    {"row", "column", "rows", "columns"},
                                    "The block at (row, column), clipped to the matrix."}),
    method<&matrix_of>(
        "TensorRef",
        {"matrix", {"index", "rows"}, "Matrix `index` of a batch of matrices of `rows` rows."}),
    method<&flat>("TensorRef",
                  {"flat", {}, "All elements as one row; the matrix has no gaps between rows."}),
    method<&strided>("TensorRef",
                     {"strided",
                      {"rows", "row_stride"},
                      "So many rows, each `row_stride` elements after the one before."}),
    {}};
PyGetSetDef g_ref_attributes[] = {
    {"va", &attribute<&TensorRef::va>, nullptr, "address of the first element", nullptr},
    {"rows", &attribute<&TensorRef::rows>, nullptr, "rows", nullptr},
    {"columns", &attribute<&TensorRef::columns>, nullptr, "columns", nullptr},
    {"row_stride", &attribute<&TensorRef::row_stride>, nullptr, "elements from one row to the next",
     nullptr},
    {"type", &attribute<&TensorRef::type>, nullptr, "type of the elements", nullptr},
    {"shape", &attribute<&shape_of<TensorRef>>, nullptr, "(rows, columns)", nullptr},
    {}};
PyGetSetDef g_tile_attributes[] = {
    {"rows", &attribute<&Tile::rows>, nullptr, "rows", nullptr},
    {"columns", &attribute<&Tile::columns>, nullptr, "columns", nullptr},
    {"type", &attribute<&Tile::type>, nullptr, "type of the elements", nullptr},
    {"shape", &attribute<&shape_of<Tile>>, nullptr, "(rows, columns)", nullptr},
    {}};
PyMethodDef g_view_methods[] = {
    method<&TensorView::local>(
        "TensorView", {"local", {"tl"}, "The shard of the calling program; may be empty."}),
    method<&TensorView::local_part>(
        "TensorView", {"local_part",
                       {"tl"},
                       "The rectangle of the tensor that local() covers: (row, column, rows, "
                       "columns)."}),
    method<&TensorView::shard>("TensorView",
                               {"shard", {"cube", "pe"}, "The shard of a program; may be empty."}),
    method<&shard_part>(
        "TensorView",
        {"shard_part", {"cube", "pe"}, "The rectangle of the tensor that a shard covers."}),
    method<&TensorView::in_cube>("TensorView",
                                 {"in_cube", {"cube"}, "The shards of a cube as one matrix."}),
    method<&cube_part>(
        "TensorView",
        {"cube_part", {"cube"}, "The rectangle of the tensor that in_cube() covers."}),
    method<&TensorView::whole>(
        "TensorView", {"whole", {}, "The whole tensor, which must be contiguous in memory."}),
    method<&pieces_of>("TensorView",
                       {"pieces",
                        {"part", "tl"},
                        "The pieces of memory that cover a rectangle (row, column, rows, columns), "
                        "by ascending address: (matrix, its rectangle) of each."}),
    {}};
PyGetSetDef g_view_attributes[] = {
    {"rows", &attribute<&TensorView::rows>, nullptr, "rows", nullptr},
    {"columns", &attribute<&TensorView::columns>, nullptr, "columns", nullptr},
    {"type", &attribute<&TensorView::type>, nullptr, "type of the elements", nullptr},
    {"shape", &attribute<&shape_of<TensorView>>, nullptr, "(rows, columns)", nullptr},
    {"cubes", &attribute<&cubes_of>, nullptr, "cubes over which it is placed", nullptr},
    {"pes", &attribute<&pes_of>, nullptr, "PEs of each cube over which it is placed", nullptr},
    {}};
PyGetSetDef g_tl_attributes[] = {{"accumulator_bytes", &attribute<&Tl::accumulator_bytes>, nullptr,
                                  "size of the accumulators of the PE's matrix engine", nullptr},
                                 {}};

/// A slot of a type for a function of CPython.
template <typename F>
PyType_Slot slot(int number, F* function) {
  return {number, reinterpret_cast<void*>(function)};
}

void destroy_tl(PyObject* object) {
  PyTypeObject* const type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

}  // namespace

PyTypeObject* add_type(PyObject* module, const char* name, const char* help, int bytes,
                       destructor destroy, PyMethodDef* methods, PyGetSetDef* attributes,
                       std::initializer_list<PyType_Slot> further) {
  std::vector<PyType_Slot> slots(further);
  slots.push_back(slot(Py_tp_dealloc, destroy));
  slots.push_back({Py_tp_doc, const_cast<char*>(help)});
  if (methods != nullptr) slots.push_back({Py_tp_methods, methods});
  if (attributes != nullptr) slots.push_back({Py_tp_getset, attributes});
  slots.push_back({0, nullptr});
  const std::string full = std::string("kernbench.") + name;
  PyType_Spec spec{full.c_str(), bytes, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                   slots.data()};
  const auto type = Object::taken(PyType_FromSpec(&spec));
  if (PyModule_AddObjectRef(module, name, type.get()) < 0) throw Raised();
  return reinterpret_cast<PyTypeObject*>(Object(type).release());
}

void add_kernel_types(PyObject* module) {
  static const std::string help_of_tl = fmt::format(
      "The operations of a kernel. Each that moves or computes something returns when the PE has "
      "completed it, in simulated time. A wrong operand is a KernelError, TypeError or ValueError "
      "with its line.\n\n{}.",
      model::kernel::kTermsOfTimes);
  Box<Tl*>::type = add_type(module, "Tl", help_of_tl.c_str(), sizeof(Box<Tl*>), &destroy_tl,
                            operations().data(), g_tl_attributes);
  const auto options = Object::taken(PyDict_New());
  for_each_option([&](const std::string& name, const std::string& help, const std::string&) {
    if (PyDict_SetItemString(options.get(), name.c_str(), text(help).get()) < 0) throw Raised();
  });
  if (PyModule_AddObjectRef(module, "COMPOSITE_OPTIONS", options.get()) < 0) throw Raised();
  Box<Tile>::type =
      add_type(module, "Tile",
               "A matrix in the TCM of a PE: the result of an operation, which never changes.",
               sizeof(Box<Tile>), &Box<Tile>::destroy, nullptr, g_tile_attributes,
               {slot(Py_tp_repr, &repr<Tile>), slot(Py_nb_add, &binary<&Tl::add>),
                slot(Py_nb_subtract, &binary<&Tl::sub>), slot(Py_nb_multiply, &binary<&Tl::mul>),
                slot(Py_nb_true_divide, &binary<&Tl::div>), slot(Py_nb_negative, &negative),
                slot(Py_nb_bool, &truth), slot(Py_tp_richcompare, &compared),
                slot(Py_tp_hash, &PyObject_HashNotImplemented)});
  // Numbers of NumPy leave the operators to tiles.
  if (PyObject_SetAttrString(reinterpret_cast<PyObject*>(Box<Tile>::type), "__array_ufunc__",
                             Py_None) < 0) {
    throw Raised();
  }
  Box<TensorRef>::type =
      add_type(module, "TensorRef", "A matrix in memory. Naming it moves nothing.",
               sizeof(Box<TensorRef>), &Box<TensorRef>::destroy, g_ref_methods, g_ref_attributes,
               {slot(Py_tp_repr, &repr<TensorRef>)});
  Box<TensorView>::type =
      add_type(module, "TensorView", "A tensor as kernels see it.", sizeof(Box<TensorView>),
               &Box<TensorView>::destroy, g_view_methods, g_view_attributes,
               {slot(Py_tp_repr, &repr<TensorView>)});
  Box<Pending>::type =
      add_type(module, "Pending", "An operation in flight, which `wait` takes exactly once.",
               sizeof(Box<Pending>), &Box<Pending>::destroy, nullptr, nullptr);
  Box<PendingTile>::type =
      add_type(module, "PendingTile",
               "An operation in flight whose result is a tile; `wait` takes it exactly once.",
               sizeof(Box<PendingTile>), &Box<PendingTile>::destroy, nullptr, nullptr);
}

Object object_for(Tl& tl) {
  return Box<Tl*>::make(&tl);
}

void close(const Object& tl) {
  reinterpret_cast<Box<Tl*>*>(tl.get())->value = nullptr;
}

}  // namespace kernbench::python
