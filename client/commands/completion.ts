/** `completion`: prints the script of a shell, or the candidates that it requests at each Tab. */
import { z } from 'zod';
import { define } from './options.ts';
import { completionCandidates } from '../terminal/completion-candidates.ts';
import type { Outcome } from '../terminal/command.ts';
import { readLock } from '../project/project.ts';

/** Each script requests candidates from this program, one per line; without any, the shell completes files. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_stackyard() {
  local IFS=$'\\n'
  COMPREPLY=($(stackyard completion bash --candidates -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _stackyard stackyard`,
  zsh: `#compdef stackyard
_stackyard() {
  local -a candidates
  candidates=("\${(@f)$(stackyard completion zsh --candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${candidates[1]}" ]]; then compadd -- "\${candidates[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" = _stackyard ]]; then _stackyard "$@"; else compdef _stackyard stackyard; fi`,
  fish: `function __stackyard_candidates
  set -l words (commandline -opc)
  stackyard completion fish --candidates -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c stackyard -f -a '(__stackyard_candidates)'
complete -c stackyard -s C -l cwd -x -a '(__fish_complete_directories)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName stackyard -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  stackyard completion powershell --candidates -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`,
};

const Input = z.object({
  shell: z
    .enum(['bash', 'zsh', 'fish', 'powershell'])
    .meta({ description: 'the shell', isArgument: true }),
  words: z
    .array(z.string())
    .default([])
    .meta({ description: 'the words so far, with --candidates', isArgument: true }),
  candidates: z
    .boolean()
    .default(false)
    .meta({ description: 'print the candidates for the last word instead' }),
});

export const command = define({
  description: 'Prints a script that completes commands, options and ids of installed builds',
  input: Input,
  output: z.strictObject({
    shell: z.string(),
    script: z.string().describe('Empty with --candidates.'),
    candidates: z.array(z.string()).optional(),
  }),
  examples: ['completion bash >> ~/.bashrc'],
  run: async ({ shell, words, candidates: isTab }, _shared, { program }): Promise<Outcome> => {
    if (!isTab) {
      const script = SCRIPTS[shell]!;
      return { status: 'done', data: { shell, script: `${script}\n` }, text: script.split('\n') };
    }
    const candidates = await completionCandidates(words, program, readLock);
    return { status: 'done', data: { shell, script: '', candidates }, text: candidates };
  },
});
