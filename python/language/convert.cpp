// SPDX-License-Identifier: Apache-2.0
#include "python/language/convert.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "model/components/tiling/math_op.hpp"

namespace kernbench::python {
namespace {

/// Returns the names of a table, with commas.
template <typename Table>
std::string names_in(const Table& table) {
  std::string names;
  for (const auto& one : table) names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  return names;
}

std::optional<MathOp> math_op(std::string_view name) {
  for (const auto& [known, op] : model::components::kMathOpNames) {
    if (name == known) return op;
  }
  return std::nullopt;
}

const Tile& tile_of(PyObject* object, const Place& place) {
  const Tile* const tile = Box<Tile>::in(object);
  if (tile == nullptr) refuse(place, "a Tile", object);
  return *tile;
}

/// Returns the operand of a step of an epilogue.
std::variant<double, Tile, model::data::Accumulated> operand_of(PyObject* object,
                                                                const Place& place) {
  if (const Tile* const tile = Box<Tile>::in(object)) return *tile;
  const Object accumulated = of_package("_kernels", "Accumulated");
  const int is_one = PyObject_IsInstance(object, accumulated.get());
  if (is_one < 0) throw Raised();
  if (is_one == 0) return Convert<double>::from(object, place);
  const auto steps = Object::taken(PyObject_GetAttrString(object, "steps"));
  return model::data::Accumulated{Convert<std::uint32_t>::from(steps.get(), place)};
}

template <typename T, typename Element>
std::vector<T> list_of(PyObject* object, const Place& place, const Element& element) {
  if (PyUnicode_Check(object)) refuse(place, "a list", object);
  PyObject* const iterator = PyObject_GetIter(object);
  if (iterator == nullptr) {
    PyErr_Clear();
    refuse(place, "a list", object);
  }
  const Object its_iterator = Object::taken(iterator);
  std::vector<T> all;
  while (PyObject* const next = PyIter_Next(iterator)) {
    const Object one = Object::taken(next);
    all.push_back(element(one.get(), place));
  }
  if (PyErr_Occurred() != nullptr) throw Raised();
  return all;
}

void set_option(std::uint64_t& option, PyObject* value, const Place& place) {
  option = Convert<std::uint64_t>::from(value, place);
}
void set_option(std::uint32_t& option, PyObject* value, const Place& place) {
  option = Convert<std::uint32_t>::from(value, place);
}
void set_option(std::string& option, PyObject* value, const Place& place) {
  option = Convert<std::string_view>::from(value, place);
}
void set_option(std::vector<std::uint64_t>& option, PyObject* value, const Place& place) {
  option = list_of<std::uint64_t>(value, place, &Convert<std::uint64_t>::from);
}
void set_option(std::vector<model::kernel::Epilogue>& option, PyObject* value, const Place& place) {
  option = list_of<model::kernel::Epilogue>(value, place, &step_of);
}

/// Returns true for types that NumPy lacks; their elements are float32 in NumPy.
bool is_float_in_numpy(DataType type) {
  return type == DataType::BF16 || is_f8(type);
}

/// A view of the memory of an object.
class Buffer {
 public:
  explicit Buffer(PyObject* object) {
    if (PyObject_GetBuffer(object, &view_, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) throw Raised();
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { PyBuffer_Release(&view_); }
  [[nodiscard]] const Py_buffer& view() const { return view_; }

 private:
  Py_buffer view_{};
};

using MatrixOfBytes = Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

model::kernel::Epilogue step_of(PyObject* object, const Place& place) {
  if (PyUnicode_Check(object)) return {Convert<MathOp>::from(object, place)};
  if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) < 1 || PyTuple_GET_SIZE(object) > 2) {
    refuse(place, "a list of names, or of tuples such as (\"add\", bias)", object);
  }
  model::kernel::Epilogue step{Convert<MathOp>::from(PyTuple_GET_ITEM(object, 0), place)};
  if (PyTuple_GET_SIZE(object) == 2) {
    step.operand = operand_of(PyTuple_GET_ITEM(object, 1), place);
  }
  return step;
}

void refuse(const Place& place, std::string_view wanted, PyObject* given) {
  raise(PyExc_TypeError,
        fmt::format("{}: {} is {} of type {}, not {}", *place.function, place.parameter,
                    shown(given), Py_TYPE(given)->tp_name, wanted));
}

void refuse_value(const Place& place, const std::string& what) {
  raise(PyExc_ValueError, fmt::format("{}: {} {}", *place.function, place.parameter, what));
}

void NoDefault::absent(const Place& place) {
  raise(PyExc_TypeError, fmt::format("{}: {} is missing", *place.function, place.parameter));
}

std::uint64_t whole_number(PyObject* object, const Place& place, std::uint64_t most) {
  PyObject* const index =
      PyIndex_Check(object) != 0 && !PyBool_Check(object) ? PyNumber_Index(object) : nullptr;
  if (index == nullptr) {
    PyErr_Clear();
    refuse(place, "a whole number", object);
  }
  const Object number = Object::taken(index);
  const std::uint64_t value = PyLong_AsUnsignedLongLong(index);
  if (PyErr_Occurred() != nullptr || value > most) {
    PyErr_Clear();
    refuse_value(place, fmt::format("is {}, not from 0 to {}", shown(object), most));
  }
  return value;
}

double Convert<double>::from(PyObject* object, const Place& place) {
  if (PyUnicode_Check(object)) refuse(place, "a number", object);
  const double value = PyFloat_AsDouble(object);
  if (value == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(place, "a number", object);
  }
  return value;
}

std::string_view Convert<std::string_view>::from(PyObject* object, const Place& place) {
  if (!PyUnicode_Check(object)) refuse(place, "a text", object);
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(object, &size);
  if (utf8 == nullptr) throw Raised();
  return {utf8, static_cast<std::size_t>(size)};
}

DataType Convert<DataType>::from(PyObject* object, const Place& place) {
  const std::string_view name = Convert<std::string_view>::from(object, place);
  const auto type = model::data::data_type_of(name);
  if (!type) {
    refuse_value(place, fmt::format("'{}' is not a type of elements: use {}", name,
                                    names_in(model::data::kDataTypes)));
  }
  return *type;
}

Axis Convert<Axis>::from(PyObject* object, const Place& place) {
  const std::string_view name = Convert<std::string_view>::from(object, place);
  if (name == "rows") return Axis::Rows;
  if (name == "columns") return Axis::Columns;
  refuse_value(place, fmt::format("is '{}', not 'rows' or 'columns'", name));
}

MathOp Convert<MathOp>::from(PyObject* object, const Place& place) {
  const std::string_view name = Convert<std::string_view>::from(object, place);
  const auto op = math_op(name);
  if (!op) refuse_value(place, fmt::format("'{}' is not an operation such as 'add'", name));
  return *op;
}

const TensorRef& Convert<TensorRef>::from(PyObject* object, const Place& place) {
  const TensorRef* const ref = Box<TensorRef>::in(object);
  if (ref == nullptr) refuse(place, "a TensorRef, such as x.local(tl)", object);
  return *ref;
}

const Tile& Convert<Tile>::from(PyObject* object, const Place& place) {
  return tile_of(object, place);
}

Located Convert<Located>::from(PyObject* object, const Place& place) {
  if (const Tile* const tile = Box<Tile>::in(object)) return {*tile, {}};
  if (PyFloat_Check(object) || PyLong_Check(object) || PyNumber_Check(object) != 0) {
    return {Convert<double>::from(object, place), {}};
  }
  refuse(place, "a Tile or a number", object);
}

GemmOperand Convert<GemmOperand>::from(PyObject* object, const Place& place) {
  if (const TensorRef* const ref = Box<TensorRef>::in(object)) return *ref;
  if (const Tile* const tile = Box<Tile>::in(object)) return *tile;
  refuse(place, "a TensorRef or a Tile", object);
}

CompositeResult Convert<CompositeResult>::from(PyObject* object, const Place& place) {
  if (const TensorRef* const ref = Box<TensorRef>::in(object)) return *ref;
  if (PyUnicode_Check(object)) return Convert<DataType>::from(object, place);
  refuse(place, "a TensorRef or the name of a type", object);
}

AnyPending Convert<AnyPending>::from(PyObject* object, const Place& place) {
  if (const PendingTile* const pending = Box<PendingTile>::in(object)) return *pending;
  if (const Pending* const pending = Box<Pending>::in(object)) return *pending;
  refuse(place, "what an operation such as iload returns", object);
}

const TensorView& Convert<TensorView>::from(PyObject* object, const Place& place) {
  const TensorView* const view = Box<TensorView>::in(object);
  if (view == nullptr) refuse(place, "a tensor of the kernel", object);
  return *view;
}

Tl& Convert<Tl>::from(PyObject* object, const Place& place) {
  if (!PyObject_TypeCheck(object, Box<Tl*>::type)) refuse(place, "the tl of the kernel", object);
  return self_of<Tl>(object);
}

Rectangle Convert<Rectangle>::from(PyObject* object, const Place& place) {
  const std::vector<std::uint64_t> sides =
      list_of<std::uint64_t>(object, place, &Convert<std::uint64_t>::from);
  if (sides.size() != 4) refuse(place, "(row, column, rows, columns)", object);
  return {sides[0], sides[1], sides[2], sides[3]};
}

CompositeOptions options_of(const std::string& function,
                            const std::vector<std::pair<std::string, PyObject*>>& given) {
  CompositeOptions options;
  for (const auto& one_given : given) {
    const std::string& name = one_given.first;
    PyObject* const value = one_given.second;
    bool known = false;
    const Place place{&function, name};
    std::apply(
        [&](const auto&... listed) {
          const auto set = [&](const auto& one) {
            using Listed = std::remove_cvref_t<decltype(one)>;
            if (one.name != name) return;
            known = true;
            set_option(options.*Listed::kMember, value, place);
          };
          (set(listed), ...);
        },
        model::kernel::kCompositeOptions);
    if (!known) {
      raise(PyExc_TypeError, fmt::format("{}: there is no parameter '{}'", function, name));
    }
  }
  return options;
}

template <>
Tl& self_of<Tl>(PyObject* self) {
  Tl* const tl = reinterpret_cast<Box<Tl*>*>(self)->value;
  if (tl == nullptr) raise(PyExc_RuntimeError, "the kernel of this tl has ended");
  return *tl;
}

Object to_python(const Rectangle& part) {
  return Object::taken(Py_BuildValue("(KKKK)", static_cast<unsigned long long>(part.row),
                                     static_cast<unsigned long long>(part.column),
                                     static_cast<unsigned long long>(part.rows),
                                     static_cast<unsigned long long>(part.columns)));
}

Object to_python(const std::vector<model::runtime::TensorPiece>& pieces) {
  Object list = Object::taken(PyList_New(0));
  for (const model::runtime::TensorPiece& piece : pieces) {
    const Object ref = to_python(piece.ref);
    const Object part = to_python(piece.part);
    const auto entry = Object::taken(PyTuple_Pack(2, ref.get(), part.get()));
    if (PyList_Append(list.get(), entry.get()) < 0) throw Raised();
  }
  return list;
}

Object to_python(const Array& array) {
  Object bytes;
  const auto of = [](const void* data, std::size_t size) {
    return Object::taken(
        PyBytes_FromStringAndSize(static_cast<const char*>(data), static_cast<Py_ssize_t>(size)));
  };
  if (array.type() == DataType::I4) {
    const MatrixOfBytes elements = array.to_integers().cast<std::int8_t>();
    bytes = of(elements.data(), static_cast<std::size_t>(elements.size()));
  } else if (is_float_in_numpy(array.type())) {
    const model::data::MatrixF floats = array.to_floats();
    bytes = of(floats.data(), static_cast<std::size_t>(floats.size()) * sizeof(float));
  } else {
    bytes = of(array.bytes().data(), array.bytes().size());
  }
  const Object make = of_package("_arrays", "from_bytes");
  return Object::taken(PyObject_CallFunction(make.get(), "OsKK", bytes.get(),
                                             std::string(name_of(array.type())).c_str(),
                                             static_cast<unsigned long long>(array.rows()),
                                             static_cast<unsigned long long>(array.columns())));
}

Array array_of(PyObject* values, DataType type) {
  const Object make = of_package("_arrays", "to_matrix");
  const auto matrix = Object::taken(
      PyObject_CallFunction(make.get(), "Os", values, std::string(name_of(type)).c_str()));
  const Buffer buffer(matrix.get());
  const Py_buffer& view = buffer.view();
  const auto rows = view.shape[0];
  const auto columns = view.shape[1];
  if (is_float_in_numpy(type)) {
    return Array::from(type, model::data::MatrixF(Eigen::Map<const model::data::MatrixF>(
                                 static_cast<const float*>(view.buf), rows, columns)));
  }
  if (type == DataType::I4) {
    const Eigen::Map<const MatrixOfBytes> elements(static_cast<const std::int8_t*>(view.buf), rows,
                                                   columns);
    return Array::from(type, model::data::MatrixI(elements.cast<std::int32_t>()));
  }
  auto bytes = std::make_shared<model::data::Bytes>(static_cast<std::size_t>(view.len));
  if (!bytes->empty()) std::memcpy(bytes->data(), view.buf, bytes->size());
  return {type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
          std::move(bytes)};
}

}  // namespace kernbench::python
