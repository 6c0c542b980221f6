// Shell completion scripts, made from the table of commands.
import { type Command, commonOptions } from './commands/command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The words that can follow a beginning of the command line, such as `''`, `merchant` or `merchant set`. */
interface Step {
  readonly after: string
  /** True if the beginning is a command itself, so that other words may follow too. */
  readonly isCommand: boolean
  readonly words: readonly string[]
}

export async function completionScript(commands: readonly Command[], shell: Shell): Promise<string> {
  return scripts[shell](await stepsOf(commands))
}

async function stepsOf(commands: readonly Command[]): Promise<Step[]> {
  const names = commands.map(({ name }) => name.split(' '))
  const groups = [...new Set(names.filter((name) => name.length > 1).map(([first = '']) => first))]
  const whole = await Promise.all(
    commands.map(async ({ name, options, operandWords }) => ({
      after: name,
      isCommand: true,
      words: [
        // If the first word is a command itself, such as reconcile, these are the second words of its group.
        ...names
          .filter(([first, second]) => first === name && second !== undefined)
          .map(([, second = '']) => second),
        ...((await operandWords?.()) ?? []),
        ...Object.keys({ ...options, ...commonOptions }).map((option) => `--${option}`),
      ],
    })),
  )
  const isAlone = (group: string) => commands.every(({ name }) => name !== group)
  return [
    {
      after: '',
      isCommand: false,
      words: [...new Set(names.map(([first = '']) => first)), 'help', '--help', '--version'],
    },
    ...groups.filter(isAlone).map((group) => ({
      after: group,
      isCommand: false,
      words: names.filter(([first]) => first === group).map(([, second = '']) => second),
    })),
    // Longer names come first, because `reconcile` is also the beginning of `reconcile explain`.
    ...whole.sort((one, other) => other.after.length - one.after.length),
  ]
}

const scripts: Readonly<Record<Shell, (steps: readonly Step[]) => string>> = {
  bash: (steps) => `${sourceLine('bash', '~/.bashrc')}
_comporta() {
  local line="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words=""
  case "$line" in
${casesOf(steps)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _comporta comporta`,
  zsh: (steps) => `#compdef comporta
${sourceLine('zsh', '~/.zshrc, after compinit')}
_comporta() {
  local line="\${(j: :)words[2,CURRENT-1]}" candidates=""
  case "$line" in
${casesOf(steps).replaceAll('words=', 'candidates=')}
  esac
  compadd -- \${=candidates} || _files
}
compdef _comporta comporta`,
  fish: (steps) => `# Put this script into ~/.config/fish/completions/comporta.fish.
function __comporta_line
  set -l words (commandline -opc)
  string join ' ' -- $words[2..-1]
end
${steps.map(fishLine).join('\n')}`,
}

function sourceLine(shell: Shell, file: string): string {
  return `# Put this line into ${file}.\n#   source <(comporta completion ${shell})`
}

function casesOf(steps: readonly Step[]): string {
  return steps
    .map(({ after, isCommand, words }) => {
      const pattern = isCommand ? `"${after}" | "${after} "*` : `"${after}"`
      return `    ${pattern}) words="${words.join(' ')}" ;;`
    })
    .join('\n')
}

function fishLine({ after, isCommand, words }: Step): string {
  const pattern = isCommand ? `^${after}( |$)` : `^${after}$`
  return `complete -c comporta -f -n "string match -qr '${pattern}' -- (__comporta_line)" -a '${words.join(' ')}'`
}
