#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs a Debian package of KernBench in a bare Debian 12, and runs it there as an ordinary user. Needs root,
# debootstrap and the network.
#
#   chroot.sh PACKAGE FOLDER [SIM_OPTION...]   FOLDER is made and kept; by default the simulations are of a 3x2 fabric

set -eu
package=$(realpath "$1")
chroot=$(realpath -m "$2")
here=$(cd "$(dirname "$0")" && pwd)
mirror=${MIRROR:-http://deb.debian.org/debian}
shift 2
[ $# -gt 0 ] || set -- --fabric 3x2

[ "$(id -u)" -eq 0 ] || { echo "error: this test needs root, for chroot" >&2; exit 1; }
[ -x "$chroot/bin/sh" ] || debootstrap --variant=minbase bookworm "$chroot" "$mirror" > "$chroot.log"
in_chroot() { LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$chroot" "$@"; }

cp "$package" "$chroot/tmp/"
cp "$here/try-installed.sh" "$chroot/usr/local/bin/"
in_chroot apt-get -q -y update > "$chroot.apt.log"
in_chroot apt-get -q -y install --no-install-recommends "/tmp/$(basename "$package")" >> "$chroot.apt.log"
in_chroot id tester > /dev/null 2>&1 || in_chroot useradd -m tester

# Also without /proc, which tells a program where it is.
in_chroot su tester -c 'kernbench topology show' > "$chroot.log"
mountpoint -q "$chroot/proc" || mount -t proc proc "$chroot/proc"
trap 'umount "$chroot/proc"' EXIT
in_chroot su tester -c "try-installed.sh /usr $*"

# The package leaves nothing behind.
in_chroot apt-get -q -y purge kernbench >> "$chroot.apt.log"
left=$(find "$chroot/usr/share/kernbench" "$chroot/usr/share/doc/kernbench" "$chroot/usr/bin/kernbench" 2>/dev/null || true)
[ -z "$left" ] || { echo "FAIL  left by purge: $left" >&2; exit 1; }
echo "ok    $(basename "$package") in a bare Debian $(cat "$chroot/etc/debian_version")"
