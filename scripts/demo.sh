#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Shows what a failure looks like: plants an error in a copy of the RTL and runs the sign-off regression on it, on a
# fabric small enough to build its model within a minute.
#
#   scripts/demo.sh KERNBENCH FOLDER     the program, and a folder that the demonstration replaces
#
# Exit code 0 when the error was found.

set -eu
[ $# -eq 2 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
kernbench=$1
folder=$2
root=$(dirname "$0")/..

rm -rf "$folder"
mkdir -p "$folder"
cp -R "$root/rtl" "$folder/rtl"
sound='main_pyld_q <= skid_free_q ? payload_i : skid_pyld_q;'
broken='main_pyld_q <= payload_i;'
sed "s/$sound/$broken/" "$root/rtl/irs_lp.sv" >"$folder/rtl/irs_lp.sv"
if cmp -s "$root/rtl/irs_lp.sv" "$folder/rtl/irs_lp.sv"; then
  echo "error: rtl/irs_lp.sv has no line '$sound' to break" >&2
  exit 1
fi

cat <<EOF
A stage keeps one packet aside when its receiver stalls. This copy of the RTL forgets that packet:

$(diff -U 2 "$root/rtl/irs_lp.sv" "$folder/rtl/irs_lp.sv" | tail -n +3)

EOF
# The links of 3 columns have no stage; those of 4 columns have up to one.
set -- sim --fabric 4x2 --rtl-dir "$folder/rtl" --models "$folder/models" --report "$folder/reports" \
  --suite random_stalls --seeds 1
echo "kernbench $*"
echo
code=0
"$kernbench" "$@" || code=$?
if [ "$code" -ne 1 ]; then
  echo "error: the run ended with $code, expected 1: the error was not found" >&2
  exit 1
fi
cat <<EOF

The error was found. What next:
  $folder/reports/failures/random_stalls-seed1/failure.html
                                 the cause on one page, in a browser: what led to it, the lines, the shrunk case
  make wave                      the failing cycle in GTKWave
  $folder/reports/report.html    the whole run
  rm -r $folder                  the end of the demonstration
EOF
