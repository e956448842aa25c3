import { Argument, type Command } from 'commander';
import type { Cli } from './cli.js';

/** The shell asks the program for the words that may follow; file names are the shell's own. */
const BASH = `_wholesale() {
  local words; words=$(wholesale completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _wholesale wholesale
`;

const SCRIPTS: Record<string, string> = {
  bash: BASH,
  zsh: `autoload -U +X bashcompinit && bashcompinit\n${BASH}`,
};

export function addCompletion(cli: Cli): void {
  cli.program
    .command('completion')
    .description('Prints a script that completes words: source <(wholesale completion bash)')
    .addArgument(new Argument('<shell>').choices([...Object.keys(SCRIPTS), 'words']))
    .argument('[typed...]', 'with "words": what stands before the word to complete')
    .action((shell: string, typed: string[]) => {
      const text = SCRIPTS[shell] ?? `${wordsAfter(cli.program, typed).join('\n')}\n`;
      return cli.answer({ json: { text }, text });
    });
}

/** Names of commands, options of a command, or the values of the option that was typed last. */
function wordsAfter(program: Command, typed: readonly string[]): readonly string[] {
  const isNamed = (command: Command, word: string) => [command.name(), ...command.aliases()].includes(word);
  const command = typed.reduce(
    (group, word) => group.commands.find((one) => isNamed(one, word)) ?? group,
    program,
  );
  const visible = command.options.filter(({ hidden }) => !hidden);
  const last = visible.find(({ long }) => long === typed.at(-1));
  if (last?.required) return last.argChoices ?? [];
  return command.commands.length > 0
    ? command.commands.map((one) => one.name())
    : visible.map(({ long }) => long!);
}
