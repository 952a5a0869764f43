#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the IP-XACT components (IEEE 1685-2022) of the RTL from its modules, interfaces and file lists.

Usage: scripts/ipxact.py [--check] [--root FOLDER]

  --check        write nothing; name the files that differ from what would be written
  --root FOLDER  the folder with rtl/ (the repository)

Writes rtl/topo.ipxact.xml, and rtl/network/maze_node.ipxact.xml, maze_array.ipxact.xml and maze_top.ipxact.xml. Exit code: 0
done, 1 --check found a difference, 2 wrong usage, or a declaration that this script cannot read.
"""

import argparse
import pathlib
import re
import sys

VERSION = "0.3.0"
SCHEMA = "http://www.accellera.org/XMLSchema/IPXACT/1685-2022"
# Module: its component below rtl/, the file of its module, the file list, and what it is.
COMPONENTS = {
    "TOPO": ("topo.ipxact.xml", "topo.sv", "topo.f",
             "The links of a MAZE of NX x NY nodes: each node has a link to every other node of its row and column."),
    "MAZE_NODE": ("network/maze_node.ipxact.xml", "network/maze_node.sv", "network/maze.f",
                  "A node of a MAZE at x = HP, y = VP: injects, routes, arbitrates, forks and ejects packets."),
    "MAZE_ARRAY": ("network/maze_array.ipxact.xml", "network/maze_array.sv", "network/maze.f",
                   "A MAZE of NX x NY nodes with its links and a clock gate for each node."),
    "MAZE_TOP": ("network/maze_top.ipxact.xml", "network/maze_top.sv", "network/maze.f",
                 "A MAZE of 8 x 8 nodes with its links, with a port A and a port B for each node."),
}
INTERFACES = {"pkt_con_if": "pkt_con_if.sv", "pkt_in": "network/pkt_in.sv", "pkt_out": "network/pkt_out.sv"}
# Parameter: what it is, its smallest and largest value.
PARAMETERS = {
    "HP": ("Column of the node", 0, None),
    "VP": ("Row of the node", 0, None),
    "NX": ("Nodes of a row", 2, 16),
    "NY": ("Nodes of a column", 2, 16),
    "FLIT_W": ("Bits of data of a packet", 1, 32),
    "HIGH_BOUND": ("Grants of high QoS in a row while low QoS waits; 0: no bound", 0, None),
    "FIXED": ("1: the lowest input wins, in place of round robin", 0, 1),
}
ADDRESS = "(NX <= 8 ? 3 : $clog2(NX)) + (NY <= 8 ? 3 : $clog2(NY))"
ADDRESS_AT_8X8 = "6"  # of a module without NX and NY


class BadSource(Exception):
    """A declaration that this script cannot read."""


def read(path):
    """The text of a source without comments."""
    return re.sub(r"//.*", "", path.read_text())


def expression(text):
    """An expression as IP-XACT has it: without functions of maze_pkg, with blanks around operators."""
    text = text.strip().replace("maze_pkg::node_addr_w(NX, NY)", "AddrW")
    return re.sub(r"\s*([-*])\s*", r" \1 ", text)


def element(name, content, attributes=""):
    return f"<ipxact:{name}{attributes}>{content}</ipxact:{name}>"


def text_of(value):
    return str(value).replace("&", "&amp;").replace("<", "&lt;")


def bounds(left, right):
    return element("left", text_of(left)) + element("right", text_of(right))


def wire(direction, vector):
    parts = element("direction", direction)
    if vector:
        parts += element("vectors", element("vector", bounds(*(side.strip() for side in expression(vector).split(":")))))
    return element("wire", parts)


def arrays(size):
    """An unpacked dimension, [LEFT:RIGHT] or [SIZE]."""
    if not size:
        return ""
    if ":" in size:
        left, right = (side.strip() for side in expression(size).split(":"))
    else:
        count = re.fullmatch(r"(\w+) - (\d+)", expression(size))
        if count is None:
            raise BadSource(f"an array of {size} elements; right would be NAME-NUMBER")
        left, right = 0, f"{count[1]} - {int(count[2]) + 1}"
    return element("arrays", element("array", bounds(left, right)))


def signals(rtl, interface, role):
    """The signals of a modport as lines."""
    file = rtl / INTERFACES[interface]
    code = read(file)
    modport = re.search(rf"\bmodport {role} \((.*?)\);", code, re.DOTALL)
    if modport is None:
        raise BadSource(f"{file}: no modport {role}")
    ways, way = {}, None
    for word in re.findall(r"\w+", modport[1]):
        if word in ("input", "output"):
            way = word.removesuffix("put")
        else:
            ways[word] = way
    for vector, name, size in re.findall(r"^\s*logic\s+(?:\[([^\]]+)\])?\s*(\w+)\s*(?:\[([^\]]+)\])?;", code, re.MULTILINE):
        if name in ways:
            yield element("subPort", element("name", name) + wire(ways.pop(name), vector) + arrays(size))
    if ways:
        raise BadSource(f"{file}: no declaration of {', '.join(ways)}")


def port(rtl, text, file):
    """A port of a module as lines."""
    plain = re.fullmatch(r"(input|output)\s+logic\s*(?:\[([^\]]+)\])?\s*(\w+)", text)
    if plain:
        return ["<ipxact:port>" + element("name", plain[3]) + wire(plain[1].removesuffix("put"), plain[2]) + "</ipxact:port>"]
    bundle = re.fullmatch(r"(\w+)\.(\w+)\s+(\w+)\s*(?:\[([^\]]+)\])?", text)
    if bundle is None or bundle[1] not in INTERFACES:
        raise BadSource(f"{file}: the port '{text}'; right would be 'input logic [L:R] NAME' or 'INTERFACE.MODPORT NAME [L:R]'")
    interface, role, name, size = bundle.groups()
    return ["<ipxact:port>" + element("name", name), '  <ipxact:structured packed="false">', "    <ipxact:interface/>",
            "    <ipxact:subPorts>", *(f"      {line}" for line in signals(rtl, interface, role)), "    </ipxact:subPorts>",
            "    " + element("structPortTypeDefs", element("structPortTypeDef", element("typeName", interface) + element("role", role))),
            "  </ipxact:structured>", *([f"  {arrays(size)}"] if size else []), "</ipxact:port>"]


def files_of(rtl, name, seen_from):
    """The files of a list, as a component in the folder `seen_from` names them."""
    folder = (rtl / name).parent
    for line in (rtl / name).read_text().splitlines():
        if line.startswith("-F "):
            yield from files_of(rtl, (folder / line[3:]).resolve().relative_to(rtl.resolve()), seen_from)
        elif line and not line.startswith("//"):
            path = folder / line
            yield line if path.parent == seen_from else f"../{path.name}"


def component(rtl, module):
    """The component of a module as text."""
    target, source, listed, what = COMPONENTS[module]
    file = rtl / source
    header = re.search(rf"\bmodule {module} #\((.*?)\)\s*\(\n(.*?)\);", read(file), re.DOTALL)
    if header is None:
        raise BadSource(f"{file}: no module {module} with parameters and ports")
    parameters = re.findall(r"parameter\s+(int unsigned|int|bit)\s+(\w+)\s*=\s*(?:\d+'b)?(\d+)", header[1])
    ports = [" ".join(text.split()) for text in re.split(r",(?![^\[(]*[\])])", header[2])]
    names = [name for _, name, _ in parameters]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<!-- SPDX-License-Identifier: Apache-2.0 -->",
             f"<!-- {module} as an IP-XACT component (IEEE 1685-2022), written by scripts/ipxact.py. A modport is a structured port. -->",
             f'<ipxact:component xmlns:ipxact="{SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
             f'                  xsi:schemaLocation="{SCHEMA} {SCHEMA}/index.xsd">',
             *(f"  {element(key, value)}" for key, value in (
                 ("vendor", "kernbench"), ("library", "maze"), ("name", module), ("version", VERSION), ("description", what))),
             "  <ipxact:model>", "    <ipxact:views>", "      <ipxact:view>", "        <ipxact:name>rtl</ipxact:name>",
             *(f"        {element('envIdentifier', f':*{use}:')}" for use in ("Simulation", "Synthesis")),
             "        <ipxact:componentInstantiationRef>systemverilog</ipxact:componentInstantiationRef>", "      </ipxact:view>",
             "    </ipxact:views>", "    <ipxact:instantiations>", "      <ipxact:componentInstantiation>",
             "        <ipxact:name>systemverilog</ipxact:name>", "        <ipxact:language>SystemVerilog</ipxact:language>",
             f"        <ipxact:moduleName>{module}</ipxact:moduleName>", "        <ipxact:moduleParameters>",
             *("          " + element("moduleParameter", element("name", name) + element("value", name),
                                      f' dataType="{kind}" usageType="nontyped"') for kind, name, _ in parameters),
             "        </ipxact:moduleParameters>", "        <ipxact:fileSetRef><ipxact:localName>rtl</ipxact:localName></ipxact:fileSetRef>",
             "      </ipxact:componentInstantiation>", "    </ipxact:instantiations>", "    <ipxact:ports>"]
    for text in ports:
        lines += [f"      {line}" for line in port(rtl, text, file)]
    lines += ["    </ipxact:ports>", "  </ipxact:model>", "  <ipxact:fileSets>", "    <ipxact:fileSet>",
              "      <ipxact:name>rtl</ipxact:name>",
              *("      " + element("file", element("name", name) + element("fileType", "systemVerilogSource"))
                for name in files_of(rtl, listed, (rtl / target).parent)),
              "    </ipxact:fileSet>", "  </ipxact:fileSets>", "  <ipxact:parameters>"]
    for kind, name, value in parameters:
        if name not in PARAMETERS:
            raise BadSource(f"{file}: the parameter {name} has no description in PARAMETERS of scripts/ipxact.py")
        about, least, most = PARAMETERS[name]
        attributes = f' parameterId="{name}" resolve="user" type="{kind.split()[0]}"' + (' sign="unsigned"' if "unsigned" in kind else "")
        attributes += f' minimum="{least}"' + (f' maximum="{most}"' if most is not None else "")
        lines.append("    " + element("parameter", element("name", name) + element("shortDescription", about) + element("value", value),
                                      attributes))
    address = ADDRESS if {"NX", "NY"} <= set(names) else ADDRESS_AT_8X8
    lines.append("    " + element("parameter", element("name", "AddrW") + element("shortDescription", "Bits of a node's address")
                                  + element("value", text_of(address)), ' parameterId="AddrW" type="int" sign="unsigned"'))
    return "\n".join([*lines, "  </ipxact:parameters>", "</ipxact:component>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    parser.add_argument("-h", "--help", action="store_true")
    options = parser.parse_args()
    if options.help:
        print(__doc__.strip())
        return 0
    rtl = options.root / "rtl"
    texts = {rtl / COMPONENTS[module][0]: component(rtl, module) for module in COMPONENTS}
    stale = [file for file, text in texts.items() if not file.is_file() or file.read_text() != text]
    for file in stale:
        if options.check:
            print(f"{file} differs from the RTL: run scripts/ipxact.py")
        else:
            file.write_text(texts[file])
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (BadSource, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
