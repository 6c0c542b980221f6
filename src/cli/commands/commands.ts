// The table of commands, from command line to result.
import { programVersion } from '../../kernel/project-root.ts'
import { RefusalError } from '../../kernel/result.ts'
import { nearestWord } from '../../kernel/values/nearest.ts'
import { completionScript, shells } from '../completion.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import { done, misused, refused } from './answers.ts'
import { backupCommands } from './backup-commands.ts'
import { callbackCommands } from './callback-commands.ts'
import { cellCommands } from './cell-commands.ts'
import { clientCommands } from './client-commands.ts'
import {
  type Command,
  type CommandInput,
  helpOf,
  readInput,
  refuseCardNumbers,
  UsageError,
  withGuess,
} from './command.ts'
import { gatewayCommands } from './gateway-commands.ts'
import { keyCommands } from './key-commands.ts'
import { merchantCommands } from './merchant-commands.ts'
import { auditCommands } from './money/audit-commands.ts'
import { bankCommands } from './money/bank-commands.ts'
import { bankFileCommands } from './money/bank-file-commands.ts'
import { reconcileCommands } from './money/reconcile-commands.ts'
import { settleCommands } from './money/settle-commands.ts'
import { suspenseCommands } from './money/suspense-commands.ts'
import { railCommands } from './rail-commands.ts'
import { userCommands } from './user-commands.ts'
import { vaultCommands } from './vault-commands.ts'

const { serve, migrate, queues, demo, clock } = gatewayCommands

const completion: Command = {
  name: 'completion',
  summary: 'Prints a script that completes commands, options and events in your shell.',
  operands: ['<bash|zsh|fish>'],
  operandWords: async () => shells,
  options: {},
  examples: ['source <(comporta completion bash)'],
  async remote(_session, { operands: [named = ''] }) {
    const shell = shells.find((known) => known === named)
    if (shell === undefined)
      throw new UsageError(`completion takes one of ${shells.join(', ')}; not ${JSON.stringify(named)}`)
    const script = await completionScript(commands, shell)
    return done({ shell, script }, script)
  },
}

export const commands: readonly Command[] = [
  serve,
  migrate,
  ...cellCommands,
  queues,
  ...merchantCommands,
  ...keyCommands,
  ...userCommands,
  ...callbackCommands,
  ...vaultCommands,
  ...bankCommands,
  ...bankFileCommands,
  ...settleCommands,
  ...suspenseCommands,
  ...railCommands,
  ...reconcileCommands,
  demo,
  clock,
  ...auditCommands,
  ...backupCommands,
  ...clientCommands,
  completion,
]

export type CommandLine =
  | { readonly kind: 'run'; readonly command: Command; readonly input: CommandInput }
  | { readonly kind: 'about'; readonly json: unknown; readonly text: string }

const groups = commands.flatMap(({ name }) => (name.includes(' ') ? name.split(' ').slice(0, 1) : []))

const helpWords = ['--help', '-h', 'help']
const versionWords = ['--version', 'version']

