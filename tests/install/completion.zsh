#!/usr/bin/env zsh
# SPDX-License-Identifier: Apache-2.0
# Tries the completion in zsh: completion.zsh PREFIX. An interactive zsh on a pseudo terminal gets a line and a tab; what
# it offers is printed by a wrapper of compadd between two lines.

emulate -R zsh
setopt err_return
zmodload zsh/zpty
prefix=$1
folder=$(mktemp -d)
trap "rm -rf $folder" EXIT
touch $folder/mine.yaml

cat > $folder/setup << EOS
PS1= PS2= PROMPT_EOL_MARK=
unsetopt zle_bracketed_paste prompt_cr prompt_sp 2> /dev/null
fpath=($prefix/share/zsh/site-functions $prefix/share/zsh/vendor-completions \$fpath)
autoload -Uz compinit
compinit -u -d $folder/dump
zstyle ':completion:*' list-grouped no
bindkey '^I' complete-word
cd $folder
begin_hits() { print -r -- BEGIN-HITS }
end_hits() { print -r -- END-HITS; exit }
compprefuncs=(begin_hits)
comppostfuncs=(end_hits)
compadd() {
  if [[ \${@[1,(i)(-|--)]} == *-[a-zA-Z]#(O|A|D)* ]]; then
    builtin compadd "\$@"
    return
  fi
  local -a hits
  builtin compadd -A hits "\$@"
  (( \$#hits )) && print -rl -- \$hits
  return 0
}
setopt extended_glob
print READY
EOS

# offered LINE: prints the candidates, sorted.
offered() {
  local line out=''
  zpty shell zsh -f -i
  zpty -w shell "source $folder/setup"
  while zpty -r shell line && [[ $line != READY* ]]; do :; done
  zpty -n -w shell "$1"$'\t'
  while zpty -r shell line; do
    [[ $line == *END-HITS* ]] && break
    out+=$line
  done
  zpty -d shell
  print -r -- ${(o)${(f)${${out#*BEGIN-HITS}//$'\r'}}}
}

expect() {
  local found=$(offered "$2")
  [[ $found == $1 ]] && return
  print -u2 -r -- "FAIL  zsh: $2: '$found', expected '$1'"
  exit 1
}

expect 'export' 'kernbench topology ex'
expect 'build check export prove route rtl show zoo' 'kernbench topology '
expect 'dot graphml json' 'kernbench topology export --format '
expect 'bash fish zsh' 'kernbench completion '
expect 'mine.yaml' 'kernbench probe --topology mi'
print "ok    completion in zsh"
