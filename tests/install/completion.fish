#!/usr/bin/env fish
# SPDX-License-Identifier: Apache-2.0
# Tries the completion in fish: completion.fish PREFIX

set -g fish_complete_path
source $argv[1]/share/fish/vendor_completions.d/kernbench.fish
set folder (mktemp -d)
cd $folder
touch mine.yaml

# expect "CANDIDATES" "LINE": what the line, unfinished, is completed to.
function expect
    set -l found (complete -C $argv[2] | string replace -r '\t.*' '' | sort | string join ' ')
    if test "$found" != "$argv[1]"
        echo "FAIL  fish: $argv[2]: '$found', expected '$argv[1]'" >&2
        rm -r $folder
        exit 1
    end
end

expect export 'kernbench topology ex'
expect 'build check export prove route rtl show zoo' 'kernbench topology '
expect '--seed --seeds' 'kernbench sim --se'
expect '' 'kernbench sim --seed '
expect 'dot graphml json' 'kernbench topology export --format '
expect 'bash fish zsh' 'kernbench completion '
expect mine.yaml 'kernbench probe --topology mi'
expect --verify 'kernbench run list --verif'
rm -r $folder
echo "ok    completion in fish"