/** Reads a command line without side effects. Throws {@link UsageError}. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [first = 'help', second] = args
  if (versionWords.includes(first)) return aboutVersion()
  // `comporta help merchant set` means the same as `comporta merchant set --help`.
  if (helpWords.includes(first)) return args.length < 2 ? aboutHelp(overview()) : helpAbout(args.slice(1))
  const command = commandNamed(args)
  if (command === undefined) {
    if (second !== undefined && groupOf(first).length > 0) {
      if (helpWords.includes(second)) return aboutHelp(overview(first))
      if (versionWords.includes(second)) return aboutVersion()
    }
    throw new UsageError(unknownCommand(args))
  }
  const input = readInput(command, args.slice(command.name.split(' ').length))
  if (input.flag('help')) return aboutHelp(helpOf(command))
  return input.flag('version') ? aboutVersion() : { kind: 'run', command, input }
}

function helpAbout(args: readonly string[]): CommandLine {
  const command = commandNamed(args)
  if (command !== undefined) return aboutHelp(helpOf(command))
  if (args[0]?.startsWith('-') === true) return aboutHelp(overview())
  if (groupOf(args[0]).length > 0) return aboutHelp(overview(args[0]))
  throw new UsageError(unknownCommand(args))
}

function aboutHelp(text: string): CommandLine {
  return { kind: 'about', json: { help: text }, text }
}

function aboutVersion(): CommandLine {
  const version = programVersion()
  return { kind: 'about', json: { version }, text: version }
}

export async function runCommand(context: CommandContext, args: readonly string[]): Promise<CommandResult> {
  try {
    const line = readCommandLine(args)
    if (line.kind === 'about') return done(line.json, line.text)
    if (line.command.local === undefined) return misused(`${line.command.name} cannot run inside a gateway`)
    await refuseCardNumbers(line.command, line.input)
    return await runLogged(line.command, context, line.input)
  } catch (error) {
    if (error instanceof UsageError) return misused(error.message)
    if (error instanceof RefusalError) return refused(error.refusal)
    throw error
  }
}

type LoggedCommand = Extract<Command, { readonly changes: unknown }>

async function runLogged(
  command: LoggedCommand & { readonly local: NonNullable<Command['local']> },
  context: CommandContext,
  input: CommandInput,
): Promise<CommandResult> {
  const { changes } = command
  if (changes === 'nothing') return command.local(context, input)
  const action = typeof changes.action === 'string' ? changes.action : changes.action(input)
  const walletIds = changes.of === 'gateway' ? [] : await changes.of(context, input)
  const target = input.operands[0] ?? input.value('email') ?? command.name
  const begun = await context.log.beginCommand(action, target, walletIds)
  try {
    const result = await command.local(context, input)
    await begun.end(result.exitCode === 0 ? 200 : 400, walletIn(result.json), result.changed)
    return result
  } catch (error) {
    if (error instanceof UsageError) await begun.forget()
    else await begun.end(error instanceof RefusalError ? 400 : 500)
    throw error
  }
}

function walletIn(json: unknown): bigint | undefined {
  const { wallet_id: own, assigned_wallet_id: assigned } = (json ?? {}) as Record<string, unknown>
  const walletId = assigned ?? own
  return typeof walletId === 'number' ? BigInt(walletId) : undefined
}

function commandNamed(args: readonly string[]): Command | undefined {
  const named = commands.filter(({ name }) => name.split(' ').every((word, index) => args[index] === word))
  // `reconcile` is a command, and also the first word of `reconcile explain`.
  return named.find(({ name }) => name.includes(' ')) ?? named[0]
}

function groupOf(word: string | undefined): readonly Command[] {
  return commands.filter(({ name }) => name.startsWith(`${word} `))
}

function unknownCommand([first = '', second]: readonly string[]): string {
  const all = namesOf(commands)
  const group = namesOf(groupOf(first))
  if (group.length > 0) {
    if (second === undefined) return `${first} needs one of ${group.join(', ')}`
    const meant = nearestWord(
      second,
      group.map((name) => name.slice(first.length + 1)),
    )
    const typed = JSON.stringify(`${first} ${second}`)
    const help = `comporta ${first} --help shows all of them`
    return withGuess(`unknown command ${typed}`, meant && `${first} ${meant}`, help, thereAre(group))
  }
  if (first.startsWith('-')) {
    const known = ['--help', '--version']
    return withGuess(
      `unknown option ${first}`,
      nearestWord(first, known),
      `a command comes first: ${allCommands}`,
    )
  }
  const meant = nearestWord(`${first} ${second}`, all) ?? nearestWord(first, [...all, ...groups])
  return withGuess(`unknown command ${JSON.stringify(first)}`, meant, allCommands)
}

const allCommands = 'comporta --help shows all commands'

function thereAre(names: readonly string[]): string {
  return `there are ${names.join(', ')}`
}

function namesOf(list: readonly Command[]): string[] {
  return list.map(({ name }) => name)
}

function overview(group?: string): string {
  const shown = group === undefined ? commands : groupOf(group)
  const lines = shown.map(
    ({ name, operands, summary }) => `  ${[name, ...operands].join(' ').padEnd(24)} ${summary}`,
  )
  return [
    'Usage: comporta <command> [options]\n',
    ...lines,
    '\ncomporta <command> --help explains its options; comporta --version prints the version.',
  ].join('\n')
}
