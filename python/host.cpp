// SPDX-License-Identifier: Apache-2.0
// The interface of a bench whose host part is Python. kernbench/host.py makes it convenient.
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/data/array.hpp"
#include "model/runtime/kernel_registry.hpp"
#include "python/host_program.hpp"
#include "python/run.hpp"

namespace kernbench::python {
namespace {

namespace py = pybind11;
using model::data::Array;
using model::data::DataType;
using model::data::MatrixF;
using model::data::MatrixI;
using model::runtime::Context;
using model::runtime::Tensor;

/// Returns the names of a table, with commas.
template <typename Table>
std::string names_in(const Table& table) {
  std::string names;
  for (const auto& one : table) names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  return names;
}

DataType type_of(const std::string& name) {
  const auto type = model::data::data_type_of(name);
  if (type) return *type;
  throw std::invalid_argument(fmt::format("'{}' is not a type of elements: use {}", name,
                                          names_in(model::data::kDataTypes)));
}

/// Returns true for types that NumPy lacks; their elements are float32 in NumPy.
bool is_float_in_numpy(DataType type) {
  return type == DataType::BF16 || is_f8(type);
}

/// Returns a matrix in row-major order. Elements have the NumPy type of the same size; those of
/// bf16 and f8, which NumPy lacks, are float32, and those of i4 are int8 from -8 to 7.
Array array_of(DataType type, const py::array& values) {
  const auto rows = values.shape(0);
  const auto columns = values.shape(1);
  if (is_float_in_numpy(type)) {
    return Array::from(type, MatrixF(Eigen::Map<const MatrixF>(
                                 static_cast<const float*>(values.data()), rows, columns)));
  }
  if (type == DataType::I4) {
    using Bytes = Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Bytes> elements(static_cast<const std::int8_t*>(values.data()), rows,
                                           columns);
    return Array::from(type, MatrixI(elements.cast<std::int32_t>()));
  }
  auto bytes = std::make_shared<model::data::Bytes>(static_cast<std::size_t>(values.nbytes()));
  if (!bytes->empty()) std::memcpy(bytes->data(), values.data(), bytes->size());
  return {type, static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), bytes};
}

/// The inverse of array_of().
py::array numpy_of(const Array& array) {
  constexpr const char* kNames[] = {"float32", "float16", "float32", "int32",
                                    "int8",    "float32", "float32", "int8"};
  const py::dtype type(kNames[static_cast<std::size_t>(array.type())]);
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(array.rows()),
                                          static_cast<py::ssize_t>(array.columns())};
  if (array.type() == DataType::I4) {
    const Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> elements =
        array.to_integers().cast<std::int8_t>();
    return {type, shape, elements.data()};
  }
  if (!is_float_in_numpy(array.type())) return {type, shape, array.bytes().data()};
  const MatrixF floats = array.to_floats();
  return {type, shape, floats.data()};
}

/// Returns a line of a Python file, whose name stays valid for messages.
model::data::SourceLine source_line(const std::string& file, int line) {
  static std::set<std::string> files;
  return {files.insert(file).first->c_str(), line};
}

class Host {
 public:
  Tensor tensor(std::uint64_t rows, std::uint64_t columns, const std::string& type,
                const std::string& policy, const std::optional<py::array>& values,
                const std::string& file, int line) {
    const DataType element = type_of(type);
    const auto layout = model::runtime::policy_of(policy);
    if (!layout) {
      throw std::invalid_argument(fmt::format("'{}' is not a policy: use {}", policy,
                                              names_in(model::runtime::kNamedPolicies)));
    }
    model::runtime::HostData data;
    if (values) data = [array = array_of(element, *values)] { return array; };
    const auto place = source_line(file, line);
    return call<Tensor>(
        [&](Context& kb) { return kb.tensor(rows, columns, element, *layout, data, place); });
  }

  std::uint32_t read(const Tensor& tensor) {
    return call<std::uint32_t>([&](Context& kb) { return kb.read(tensor).result; });
  }

