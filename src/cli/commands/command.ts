// The form of a command, and how its command line is read: strictly, with an error that names what is valid.
import { parseArgs } from 'node:util'
import type { PlaceConfig } from '../../config.ts'
import { nearestWord } from '../../kernel/values/nearest.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import type { Session } from '../session.ts'

export interface OptionSpec {
  /** Name of the value in the help text; absent for a switch. */
  readonly value?: string
  /** A single letter that stands for it. */
  readonly short?: string
  /** Its value is a path, as `operandsArePaths`; or `none`. Or it is one where such a file is there, and else a text. */
  readonly path?: true | 'where there is one'
  /** May be given several times. */
  readonly multiple?: boolean
  readonly help: string
}

interface CommandForm {
  /** One or two words, such as `merchant set`. */
  readonly name: string
  readonly summary: string
  /** Names of the operands in their order; optional ones are written `[name]`, and `<name>…` is one or more. */
  readonly operands: readonly string[]
  /** Whether they are paths: relative to where the command is typed, not to where the gateway runs. */
  readonly operandsArePaths?: true
  /** Words that its first operand may be, for the shell to complete. */
  operandWords?(): Promise<readonly string[]>
  readonly options: Readonly<Record<string, OptionSpec>>
  /** Makes the database where there is none; every other command needs one. */
  readonly creates?: true
  /** Goes on until Ctrl-C, which is then no failure. */
  readonly endless?: true
  /** Whole command lines, as they are typed. */
  readonly examples?: readonly string[]
}

/** What a command changes of money, rights or settings, for the log of who did what. */
export interface LoggedChange {
  readonly action: string | ((input: CommandInput) => string)
  /**
   * Whose log has it: nobody's but the operator's, or that of wallets that are found before it is done. A wallet that the
   * answer names as `wallet_id` or `assigned_wallet_id` is the one where none was found.
   */
  readonly of: 'gateway' | ((context: CommandContext, input: CommandInput) => Promise<readonly bigint[]>)
}

/** Works on the gateway's database, in the process that has it open. */
interface RunCommand extends CommandForm {
  run(context: CommandContext, input: CommandInput): Promise<CommandResult>
  readonly changes: 'nothing' | LoggedChange
  place?: undefined
  act?: undefined
}

interface OtherCommand extends CommandForm {
  run?: undefined
  /** Works on the gateway's folder while nobody has the database open, and nothing is composed. */
  place?(config: PlaceConfig, input: CommandInput): Promise<CommandResult>
  /**
   * Acts from the outside, as a program of a merchant does, in the process that reads the command line; undefined: it has
   * printed its answer. A command has this, `run` or `place`; `serve` has none, because it becomes the gateway.
   */
  act?(session: Session, input: CommandInput): Promise<CommandResult | undefined>
}

export type Command = RunCommand | OtherCommand

/** A command line as read: every name is one that the command declares. */
export interface CommandInput {
  readonly operands: readonly string[]
  flag(option: string): boolean
  value(option: string): string | undefined
  values(option: string): readonly string[]
}

/** The command line is wrong; the message says what would be right. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

/** Options that every command takes. */
export const commonOptions: Readonly<Record<string, OptionSpec>> = {
  json: { help: 'answer as JSON' },
  help: { short: 'h', help: 'explain the command' },
  version: { help: 'print the version' },
}

/** Reads what follows the command's name; throws {@link UsageError}. */
export function readInput(command: Command, args: readonly string[]): CommandInput {
  const specs = { ...command.options, ...commonOptions }
  const { values, positionals, tokens } = parse(command, specs, args)
  const seen = new Set<string>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    if (seen.has(token.name) && specs[token.name]?.multiple !== true) {
      throw new UsageError(`--${token.name} was given twice`)
    }
    seen.add(token.name)
  }
  checkOperands(command, positionals, values.help === true || values.version === true)
  const all = (option: string) => [values[option] ?? []].flat() as string[]
  return {
    operands: positionals,
    flag: (option) => values[option] === true,
    value: (option) => all(option)[0],
    values: all,
  }
}

