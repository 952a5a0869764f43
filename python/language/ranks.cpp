// SPDX-License-Identifier: Apache-2.0
// The part of HostContext for ranks: process groups, collectives, and tensor-parallel layers.
#include <optional>
#include <vector>

#include "model/ccl/process_group.hpp"
#include "python/language/call.hpp"
#include "python/language/host_convert.hpp"

namespace kernbench::python {

using model::ccl::Member;

namespace {

void init_process_group(HostPart& part, std::string_view backend) {
  if (part.world) throw std::invalid_argument("the process group exists already");
  part.world = std::make_shared<model::ccl::ProcessGroup>(part.kb->session(), backend);
}
std::uint32_t world_size(const HostPart& part) {
  if (!part.world) throw std::invalid_argument("init_process_group() comes first");
  return part.world->world_size();
}
std::uint32_t rank(const HostPart& part) {
  if (part.worker == nullptr) throw std::invalid_argument("a rank exists inside of spawn() only");
  return part.worker->rank();
}

/// Calls `function` with a HostContext for each rank, and waits until all return.
Object spawn(HostPart& part, AnyObject function) {
  if (!part.world) throw std::invalid_argument("init_process_group() comes first");
  const Kept body = keep(Object::shared(function.object));
  const WithoutPython without;
  model::ccl::spawn(
      *part.kb, *part.world,
      [&](model::ccl::Worker& worker) {
        const PythonThread python;
        HostPart of_rank{&worker.kb(), &worker, part.world, part.raised};
        call_with(body.get(), of_rank);
      },
      kHostStackBytes);
  return Object::shared(Py_None);
}

/// A group: "" for the world, or a name and its ranks.
std::optional<Member> member_of(HostPart& part, std::string_view group, AnyObject ranks) {
  (void)rank(part);
  if (group.empty()) return *part.worker;
  const std::string function = "new_group";
  std::vector<std::uint32_t> numbers;
  for (Py_ssize_t i = 0; i < PyTuple_Size(ranks.object); ++i) {
    numbers.push_back(
        Convert<std::uint32_t>::from(PyTuple_GET_ITEM(ranks.object, i), {&function, "a rank"}));
  }
  model::ccl::Group& made = part.worker->group(std::string(group), numbers);
  if (!made.index_of(part.worker->rank())) return {};
  return part.worker->in(made);
}
Object group_rank(HostPart& part, std::string_view group, AnyObject ranks) {
  const auto member = member_of(part, group, ranks);
  return member ? to_python(member->rank()) : Object::shared(Py_None);
}
Member required_member(HostPart& part, std::string_view group, AnyObject ranks) {
  auto member = member_of(part, group, ranks);
  if (!member) {
    throw std::invalid_argument(
        fmt::format("rank {} is not a member of group '{}'", part.worker->rank(), group));
  }
  return *member;
}
std::vector<std::uint64_t> numbers_of(AnyObject tuple) {
  const std::string function = "a collective";
  std::vector<std::uint64_t> numbers;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple.object); ++i) {
    numbers.push_back(Convert<std::uint64_t>::from(PyTuple_GET_ITEM(tuple.object, i),
                                                   {&function, "a number of rows"}));
  }
  return numbers;
}

/// Calls a collective; a tensor may be None, and tuples of rows empty.
Object collective(HostPart& part, std::string_view name, const Tensor& output, const Tensor& input,
                  std::uint32_t root, std::string_view group, AnyObject ranks, AnyObject input_rows,
                  AnyObject output_rows) {
  Member member = required_member(part, group, ranks);
  std::vector<std::uint64_t> in = numbers_of(input_rows);
  std::vector<std::uint64_t> out = numbers_of(output_rows);
  const WithoutPython without;
  member.run(name, output, input, root, std::move(in), std::move(out));
  return Object::shared(Py_None);
}
Object barrier(HostPart& part, std::string_view group, AnyObject ranks) {
  Member member = required_member(part, group, ranks);
  const WithoutPython without;
  member.barrier();
  return Object::shared(Py_None);
}
Object transfer(HostPart& part, const Tensor& tensor, std::uint32_t peer, std::uint32_t sends,
                std::string_view group, AnyObject ranks) {
  Member member = required_member(part, group, ranks);
  const WithoutPython without;
  if (sends != 0) {
    member.send(tensor, peer);
  } else {
    member.receive(tensor, peer);
  }
  return Object::shared(Py_None);
}
Object join(HostPart& part, std::string_view kind, std::string_view group, AnyObject ranks) {
  return text(required_member(part, group, ranks).join(std::string(kind)));
}

