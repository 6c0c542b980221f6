// Every command of comporta, and the way from a command line to an answer.
import { RefusalError } from '../kernel/result.ts'
import { misused, refused } from './answers.ts'
import { bankCommands } from './bank-commands.ts'
import { callbackCommands } from './callback-commands.ts'
import { type Command, type CommandInput, helpOf, readInput, UsageError } from './command.ts'
import type { CommandContext, CommandResult } from './context.ts'
import { gatewayCommands } from './gateway-commands.ts'
import { keyCommands } from './key-commands.ts'
import { merchantCommands } from './merchant-commands.ts'
import { vaultCommands } from './vault-commands.ts'

const { serve, migrate, demo, clock, audit } = gatewayCommands

const commands: readonly Command[] = [
  serve,
  migrate,
  ...merchantCommands,
  ...keyCommands,
  ...callbackCommands,
  ...vaultCommands,
  ...bankCommands,
  demo,
  clock,
  audit,
]

/** A command line that can be run, or the help it asks for. */
export type CommandLine =
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput }
  | { readonly kind: 'help'; readonly text: string }

/** Reads a command line without touching anything; throws {@link UsageError}. */
export function readCommandLine(args: readonly string[]): CommandLine {
  if (args.length === 0 || args[0] === '--help' || args[0] === 'help')
    return { kind: 'help', text: overview() }
  const command = commandNamed(args)
  if (command === undefined) {
    if (args[1] === '--help' && groupOf(args[0]).length > 0) return { kind: 'help', text: overview(args[0]) }
    throw new UsageError(unknownCommand(args))
  }
  const input = readInput(command, args.slice(command.name.split(' ').length))
  return input.flag('help') ? { kind: 'help', text: helpOf(command) } : { kind: 'run', command, input }
}

/** Runs a command line against `context`; whatever is wrong with it becomes an answer. */
export async function runCommand(context: CommandContext, args: readonly string[]): Promise<CommandResult> {
  try {
    const line = readCommandLine(args)
    if (line.kind === 'help') return { json: { help: line.text }, text: line.text, exitCode: 0 }
    if (line.command.run === undefined) return misused(`${line.command.name} cannot run inside a gateway`)
    return await line.command.run(context, line.input)
  } catch (error) {
    if (error instanceof UsageError) return misused(error.message)
    if (error instanceof RefusalError) return refused(error.refusal)
    throw error
  }
}

function commandNamed(args: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name.split(' ').every((word, index) => args[index] === word))
}

function groupOf(word: string | undefined): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `))
}

function unknownCommand(args: readonly string[]): string {
  const [first, second] = args
  const group = groupOf(first)
  if (group.length === 0) return `unknown command ${JSON.stringify(first)}; there are ${namesOf(commands)}`
  if (second === undefined) return `${first} needs one of ${namesOf(group)}`
  return `unknown command ${JSON.stringify(`${first} ${second}`)}; there are ${namesOf(group)}`
}

function namesOf(list: readonly Command[]): string {
  return list.map(({ name }) => name).join(', ')
}

function overview(group?: string): string {
  const shown = group === undefined ? commands : groupOf(group)
  const lines = shown.map(
    ({ name, operands, summary }) => `  ${[name, ...operands].join(' ').padEnd(24)} ${summary}`,
  )
  return [
    'Usage: comporta <command> [options]\n',
    ...lines,
    '\ncomporta <command> --help explains its options.',
  ].join('\n')
}