  void launch(const std::string& kernel,
              const std::vector<std::variant<Tensor, std::uint64_t, double>>& arguments,
              std::optional<std::uint32_t> cubes, std::optional<std::uint32_t> pes) {
    std::vector<model::runtime::KernelArgument> bound;
    for (const auto& argument : arguments) {
      if (const auto* const tensor = std::get_if<Tensor>(&argument)) {
        bound.emplace_back((*tensor)->view());
      } else if (const auto* const whole = std::get_if<std::uint64_t>(&argument)) {
        bound.emplace_back(*whole);
      } else {
        bound.emplace_back(std::get<double>(argument));
      }
    }
    call<void>([&](Context& kb) { kb.launch(kernel, std::move(bound), {cubes, pes}); });
  }

  void expect(const std::string& name, std::uint32_t result, const std::string& type,
              const py::array& values, std::optional<double> relative,
              std::optional<double> absolute) {
    const DataType element = type_of(type);
    const model::runtime::Tolerance usual = model::runtime::default_tolerance(element);
    const model::runtime::Tolerance tolerance{relative.value_or(usual.relative),
                                              absolute.value_or(usual.absolute)};
    Array array = array_of(element, values);
    call<void>([&](Context& kb) {
      kb.expect(
          name, {result, element}, [array] { return array; }, tolerance);
    });
  }

  void free(const Tensor& tensor) {
    call<void>([&](Context& kb) { kb.free(tensor); });
  }
  void begin_region(const std::string& name) {
    call<void>([&](Context& kb) { kb.begin_region(name); });
  }
  void end_region() {
    call<void>([](Context& kb) { kb.end_region(); });
  }
  void synchronize() {
    call<void>([](Context& kb) { kb.synchronize(); });
  }
  std::int64_t now_ps() {
    return call<std::int64_t>([](Context& kb) { return kb.now().ps(); });
  }
  std::uint32_t cubes() {
    return call<std::uint32_t>([](Context& kb) { return kb.cubes(); });
  }
  std::uint32_t pes() {
    return call<std::uint32_t>([](Context& kb) { return kb.pes(); });
  }

  /// Runs a bench whose host part is `function`, which takes a Host. Returns values_of() with
  /// the numbers of all copies.
  static py::dict run(const Topology& topology, const std::string& name,
                      const py::function& function, std::uint32_t device, bool verify,
                      const std::string& ccl, double time_limit_us) {
    Host host;
    const model::bench::RunOptions options = run_options(device, verify, ccl, time_limit_us);
    const std::function<void()> code = [&] {
      const py::gil_scoped_acquire acquire;
      function(host);
    };
    model::bench::RunResult result;
    {
      const py::gil_scoped_release release;
      result = host.program_->run(name, topology.graph(), options, code);
    }
    model::bench::Bench bench;
    bench.name = name;
    py::dict values = values_of(model::report::report_of(bench, topology.graph(), options, result));
    py::dict copies;
    for (const auto& [number, array] : result.results) copies[py::int_(number)] = numpy_of(array);
    values["copies"] = copies;
    return values;
  }

 private:
  /// Calls `work` in the run, without the GIL.
  template <typename T, typename Work>
  T call(const Work& work) {
    const py::gil_scoped_release release;
    if constexpr (std::is_void_v<T>) {
      program_->call(work);
    } else {
      T value{};
      program_->call([&](Context& kb) { value = work(kb); });
      return value;
    }
  }

  std::shared_ptr<HostProgram> program_ = std::make_shared<HostProgram>();
};

}  // namespace

void add_host(py::module_& module) {
  const py::class_<model::runtime::DeviceTensor, Tensor> tensor(module, "Tensor");
  py::class_<Host>(module, "Host")
      .def("tensor", &Host::tensor)
      .def("read", &Host::read)
      .def("free", &Host::free)
      .def("launch", &Host::launch)
      .def("expect", &Host::expect)
      .def("begin_region", &Host::begin_region)
      .def("end_region", &Host::end_region)
      .def("synchronize", &Host::synchronize)
      .def("now_ps", &Host::now_ps)
      .def("cubes", &Host::cubes)
      .def("pes", &Host::pes);
  module.def("run_host", &Host::run);
}

}  // namespace kernbench::python
