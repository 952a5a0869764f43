# SPDX-License-Identifier: Apache-2.0
"""LEF files of cell libraries: the resistance and capacitance of their wires, and a copy with what the router needs and a file
lacks.
"""

import dataclasses
import re

# Where the LEF file of a qflow technology has no capacitance of edges, the file beside its folder that it is read from.
# magic's technology file of osu050 has the areas of the LEF file. That of osu035 has neither its areas nor edges of a likely
# size: both are those of the file of osu018, whose LEF file has ten times as much for edges. So osu035 takes the edges of the
# LEF file of osu018, which are a little more than those of osu050.
EDGES = {"osu035": "osu018/osu018_stdcells.lef", "osu050": "osu050/SCN3ME_SUBM.30.tech"}


@dataclasses.dataclass(frozen=True)
class Layer:
    """A wire of the least width on a layer."""

    width: float   # um
    square: float  # ohms of a square
    area: float    # pF of a square micrometre
    edge: float    # pF of a micrometre of one edge

    @property
    def kilo_ohms(self):
        """The resistance of a millimetre."""
        return self.square / self.width

    @property
    def picofarads(self):
        """The capacitance of a millimetre, with both edges."""
        return (self.area * self.width + 2 * self.edge) * 1000

    @property
    def edge_factor(self):
        """The capacitance with both edges by that with one."""
        return (self.area * self.width + 2 * self.edge) / (self.area * self.width + self.edge)


def layer_texts(text):
    return re.findall(r"^LAYER (metal\d)\n(.*?)^END \1", text, re.MULTILINE | re.DOTALL)


def value(key, text):
    found = re.search(rf"\b{key}\s+(?:RPERSQ\s+|CPERSQDIST\s+)?([\d.e+-]+)", text)
    return float(found[1]) if found else None


def edges_of(file):
    """Picofarads of a micrometre of an edge by layer, of a LEF file or of a technology file of magic."""
    text = file.read_text()
    if file.suffix == ".lef":
        return {layer: value("EDGECAPACITANCE", words) for layer, words in layer_texts(text)}
    # In attofarads of a lambda, which is in hundredths of a micrometre.
    size = int(re.search(r"^ lambda (\d+)", text, re.MULTILINE)[1]) / 100
    return {layer: float(edge) / size * 1e-6
            for layer, edge in re.findall(r"^ perimc \(m\d,[^)]*\)/(metal\d) \S+ +([\d.]+)$", text, re.MULTILINE)}


def layers_of(lef):
    """The layers of a LEF file by name. Without the capacitance of edges, which is most of a wire's, there are none."""
    other = lef.parent.parent / EDGES.get(lef.parent.name, lef)
    others = edges_of(other) if other.is_file() else {}
    found = {}
    for layer, text in layer_texts(lef.read_text()):
        values = [value(key, text) for key in ("WIDTH", "RESISTANCE", "CAPACITANCE")]
        values.append(value("EDGECAPACITANCE", text) or others.get(layer))
        if None not in values:
            found[layer] = Layer(*values)
    return found


def completed(lef, layers):
    """The text of a LEF file with the capacitance of edges in each of the layers."""
    def complete(found):
        name, text = found[1], found[2]
        if name in layers and "EDGECAPACITANCE" not in text:
            text += f"  EDGECAPACITANCE {layers[name].edge:e} ;\n"
        return f"LAYER {name}\n{text}END {name}"

    return re.sub(r"^LAYER (metal\d)\n(.*?)^END \1", complete, lef.read_text(), flags=re.MULTILINE | re.DOTALL)
