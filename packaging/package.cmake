# SPDX-License-Identifier: Apache-2.0
# The Debian package that `make deb` makes.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME kernbench)
set(CPACK_PACKAGE_VENDOR "KernBench")
# `make deb` takes DEBFULLNAME and DEBEMAIL, where they are set.
set(CPACK_PACKAGE_CONTACT "KernBench maintainers <kernbench@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Models are verilated and compiled where the program runs; zlib1g-dev is for those with waves.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "verilator (>= 5.006), g++ (>= 4:12), make, ccache, zlib1g-dev")
# Benches in Python and the package of Python need exactly the version that they are built for; the program does not.
if(KERNBENCH_PYTHON)
  string(REGEX REPLACE "^3[.]" "" minor ${KB_PYTHON_VERSION})
  math(EXPR next "${minor} + 1")
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
      "python3 (>= ${KB_PYTHON_VERSION}), python3 (<< 3.${next}), libpython${KB_PYTHON_VERSION}, python3-numpy, python3-pandas")
endif()
# Four of them are for building plugins, the last for examples in Python.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gtkwave, git, cmake, libboost-dev, libeigen3-dev, libfmt-dev, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"RTL and transaction-level bench of chiplet fabrics
KernBench checks the RTL of a chiplet network, the MAZE Topo, cycle by cycle
against a cycle-accurate reference, and predicts how long kernels take on
systems that are built around it. The same transfers run over an analytic
model, the reference and the RTL, and the results are compared.")
include(CPack)