/**
 * Throws {@link UsageError} where a card number was typed: what an operator types is stored, listed and kept in the
 * shell's history. Asked before a command runs, because help needs none of what card numbers are known by.
 */
export async function refuseCardNumbers(command: Command, input: CommandInput): Promise<void> {
  const { holdsCardNumber } = await loadCardNumbers()
  const typed = [
    ...Object.keys(command.options).flatMap((name) =>
      input.values(name).map((text) => [`--${name}`, text] as const),
    ),
    ...input.operands.map((text, index) => [command.operands[index] ?? 'an operand', text] as const),
  ]
  // Switches are no text.
  const wrong = typed.find(([, text]) => typeof text === 'string' && holdsCardNumber(text))
  if (wrong !== undefined) throw new UsageError(`${wrong[0]} must not hold a card number`)
}

function parse(command: Command, specs: Readonly<Record<string, OptionSpec>>, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(specs).map(([name, { value, short, multiple = false }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple,
        ...(short === undefined ? {} : { short }),
      },
    ]),
  )
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true, tokens: true })
  } catch (error) {
    const known = Object.keys(specs).map((name) => `--${name}`)
    const [what, typed] = wrongOption(error as Error)
    const meant = typed === undefined ? undefined : nearestWord(typed, known)
    const help = `comporta ${command.name} --help shows all options`
    throw new UsageError(withGuess(what, meant, help, `${command.name} takes ${known.join(', ')}`))
  }
}

/** Node explains how to pass operands that begin with a dash; nobody here wants to. */
function wrongOption(error: Error): [what: string, typed?: string] {
  const unknown = /^Unknown option '([^']+)'/.exec(error.message)?.[1]
  if (unknown !== undefined) return [`unknown option ${unknown}`, unknown]
  return [error.message.split('\n')[0]?.replace(/\.$/, '') ?? '']
}

/** What is wrong, then the known word that was likely meant and `help`, or `listing` where no word is near. */
export function withGuess(what: string, meant: string | undefined, help: string, listing = help): string {
  return meant === undefined ? `${what}; ${listing}` : `${what}; did you mean ${meant}? ${help}`
}

function checkOperands(command: Command, operands: readonly string[], onlyAsks: boolean): void {
  if (onlyAsks) return
  const required = command.operands.filter((name) => !name.startsWith('['))
  if (operands.length < required.length) {
    throw new UsageError(
      `${command.name} needs ${required.slice(operands.length).join(' and ')}: ${usageOf(command)}`,
    )
  }
  const takesMore = command.operands.at(-1)?.endsWith('…') === true
  if (!takesMore && operands.length > command.operands.length) {
    const extra = JSON.stringify(operands[command.operands.length])
    throw new UsageError(`${command.name} does not take ${extra}: ${usageOf(command)}`)
  }
}

/** `comporta merchant set <wallet> [options]` */
function usageOf(command: Command): string {
  return ['comporta', command.name, ...command.operands, '[options]'].join(' ')
}

/** The help text of one command. */
export function helpOf(command: Command): string {
  const specs = Object.entries({ ...command.options, ...commonOptions })
  const options = specs.map(([name, { value, short, help }]) => {
    const form = value === undefined ? `--${name}` : `--${name} ${value}`
    return `  ${(short === undefined ? form : `-${short}, ${form}`).padEnd(36)} ${help}`
  })
  const examples = (command.examples ?? []).map((line) => `  ${line}`)
  return [
    `${command.summary}\n`,
    `Usage: ${usageOf(command)}\n`,
    ...options,
    ...(examples.length === 0 ? [] : ['\nExamples:\n', ...examples]),
  ].join('\n')
}

/** Loaded apart, because help needs nothing of it. */
export const loadCardNumbers = () => import('../../kernel/values/card-numbers.ts')