/// Calls `work`, or lets the time of earlier work of the key pass: Context::repeat(), and for a
/// member of a group Member::repeat().
Object repeat(HostPart& part, std::string_view key, std::uint64_t index, std::uint64_t count,
              AnyObject work, std::string_view group, AnyObject ranks) {
  const auto call = [&] {
    const PythonThread python;
    PyObject* const returned = PyObject_CallNoArgs(work.object);
    if (returned == nullptr) throw_raised();
    Py_DECREF(returned);
  };
  if (part.worker == nullptr) {
    const WithoutPython without;
    part.kb->repeat({std::string(key), index, count}, call);
    return Object::shared(Py_None);
  }
  Member member = required_member(part, group, ranks);
  const WithoutPython without;
  member.repeat(std::string(key), index, count, call);
  return Object::shared(Py_None);
}

template <typename Layer>
Object layer(HostPart& part, std::uint64_t inputs, std::uint64_t outputs, DataType type,
             AnyObject weight) {
  (void)rank(part);
  HostData data = data_of(*part.kb, weight.object, type);
  std::shared_ptr<Layer> made;
  {
    const WithoutPython without;
    made = std::make_shared<Layer>(*part.worker, inputs, outputs, type, data);
  }
  return to_python(made);
}
template <typename Layer>
Object output_of(HostPart& /*part*/, const std::shared_ptr<Layer>& layer, std::uint64_t rows) {
  Tensor made;
  {
    const WithoutPython without;
    made = layer->output(rows);
  }
  return to_python(made);
}
Object forward_column(HostPart& /*part*/, const ColumnLayer& layer, const Tensor& x,
                      const Tensor& y, AnyObject activation) {
  std::optional<model::kernel::Epilogue> step;
  const std::string function = "forward";
  if (activation.object != Py_None) step = step_of(activation.object, {&function, "activation"});
  const WithoutPython without;
  layer->forward(x, y, step);
  return Object::shared(Py_None);
}
void forward_row(HostPart& /*part*/, const RowLayer& layer, const Tensor& x, const Tensor& y) {
  layer->forward(x, y);
}

template <auto function>
PyMethodDef rank_method(const char* name, std::vector<std::string> parameters) {
  return method<function>("HostContext", {name, std::move(parameters), ""});
}

}  // namespace

std::vector<PyMethodDef> rank_methods() {
  return {
      rank_method<&init_process_group>("init_process_group", {"backend"}),
      rank_method<&world_size>("world_size", {}),
      rank_method<&spawn>("spawn", {"function"}),
      rank_method<&group_rank>("group_rank", {"group", "ranks"}),
      rank_method<&collective>("collective", {"name", "output", "input", "root", "group", "ranks",
                                              "input_rows", "output_rows"}),
      rank_method<&barrier>("barrier", {"group", "ranks"}),
      rank_method<&transfer>("transfer", {"tensor", "peer", "sends", "group", "ranks"}),
      rank_method<&join>("join", {"kind", "group", "ranks"}),
      rank_method<&repeat>("repeat", {"key", "index", "count", "work", "group", "ranks"}),
      rank_method<&layer<ColumnParallelLinear>>("column_layer",
                                                {"inputs", "outputs", "type", "weight"}),
      rank_method<&layer<RowParallelLinear>>("row_layer", {"inputs", "outputs", "type", "weight"}),
      rank_method<&output_of<ColumnParallelLinear>>("column_output", {"layer", "rows"}),
      rank_method<&output_of<RowParallelLinear>>("row_output", {"layer", "rows"}),
      rank_method<&forward_column>("column_forward", {"layer", "x", "y", "activation"}),
      rank_method<&forward_row>("row_forward", {"layer", "x", "y"})};
}

}  // namespace kernbench::python
