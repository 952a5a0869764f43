# SPDX-License-Identifier: Apache-2.0
"""Writes execution traces for tests, with the message classes that protoc makes of model/chakra/execution_trace.proto.

CHAKRA_MODULES is the folder of execution_trace_pb2.py.
"""

import gzip
import os
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["CHAKRA_MODULES"])
import execution_trace_pb2 as chakra  # noqa: E402

METADATA, LOAD, STORE, COMPUTE, SEND, RECEIVE, COLLECTIVE = range(1, 8)
ALL_REDUCE, REDUCE, ALL_GATHER, GATHER, SCATTER, BROADCAST, ALL_TO_ALL, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, BARRIER = range(10)


def delimited(message):
    """The bytes of a message after their number as a varint."""
    data = message.SerializeToString()
    size, head = len(data), bytearray()
    while size > 0x7F:
        head.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes(head) + bytes([size]) + data


def attribute(name, value, field=None):
    """An attribute; `field` names its type, such as uint64_val, int64_val by default for a number."""
    made = chakra.AttributeProto(name=name)
    if field is None:
        field = {bool: "bool_val", str: "string_val", list: "int64_list"}.get(type(value), "int64_val")
    if field.endswith("_list"):
        getattr(made, field).values.extend(value)
        getattr(made, field).SetInParent()
    else:
        setattr(made, field, value)
    return made


def node(number, kind, name=None, after=(), data=(), micros=0, **attributes):
    """A node that waits for `after` and for `data`. An attribute may be a (value, field) pair."""
    made = chakra.Node(id=number, name=f"n{number}" if name is None else name, type=kind, ctrl_deps=after, data_deps=data,
                       duration_micros=micros)
    for key, value in attributes.items():
        made.attr.append(attribute(key, *value) if isinstance(value, tuple) else attribute(key, value))
    return made


def metadata(version="0.0.4", groups=None, **attributes):
    made = chakra.GlobalMetadata(version=version)
    for name, ranks in (groups or {}).items():
        made.attr.append(attribute(f"process_group:{name}", ranks))
    for key, value in attributes.items():
        made.attr.append(attribute(key, value))
    return made


def content(nodes, head=None):
    return b"".join(map(delimited, [metadata() if head is None else head, *nodes]))


def write(prefix, ranks, compress=False, head=None):
    """Writes the nodes of each rank to PREFIX.RANK.et."""
    for rank, nodes in enumerate(ranks):
        data = content(nodes, head)
        with open(f"{prefix}.{rank}.et", "wb") as file:
            file.write(gzip.compress(data, mtime=0) if compress else data)


def training(rank, nodes, seed=1, collective_bytes=1 << 20):
    """The nodes of a rank of a long run: 98 % computation, 1 % memory traffic, 1 % all-reduces of 1 MiB.

    Steps of 100 nodes follow each other: computations of random length, each after the one before, and an all-reduce of all
    ranks at the end. A load or a store runs beside the computations.
    """
    draw = random.Random(f"{seed} {rank}")
    for first in range(0, nodes, 100):
        after = [first - 1] if first else []
        memory = draw.randrange(10, 40)
        for at in range(98):
            number = first + at
            yield node(number, COMPUTE, "compute", after, micros=draw.randrange(1, 30), is_cpu_op=False, num_ops=1000)
            after = [number]
            if at == memory:
                yield node(first + 98, draw.choice((LOAD, STORE)), "memory", after, is_cpu_op=False, tensor_size=1 << 20)
        yield node(first + 99, COLLECTIVE, "all-reduce", after, [first + 98], is_cpu_op=False, comm_type=ALL_REDUCE,
                   comm_size=collective_bytes)


def main():
    """traces.py PREFIX RANKS NODES: writes a long run of RANKS ranks with NODES nodes together."""
    prefix, ranks, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for rank in range(ranks):
        with open(f"{prefix}.{rank}.et", "wb") as file:
            file.write(delimited(metadata()))
            for one in training(rank, nodes // ranks):
                file.write(delimited(one))


if __name__ == "__main__":
    main()
