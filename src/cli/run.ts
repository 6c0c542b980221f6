// The comporta command from arguments to exit code, locally or in a running gateway.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { missingIn, type PlaceConfig } from '../config.ts'
import { armCrashPoint } from '../kernel/crash-points.ts'
import type { Result } from '../kernel/result.ts'
import { done, misused } from './commands/answers.ts'
import { type Command, UsageError } from './commands/command.ts'
import { type CommandLine, readCommandLine, runCommand } from './commands/commands.ts'
import type { CommandContext, CommandResult } from './context.ts'
import { askGateway } from './control-client.ts'
import { visible, visibleJson } from './escape-control-characters.ts'
import { CliError } from './session.ts'

export interface CliDeps<Config extends PlaceConfig> {
  readonly env: Readonly<Record<string, string | undefined>>
  loadConfig(env: CliDeps<Config>['env']): Result<Config, readonly string[]>
  /** Opens database and modules. Throws a message, also if there are no tables and `create` is false. */
  openContext(
    config: Config,
    how: { readonly create: boolean },
  ): Promise<{ readonly context: CommandContext; close(): Promise<void> }>
  serve(config: Config): Promise<number>
  out(text: string): void
  err(text: string): void
  /** The signal is aborted by Ctrl-C, or if nobody reads the output any more. */
  untilStopped(): AbortSignal
}

/** Shells use 128 + SIGINT too. */
const exitCodeStopped = 130

export async function runCli<Config extends PlaceConfig>(
  args: readonly string[],
  given: CliDeps<Config>,
): Promise<number> {
  const deps = withVisibleText(args, given)
  const say = (result: CommandResult) => print(result, args, deps)
  try {
    const line = readCommandLine(args)
    if (line.kind === 'about') {
      return say(done(line.json, line.text))
    }
    const { remote, offline } = line.command
    if (remote !== undefined) return await runRemote(remote, line, deps, say)
    const config = deps.loadConfig(deps.env)
    if (!config.ok) return say(failure('configuration', config.refusal.join('\n')))
    armCrash(config.value)
    if (offline !== undefined) return say(await offline(config.value, line.input))
    if (line.command.local === undefined) return await deps.serve(config.value)
    return say(await runLocal(config.value, withWholePaths(args, line), deps, line.command.creates === true))
  } catch (error) {
    if (error instanceof UsageError) return say(misused(error.message))
    return say(failure('failed', (error as Error).message))
  }
}

/** Escapes the output, because it can contain texts of customers or other programs. */
function withVisibleText<Config extends PlaceConfig>(
  args: readonly string[],
  deps: CliDeps<Config>,
): CliDeps<Config> {
  const shown = args.includes('--json') ? visibleJson : visible
  return { ...deps, out: (text) => deps.out(shown(text)), err: (text) => deps.err(visible(text)) }
}

function armCrash({ crashAt }: PlaceConfig): void {
  if (crashAt !== undefined && crashAt !== 'parent') armCrashPoint(crashAt)
}

async function runRemote<Config extends PlaceConfig>(
  remote: NonNullable<Command['remote']>,
  { command, input }: Extract<CommandLine, { kind: 'run' }>,
  deps: CliDeps<Config>,
  say: (result: CommandResult) => number,
): Promise<number> {
  const { env, out, err } = deps
  const stopped = deps.untilStopped()
  const inside = async (args: readonly string[]) => {
    const config = deps.loadConfig(env)
    if (!config.ok) return failure('configuration', config.refusal.join('\n'))
    return runLocal(config.value, args, deps, false)
  }
  try {
    const result = await remote({ env, out, err, stopped, inside }, input)
    return result === undefined ? 0 : say(result)
  } catch (error) {
    if (stopped.aborted && command.endless === true) return 0
    if (stopped.aborted) return say(stoppedResult(error))
    if (!(error instanceof CliError)) throw error
    return say({ json: { error: error.facts }, text: error.message, exitCode: 1 })
  }
}

/** The result of a command that Ctrl-C stopped before its end. */
function stoppedResult(error: unknown): CommandResult {
  const { message, facts } =
    error instanceof CliError ? error : new CliError('stopped', 'stopped before it was complete')
  return { json: { error: facts }, text: message, exitCode: exitCodeStopped }
}

/** Makes paths absolute, because the gateway runs in another folder. */
function withWholePaths(
  args: readonly string[],
  { command, input }: Extract<CommandLine, { kind: 'run' }>,
): readonly string[] {
  const paths = new Map<string, string>()
  for (const path of command.operandsArePaths === true ? input.operands : []) paths.set(path, resolve(path))
  for (const [name, { path }] of Object.entries(command.options)) {
    const value = path === undefined ? undefined : input.value(name)
    if (value === undefined || value === 'none') continue
    if (path === 'if it exists' && !existsSync(value)) continue
    paths.set(value, resolve(value)).set(`--${name}=${value}`, `--${name}=${resolve(value)}`)
  }
  return args.map((arg) => paths.get(arg) ?? arg)
}

async function runLocal<Config extends PlaceConfig>(
  config: Config,
  args: readonly string[],
  deps: CliDeps<Config>,
  create: boolean,
): Promise<CommandResult> {
  const missing = create ? undefined : missingIn(config)
  if (missing !== undefined) return failure('no_database', missing)
  if (config.databaseUrl === undefined) {
    const answer = await askGateway(config.dataDir, args)
    if (answer !== undefined) return answer
  }
  const { context, close } = await deps.openContext(config, { create })
  try {
    return await runCommand(context, args)
  } finally {
    await close()
  }
}

function failure(kind: string, reason: string): CommandResult {
  return { json: { error: { kind, reason } }, text: reason, exitCode: 1 }
}

/** JSON and reports go to standard output; errors go to standard error. */
function print<Config extends PlaceConfig>(
  { json, text, exitCode, isReport }: CommandResult,
  args: readonly string[],
  { out, err }: Pick<CliDeps<Config>, 'out' | 'err'>,
): number {
  if (args.includes('--json')) out(JSON.stringify(json, null, 2))
  else if (exitCode === 0 || isReport) out(text)
  else err(text)
  return exitCode
}
