# SPDX-License-Identifier: Apache-2.0
"""Process groups, in the shape of torch.distributed, and the tensor-parallel layers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

if TYPE_CHECKING:
    from kernbench._context import Context, Tensor, Values


class Group(NamedTuple):
    """Some ranks in an order of their own, which call collectives together. The world has no name."""

    name: str = ""
    ranks: tuple[int, ...] = ()


WORLD = Group()


class Distributed:
    """The functions of torch.distributed of a context. A rank is a SIP, a cube or a PE, as ccl.yaml says.

    Collectives run in the order of the rank's other work, and every member must call them in the same order. Tensors are
    replicated over the cubes of a member; each PE works on its own shard.
    """

    def __init__(self, context: "Context") -> None:
        self._context = context
        self._native = context._native

    def init_process_group(self, backend: str = "ahbm") -> None:
        """Creates the group of all ranks, as the file of --ccl says. Raises BadInput for the file."""
        self._native.init_process_group(backend)

    def get_world_size(self, group: Group = WORLD) -> int:
        """Returns the number of ranks of a group."""
        return len(group.ranks) if group.name else self._native.world_size()

    def get_rank(self, group: Group = WORLD) -> Optional[int]:
        """Returns the rank in the world, or the number in a group: None for a rank that is not a member."""
        number: Optional[int] = self._native.group_rank(group.name, group.ranks)
        return number

    def new_group(self, ranks: Sequence[int], name: Optional[str] = None) -> Group:
        """Returns the group of these ranks, in this order. Every rank may call it, also one that is not a member."""
        group = Group(name or "ranks-" + "-".join(map(str, ranks)), tuple(ranks))
        self._native.group_rank(group.name, group.ranks)
        return group

    def all_reduce(self, tensor: "Tensor", group: Group = WORLD) -> None:
        """Sums the copies of all cubes of all members; every cube gets the sum."""
        self._call("all_reduce", tensor, tensor, group)

    def reduce(self, output: Optional["Tensor"], input: "Tensor", dst: int, group: Group = WORLD) -> None:
        """Sums like all_reduce(); only member `dst` gets the sum. output: None elsewhere."""
        self._call("reduce", output, input, group, dst)

    def reduce_scatter(self, output: "Tensor", input: "Tensor", group: Group = WORLD) -> None:
        """Sums like all_reduce(); each member gets its part of the rows."""
        self._call("reduce_scatter", output, input, group)

    def all_gather(self, output: "Tensor", input: "Tensor", group: Group = WORLD) -> None:
        """Concatenates the rows of all members' `input` in the order of members."""
        self._call("all_gather", output, input, group)

    def gather(self, output: Optional["Tensor"], input: "Tensor", dst: int, group: Group = WORLD) -> None:
        """Does the same for member `dst` only. output: None elsewhere."""
        self._call("gather", output, input, group, dst)

    def broadcast(self, tensor: "Tensor", src: int, group: Group = WORLD) -> None:
        """Copies the tensor of member `src` to all members."""
        self._call("broadcast", tensor, tensor, group, src)

    def scatter(self, output: "Tensor", input: Optional["Tensor"], src: int, group: Group = WORLD) -> None:
        """Gives each member its part of the rows of member `src`. input: None elsewhere."""
        self._call("scatter", output, input, group, src)

    def all_to_all(self, output: "Tensor", input: "Tensor", sent: Sequence[int] = (), received: Sequence[int] = (),
                   group: Group = WORLD) -> None:
        """Gives the m-th part of the rows of each member to member m. sent, received: rows to and from each, if not equal."""
        self._call("all_to_all", output, input, group, 0, tuple(sent), tuple(received))

    def call(self, collective: str, output: Optional["Tensor"], input: Optional["Tensor"], root: int = 0,
             group: Group = WORLD, input_rows: Sequence[int] = (), output_rows: Sequence[int] = ()) -> None:
        """Calls a collective by its name, such as one of a plugin. input_rows, output_rows: rows of the blocks, if not equal."""
        self._call(collective, output, input, group, root, tuple(input_rows), tuple(output_rows))

    def barrier(self, group: Group = WORLD) -> None:
        """Waits in simulated time until all members have called it."""
        self._native.barrier(group.name, group.ranks)

    def send(self, tensor: "Tensor", dst: int, group: Group = WORLD) -> None:
        """Sends a tensor to another member, which receives it into one of the same shape and type."""
        self._native.transfer(self._context._own(tensor), dst, 1, group.name, group.ranks)

    def recv(self, tensor: "Tensor", src: int, group: Group = WORLD) -> None:
        """Receives a tensor that another member sends."""
        self._native.transfer(self._context._own(tensor), src, 0, group.name, group.ranks)

    def join(self, kind: str, group: Group = WORLD) -> str:
        """Joins the members by a neighbour kind, and returns what precedes the directions of tl.send() and tl.recv()."""
        prefix: str = self._native.join(kind, group.name, group.ranks)
        return prefix

    def _call(self, name: str, output: Optional["Tensor"], input: Optional["Tensor"], group: Group, root: int = 0,
              sent: tuple[int, ...] = (), received: tuple[int, ...] = ()) -> None:
        out = None if output is None else self._context._own(output)
        into = None if input is None else self._context._own(input)
        self._native.collective(name, out, into, root, group.name, group.ranks, sent, received)


class _Linear:
    """The part that tensor-parallel layers share: a weight over ranks, and tensors for y."""

    _KIND = ""  # "column" or "row", as the functions of HostContext begin

    def __init__(self, torch: "Context", inputs: int, outputs: int, weight: "Values", dtype: str = "f32") -> None:
        self._context, self._dtype = torch, dtype
        self._columns = outputs // (torch.distributed.get_world_size() if self._KIND == "column" else 1)
        self._native = self._of_native("layer")(inputs, outputs, dtype, weight)

    def output(self, rows: int) -> "Tensor":
        """Returns a new tensor for y, with its rows spread over PEs."""
        from kernbench._context import Tensor
        return Tensor(self._context, self._of_native("output")(self._native, rows), (rows, self._columns), self._dtype)

    def _forward(self, x: "Tensor", y: "Tensor", *options: Any) -> None:
        own = self._context._own
        self._of_native("forward")(self._native, own(x), own(y), *options)

    def _of_native(self, name: str) -> Any:
        return getattr(self._context._native, f"{self._KIND}_{name}")


class ColumnParallelLinear(_Linear):
    """Computes y = activation(x W). Each rank has some columns of W and of y, which are spread over its cubes.

    weight: the whole W, an array of inputs x outputs or a function that returns it. The world size must divide `outputs`.
    """

    _KIND = "column"

    def forward(self, x: "Tensor", y: "Tensor", activation: Union[None, str, tuple[str, Any]] = None) -> None:
        """Computes y, a tensor like output(). activation: such as ("maximum", 0.0), which is ReLU, or "gelu"."""
        self._forward(x, y, activation)


class RowParallelLinear(_Linear):
    """Computes y = x W. Each rank has some rows of W and the same columns of x. An all-reduce sums over cubes and ranks, so
    that every cube has a copy of y.

    weight: the whole W, an array of inputs x outputs or a function that returns it. The world size must divide `inputs`.
    """

    _KIND = "row"

    def forward(self, x: "Tensor", y: "Tensor") -> None:
        """Computes y, a tensor like output()."""
        self._forward(x, y)
