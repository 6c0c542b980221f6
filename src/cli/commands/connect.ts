// The commands that connect a provider: its settings, secrets, webhook and check.
import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type { RailAdministration } from '../../connections/index.ts'
import { ok, type Result } from '../../kernel/result.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import { refused } from './answers.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { checkText, describe, inJson, merchantOf, ownerOf, withRails } from './shown-rails.ts'

const setOptions = {
  merchant: { value: '<wallet>', help: 'same as --wallet' },
  wallet: {
    value: '<wallet>',
    help: 'merchant who owns the connection. Default: the gateway, for all merchants',
  },
  rails: { value: '<list>', help: 'comma list of rails. Default: all rails of the driver' },
  setting: { value: '<NAME=VALUE>', multiple: true, help: 'a setting that is not secret' },
  secret: {
    value: '<NAME=@FILE>',
    multiple: true,
    help: 'a secret from a file; NAME=- reads it from standard input',
  },
} as const

export const set: Command = {
  name: 'rails set',
  summary:
    'Connects a provider, or changes the given settings of its connection, then checks it. A running gateway uses it immediately.',
  examples: [
    'comporta rails set stripe --secret secret_key=@stripe.key --rails acquirer',
    'comporta rails set stripe secret_key=@stripe.key webhook_secret=@webhook.key --wallet 42',
  ],
  operands: ['<driver>', '[NAME=VALUE]…'],
  options: {
    ...setOptions,
    unset: { value: '<name>', multiple: true, help: 'remove an optional setting or secret' },
    'allow-unproven': { help: 'accept a driver that was never tested against its provider' },
  },
  changes: { action: 'Set a connection', of: ownerOf },
  local: async (context, input) =>
    withRails(context, async (rails) => {
      const unset = input.values('unset')
      const connected = await setAndCheck(context, rails, input, { unset, test: false, registers: false })
      return connected.ok ? connected.value.result : refused(connected.refusal)
    }),
}

export const connect: Command = {
  name: 'connect',
  summary:
    'Connects a provider: checks its keys, registers the webhook where it can, and lists what you must still do.',
  examples: [
    'comporta connect paypal client_id=AbC… client_secret=@paypal.key --test',
    'comporta connect paypal client_id=AbC… client_secret=@paypal.key --wallet 42',
  ],
  operands: ['<driver>', '[NAME=VALUE]…'],
  options: {
    ...setOptions,
    test: { help: 'use the provider’s own sandbox: no money moves' },
    'allow-unproven': { help: 'accept a driver that was never tested against its provider' },
  },
  changes: { action: 'Set a connection', of: ownerOf },
  local: async (context, input) =>
    withRails(context, async (rails) => {
      const asked = { unset: [], test: input.flag('test'), registers: true }
      const connected = await setAndCheck(context, rails, input, asked)
      if (!connected.ok) return refused(connected.refusal)
      const { result, byHand } = connected.value
      const steps = byHand.map((step, index) => `${index + 1}. ${step}`).join('\n')
      const todo = byHand.length === 0 ? '' : `\n\nStill to do:\n${steps}`
      return {
        ...result,
        json: { ...(result.json as object), by_hand: byHand },
        text: `${result.text}${todo}`,
      }
    }),
}

interface SetExtras {
  readonly unset: readonly string[]
  readonly test: boolean
  readonly registers: boolean
}

async function setAndCheck(
  context: CommandContext,
  rails: RailAdministration,
  input: CommandInput,
  { unset, ...extras }: SetExtras,
): Promise<Result<{ readonly result: CommandResult; readonly byHand: readonly string[] }>> {
  const [driver = '', ...pairs] = input.operands
  const merchant = await merchantOf(context, input)
  const isSecret = (name: string) =>
    rails.drivers.some((one) => one.name === driver && one.settings.some((s) => s.name === name && s.secret))
  const given = await pairsOf(pairs, input, isSecret)
  const removed = (secret: boolean) =>
    Object.fromEntries(unset.filter((name) => isSecret(name) === secret).map((name) => [name, null]))
  const made = await rails.connect({
    ...extras,
    driver,
    walletId: merchant?.id,
    rails: input
      .value('rails')
      ?.split(',')
      .map((name) => name.trim()),
    settings: { ...given.settings, ...removed(false) },
    secrets: { ...given.secrets, ...removed(true) },
    allowUnproven: input.flag('allow-unproven'),
  })
  if (!made.ok) return made
  const { connection, ok: isOk, checked, notRegistered, byHand, changes } = made.value
  const notes = [
    describe(connection),
    given.wasTyped ? typedSecret : undefined,
    notRegistered,
    checked.ok ? undefined : setDespiteFailure,
    checkText(checked),
  ]
  return ok({
    byHand,
    result: {
      changed: changes,
      json: { ...inJson(connection), ok: isOk, checks: checked.results },
      text: notes.filter((note) => note !== undefined).join('\n\n'),
      exitCode: isOk ? 0 : 1,
    },
  })
}

const setDespiteFailure = 'The connection is set, but its check failed: see below.'

interface GivenPairs {
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly wasTyped: boolean
}

const typedSecret =
  'The command line contained a secret: other users of this machine and the shell history can show it. Use NAME=@FILE.'

/** Reads pairs `NAME=VALUE` and the options --setting and --secret. */
async function pairsOf(
  pairs: readonly string[],
  input: CommandInput,
  isSecret: (name: string) => boolean,
): Promise<GivenPairs> {
  const settings = new Map<string, string>()
  const secrets = new Map<string, string>()
  let standardInput: string | undefined
  let wasTyped = false
  const add = (to: Map<string, string>, name: string, value: string) => {
    if (settings.has(name) || secrets.has(name)) throw new UsageError(`${name} was given twice`)
    to.set(name, value)
  }
  const sourced = async (name: string, source: string) => {
    if (source !== '-') return (await fileText(name, source.slice(1))).trim()
    if (standardInput !== undefined) throw new UsageError('standard input can contain only one secret')
    standardInput = await textOf(process.stdin)
    return standardInput.trim()
  }
  for (const text of input.values('setting')) {
    const [name, value] = pairOf(text)
    if (name === undefined || value === undefined)
      throw new UsageError(`--setting takes NAME=VALUE; not ${JSON.stringify(text)}`)
    add(settings, name, value)
  }
  for (const text of input.values('secret')) {
    const [name, source] = pairOf(text)
    if (name === undefined || source === undefined || !isSource(source)) {
      throw new UsageError(
        `--secret ${name ?? ''} takes NAME=@FILE, or NAME=- for standard input: others can see the command line`,
      )
    }
    add(secrets, name, await sourced(name, source))
  }
  for (const text of pairs) {
    const [name, value] = pairOf(text)
    // The error does not repeat the text, which may be a secret.
    if (name === undefined || value === undefined) throw new UsageError('write NAME=VALUE after the driver')
    if (!isSecret(name)) add(settings, name, value)
    else if (isSource(value)) add(secrets, name, await sourced(name, value))
    else {
      wasTyped = true
      add(secrets, name, value)
    }
  }
  return { settings: Object.fromEntries(settings), secrets: Object.fromEntries(secrets), wasTyped }
}

const isSource = (text: string) => text === '-' || text.startsWith('@')

async function fileText(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`the secret ${name}: ${(error as Error).message}`)
  }
}

function pairOf(text: string): [name?: string, value?: string] {
  const at = text.indexOf('=')
  return at <= 0 ? [] : [text.slice(0, at), text.slice(at + 1)]
}
