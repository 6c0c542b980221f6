// The form of a command, and the strict reading of its command line.
import { parseArgs } from 'node:util'
import type { PlaceConfig } from '../../config.ts'
import { nearestWord } from '../../kernel/values/nearest.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import type { Session } from '../session.ts'

export interface OptionSpec {
  /** The placeholder of the value in the help. Absent for a switch. */
  readonly value?: string
  readonly short?: string
  /** The value is a path or `none`. With `if it exists` it is a path only if the file exists. */
  readonly path?: true | 'if it exists'
  readonly multiple?: boolean
  readonly help: string
}

interface CommandForm {
  readonly name: string
  readonly summary: string
  /** `[name]` is optional. `<name>…` is one operand or more. */
  readonly operands: readonly string[]
  /** Paths are relative to the user's folder, not to the gateway's. */
  readonly operandsArePaths?: true
  operandWords?(): Promise<readonly string[]>
  readonly options: Readonly<Record<string, OptionSpec>>
  readonly creates?: true
  /** The command runs until Ctrl-C, which then counts as success. */
  readonly endless?: true
  readonly examples?: readonly string[]
}

/** A change of money, rights or settings, for the action log. */
export interface LoggedChange {
  readonly action: string | ((input: CommandInput) => string)
  /** Logs of the change: the operator's log only, or also the logs of these wallets. Without wallets, `wallet_id` of the result. */
  readonly of: 'gateway' | ((context: CommandContext, input: CommandInput) => Promise<readonly bigint[]>)
}

/** Works on the database, in the process that has it open. */
interface LocalCommand extends CommandForm {
  local(context: CommandContext, input: CommandInput): Promise<CommandResult>
  readonly changes: 'nothing' | LoggedChange
  offline?: undefined
  remote?: undefined
}

interface OtherCommand extends CommandForm {
  local?: undefined
  /** Works on the data folder while no process has the database open. */
  offline?(config: PlaceConfig, input: CommandInput): Promise<CommandResult>
  /** Acts over HTTP, as a merchant's program. Undefined: printed already. `serve` has none of these three. */
  remote?(session: Session, input: CommandInput): Promise<CommandResult | undefined>
}

export type Command = LocalCommand | OtherCommand

export interface CommandInput {
  readonly operands: readonly string[]
  flag(option: string): boolean
  value(option: string): string | undefined
  values(option: string): readonly string[]
}

/** A wrong command line. The message says how to correct it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

export const commonOptions: Readonly<Record<string, OptionSpec>> = {
  json: { help: 'print the answer as JSON' },
  help: { short: 'h', help: 'explain the command' },
  version: { help: 'print the version' },
}

/** Reads the words after the command's name. Throws {@link UsageError}. */
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

/** Throws {@link UsageError} for a card number, because shells and systems store command lines. */
export async function refuseCardNumbers(command: Command, input: CommandInput): Promise<void> {
  const { holdsCardNumber } = await loadCardNumbers()
  const typed = [
    ...Object.keys(command.options).flatMap((name) =>
      input.values(name).map((text) => [`--${name}`, text] as const),
    ),
    ...input.operands.map((text, index) => [command.operands[index] ?? 'an operand', text] as const),
  ]
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

function wrongOption(error: Error): [what: string, typed?: string] {
  const unknown = /^Unknown option '([^']+)'/.exec(error.message)?.[1]
  if (unknown !== undefined) return [`unknown option ${unknown}`, unknown]
  return [error.message.split('\n')[0]?.replace(/\.$/, '') ?? '']
}

/** An error that suggests a similar word and `help`. If no word is similar, it shows `listing`. */
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

function usageOf(command: Command): string {
  return ['comporta', command.name, ...command.operands, '[options]'].join(' ')
}

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

export const loadCardNumbers = () => import('../../kernel/values/card-numbers.ts')
