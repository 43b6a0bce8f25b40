import type { Command } from 'commander'
import { say } from '../chosen-language.js'
import { declare } from '../declare-command.js'
import { out } from '../output.js'
import { suggestWords } from '../suggest-words.js'

/** Bash breaks words at = and wants the last piece only; a value may have a sign that means something to it. */
const bash = `_quotebook() {
  local line="\${COMP_LINE:0:COMP_POINT}" word typed
  local -a words
  IFS=$' \\t' read -a words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  typed="\${words[\${#words[@]}-1]}"
  COMPREPLY=()
  while IFS= read -r word; do
    word="$(printf %q "\${word#"\${typed%"\${typed##*[=:]}"}"}")"
    COMPREPLY+=("\${word//\\\\,/,}")
  done < <(quotebook complete -- "\${words[@]:1}" 2>/dev/null)
  [[ "\${COMPREPLY[*]}" == *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o default -F _quotebook quotebook
`

const zsh = `#compdef quotebook
_quotebook() {
  local -a found
  found=("\${(@f)$(quotebook complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if (( ! $#found )); then _files; return; fi
  compadd -S '' -- \${(M)found:#*=}
  compadd -- \${found:#*=}
}
if [[ "$funcstack[1]" == _quotebook ]]; then _quotebook; else compdef _quotebook quotebook; fi
`

const fish = `function __quotebook_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (quotebook complete -- $words[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c quotebook -f -a '(__quotebook_complete)'
`

const scripts = { bash, zsh, fish }

const after = `
${say('Put it where the shell starts:')}
  bash  eval "$(quotebook completion bash)"             ${say('in ~/.bashrc')}
  zsh   eval "$(quotebook completion zsh)"              ${say('in ~/.zshrc, after compinit')}
  fish  quotebook completion fish > ~/.config/fish/completions/quotebook.fish`

/** `quotebook completion`. */
// biome-ignore format: a table, one word a line
export const completionCommand = (): Command => declare({
  completion: ['a script that completes commands, options, datasets and params in a shell'],
  '<shell>': ['which shell', { choices: Object.keys(scripts) }],
}).addHelpText('after', after)
  .action((shell: keyof typeof scripts) => out(scripts[shell]))

/** What those scripts ask: the words of a line up to the one being typed. */
export const completeCommand = (): Command =>
  declare({ complete: [''], '[words...]': [''] }).action(
    (typed: readonly string[], _: unknown, { parent }: Command) => {
      for (const word of parent ? suggestWords(parent, typed) : []) out(`${word}\n`)
    },
  )
