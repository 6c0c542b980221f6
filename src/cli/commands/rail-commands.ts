// comporta rails: connections to providers, for every merchant or for one.

import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type {
  CheckedConnection,
  Contact,
  ContactedConnection,
  ListedConnection,
  RailAdministration,
} from '../../connections/index.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { methods } from '../../methods/list.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import { done, refused, table } from './answers.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { merchantNamed } from './option-values.ts'

const webhooksListedMax = 500

/** The merchant whose own connection it is. */
async function ownerOf({ wallets }: CommandContext, input: CommandInput): Promise<readonly bigint[]> {
  const named = input.value('wallet') ?? input.value('merchant')
  return named === undefined ? [] : [(await merchantNamed(wallets, named)).id]
}

/** For the log: what a connection was and is; its secrets have names and no values. */
function changeOf(before: ListedConnection | undefined, after: ListedConnection, secrets: readonly string[]) {
  const field = `connection ${after.id} ${after.driver}`
  const replaced = secrets.map((name) => {
    const old = before?.secrets.includes(name) === true ? 'set' : ''
    return { field: `${field} ${name}`, old, new: after.secrets.includes(name) ? 'replaced' : '' }
  })
  const [old, now] = [before === undefined ? '' : inLine(before), inLine(after)]
  return [...(old === now ? [] : [{ field, old, new: now }]), ...replaced]
}

function inLine({ rails, settings, enabled }: ListedConnection): string {
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return [enabled ? rails.join(', ') : 'removed', ...pairs].join('; ')
}

const drivers: Command = {
  name: 'rails drivers',
  summary: 'Shows the drivers of this version, the rails that they serve, and what is to be set for them.',
  examples: ['comporta rails drivers'],
  operands: [],
  options: {},
  changes: 'nothing',
  run: async (context) =>
    withRails(context, async ({ drivers: known }) => {
      const json = known.map(({ name, rails, proven, settings }) => ({
        ...{ driver: name, rails, proven },
        settings: settings.map(({ name: setting, secret, required, help }) => ({
          ...{ name: setting, secret, required, help },
        })),
      }))
      const texts = json.map(({ driver, rails, proven, settings }) => {
        const head = `${driver} (${proven ? 'proven' : 'unproven'}): ${rails.join(', ')}`
        const rows = settings.map((one) => [
          `  --${one.secret ? 'secret' : 'setting'} ${one.name}=${one.secret ? '@FILE' : 'VALUE'}`,
          one.required ? 'required' : 'optional',
          one.help,
        ])
        return rows.length === 0 ? head : `${head}\n${table(rows[0] ?? [], rows.slice(1))}`
      })
      return done({ drivers: json }, texts.length === 0 ? 'This version has none.' : texts.join('\n\n'))
    }),
}

const list: Command = {
  name: 'rails list',
  summary:
    'Lists the connections to providers, and as JSON also the drivers with the methods that each serves.',
  examples: ['comporta rails list --all'],
  operands: [],
  options: { all: { help: 'also those that were removed' } },
  changes: 'nothing',
  run: async (context, input) => {
    if (context.rails === undefined) return sandboxRails()
    return withRails(context, async (rails) => {
      const listed = await rails.list({ removed: input.flag('all') })
      const rows = listed.map((one) => [
        String(one.id),
        one.driver,
        one.walletId === undefined ? 'gateway' : String(one.walletId),
        one.rails.join(','),
        one.state,
        one.enabled ? 'yes' : 'no',
        contactInWords(one.lastAnswer),
        contactInWords(one.lastError),
      ])
      const head = [
        'CONNECTION',
        'DRIVER',
        'WALLET',
        'RAILS',
        'DRIVER IS',
        'ENABLED',
        'LAST ANSWER',
        'LAST ERROR',
      ]
      const known = rails.drivers.map((driver) => ({
        driver: driver.name,
        methods: rails.methodsOf(driver),
        configured: listed.some((one) => one.enabled && one.driver === driver.name),
        driver_is: driver.proven ? 'proven' : 'unproven',
        ...contactsInJson(listed.filter((one) => one.driver === driver.name)),
      }))
      return done(
        { drivers: known, connections: listed.map((one) => ({ ...inJson(one), ...contactsInJson([one]) })) },
        rows.length === 0 ? 'There are none: see comporta rails set --help.' : table(head, rows),
      )
    })
  },
}

/** The sandbox's rails are no connections: they are there, and serve everything. */
async function sandboxRails(): Promise<CommandResult> {
  return done(
    {
      drivers: [{ driver: 'sandbox', methods, configured: true, driver_is: 'proven', ...contactsInJson([]) }],
      connections: [],
    },
    'The sandbox serves every method by rails of its own. Connections to providers are for MODE=production.',
  )
}

const set: Command = {
  name: 'rails set',
  summary:
    'Connects a provider, or changes what is named of the connection there is, and checks it. The gateway takes it up while it runs.',
  examples: [
    'comporta rails set stripe --secret secret_key=@stripe.key --rails acquirer',
    'comporta rails set stripe secret_key=@stripe.key webhook_secret=@webhook.key --wallet 42',
  ],
  operands: ['<driver>', '[NAME=VALUE]…'],
  options: {
    merchant: { value: '<wallet>', help: "a merchant's own connection; without it the gateway's, for all" },
    wallet: { value: '<wallet>', help: 'the same' },
    rails: { value: '<list>', help: 'comma list of what it serves; without it all that the driver can' },
    setting: { value: '<NAME=VALUE>', multiple: true, help: 'a setting that is no secret' },
    secret: {
      value: '<NAME=@FILE>',
      multiple: true,
      help: 'a secret, read from a file; NAME=- reads it from standard input',
    },
    unset: { value: '<name>', multiple: true, help: 'removes an optional setting or secret' },
    'allow-unproven': { help: 'accepts a driver that has never been run against its provider' },
  },
  changes: { action: 'Set a connection', of: ownerOf },
  run: async (context, input) =>
    withRails(context, async (rails) => {
      const [driver = '', ...pairs] = input.operands
      const merchant = await merchantOf(context, input)
      const unset = input.values('unset')
      const isSecret = (name: string) =>
        rails.drivers.some(
          (one) => one.name === driver && one.settings.some((s) => s.name === name && s.secret),
        )
      const given = await pairsOf(pairs, input, isSecret)
      const removed = (secret: boolean) =>
        Object.fromEntries(unset.filter((name) => isSecret(name) === secret).map((name) => [name, null]))
      const listed = await rails.list({ removed: true })
      const made = await rails.set({
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
      if (!made.ok) return refused(made.refusal)
      const seen = given.wasTyped ? `\n\n${typedSecret}` : ''
      const checked = await rails.check(made.value.id)
      if (!checked.ok) return refused(checked.refusal)
      const checks = checked.value.map(checkInWords).join('\n\n')
      const { ok, connections } = checksInJson(checked.value)
      const changed = changeOf(
        listed.find(({ id }) => id === made.value.id),
        made.value,
        [...Object.keys(given.secrets), ...unset.filter(isSecret)],
      )
      return {
        changed,
        json: { ...inJson(made.value), ok, checks: connections.flatMap((one) => one.checks) },
        text: `${describe(made.value)}${seen}\n\n${ok ? '' : `${setNevertheless}\n\n`}${checks}`,
        exitCode: ok ? 0 : 1,
      }
    }),
}

const route: Command = {
  name: 'rails route',
  summary:
    'Has a method of payment go over the connection of a driver from now on, in place of the one before.',
  examples: ['comporta rails route MBWAY sibs'],
  operands: ['<method>', '<driver>'],
  options: {
    wallet: {
      value: '<wallet>',
      help: "of a merchant's own connections; without it of the gateway's, for all",
    },
  },
  changes: { action: 'Choose the connection of a method', of: ownerOf },
  run: async (context, input) =>
    withRails(context, async (rails) => {
      const [method = '', driver = ''] = input.operands
      const merchant = await merchantOf(context, input)
      const before = await rails.list({ removed: true })
      const routed = await rails.route({ method, driver, walletId: merchant?.id })
      if (!routed.ok) return refused(routed.refusal)
      // The one that served it before serves less.
      const after = await rails.list({ removed: true })
      const changed = after.flatMap((one) =>
        changeOf(
          before.find(({ id }) => id === one.id),
          one,
          [],
        ),
      )
      return { ...done(inJson(routed.value), describe(routed.value)), changed }
    }),
}

const check: Command = {
  name: 'rails check',
  summary: 'Checks connections: settings, whether the provider accepts them, and the address of its webhook.',
  examples: ['comporta rails check'],
  operands: ['[connection or driver]'],
  options: {},
  changes: 'nothing',
  run: async (context, input) =>
    withRails(context, async (rails) => {
      const [operand] = input.operands
      const checked = await rails.check(
        operand !== undefined && isConnectionId(operand) ? BigInt(operand) : operand,
      )
      if (!checked.ok) return refused(checked.refusal)
      const json = checksInJson(checked.value)
      const text = checked.value.map(checkInWords).join('\n\n')
      return {
        json,
        text: text === '' ? 'There are no connections: see comporta rails set --help.' : text,
        exitCode: json.ok ? 0 : 1,
      }
    }),
}

const exchange: Command = {
  name: 'rails exchange',
  summary: 'Has drivers exchange files with their providers now; a running gateway does it every minute.',
  examples: ['comporta rails exchange'],
  operands: [],
  options: {},
  changes: { action: 'Exchange files with networks', of: 'gateway' },
  run: async (context) =>
    withRails(context, async (rails) => {
      const files = (await rails.exchange()).map(({ connectionId, kind, file, detail }) => ({
        ...{ connection: Number(connectionId), kind, file, detail },
      }))
      const rows = files.map(({ connection, ...one }) => [String(connection), ...Object.values(one)])
      const text =
        rows.length === 0 ? 'There was nothing.' : table(['CONNECTION', 'FILE IS', 'FILE', 'DETAIL'], rows)
      return done({ files }, text)
    }),
}

const remove: Command = {
  name: 'rails remove',
  summary:
    'Has a connection take nothing new. What it has begun ends over it, and what was paid over it is refunded over it.',
  examples: ['comporta rails remove 3'],
  operands: ['<connection>'],
  options: {},
  changes: {
    action: 'Remove a connection',
    of: async ({ rails }, { operands: [id = ''] }) => {
      const listed = (await rails?.list({ removed: true })) ?? []
      return listed.flatMap((one) =>
        String(one.id) === id && one.walletId !== undefined ? one.walletId : [],
      )
    },
  },
  run: async (context, input) =>
    withRails(context, async (rails) => {
      const removed = await rails.remove(connectionId(input.operands[0] ?? ''))
      if (!removed.ok) return refused(removed.refusal)
      const { id, driver } = removed.value
      const text = `Connection ${id} (${driver}) takes nothing new. It is kept with its secrets for what was begun or paid over it: leave its credentials valid at the provider until that is over.`
      const changed = changeOf({ ...removed.value, enabled: true }, removed.value, [])
      return { ...done(inJson(removed.value), text), changed }
    }),
}

const webhooks: Command = {
  name: 'rails webhooks',
  summary:
    'Lists what providers sent and could not be handled, newest first; 1 is the exit code if there is any.',
  examples: ['comporta rails webhooks --retry'],
  operands: [],
  options: { retry: { help: 'has all of it be tried again at once' } },
  changes: 'nothing',
  run: async (context, input) =>
    withRails(context, async (rails) => {
      if (input.flag('retry')) {
        const count = await rails.retryWebhooks()
        return done({ retried: count }, `${count} will be tried again.`)
      }
      const failed = await rails.failedWebhooks(webhooksListedMax)
      const json = failed.map((one) => ({
        webhook: Number(one.id),
        connection: Number(one.connectionId),
        notification_id: one.notificationId,
        received: toTimestamp(one.receivedAt),
        tries: one.tries,
        next_try: one.dueAt === undefined ? null : toTimestamp(one.dueAt),
        error: one.lastError ?? null,
      }))
      const rows = json.map((one) => Object.values(one).map((value) => String(value ?? 'given up')))
      const head = ['WEBHOOK', 'CONNECTION', 'NOTIFICATION', 'RECEIVED', 'TRIES', 'NEXT TRY', 'ERROR']
      const text = rows.length === 0 ? 'There are none.' : table(head, rows)
      return { json: { webhooks: json }, text, exitCode: rows.length === 0 ? 0 : 1, isReport: true }
    }),
}

export const railCommands: readonly Command[] = [drivers, list, set, route, check, exchange, remove, webhooks]

async function withRails(
  { rails }: CommandContext,
  work: (rails: RailAdministration) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (rails !== undefined) return work(rails)
  return refused({
    kind: 'illegal_state',
    reason: 'the sandbox brings rails of its own: connections are for MODE=production',
  })
}

const isConnectionId = (text: string) => /^\d{1,18}$/.test(text)

function connectionId(text: string): bigint {
  if (isConnectionId(text)) return BigInt(text)
  throw new UsageError(`<connection> is a number that comporta rails list shows; not ${JSON.stringify(text)}`)
}

/** The merchant of `--wallet`, which `--merchant` names too. */
async function merchantOf({ wallets }: CommandContext, input: CommandInput) {
  const [wallet, other] = [input.value('wallet'), input.value('merchant')]
  if (wallet !== undefined && other !== undefined && wallet !== other)
    throw new UsageError('--wallet and --merchant are the same option: give one of them')
  const named = wallet ?? other
  return named === undefined ? undefined : merchantNamed(wallets, named)
}

interface GivenPairs {
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  /** Whether a secret stood on the command line. */
  readonly wasTyped: boolean
}

const typedSecret =
  'A secret stood on the command line, where others on this machine see it and the history of the shell keeps it: NAME=@FILE is safer.'

/** What is set, by `NAME=VALUE` or by options that say whether it is a secret. */
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
    if (standardInput !== undefined) throw new UsageError('standard input holds one secret')
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
        `--secret ${name ?? ''} takes NAME=@FILE, or NAME=- for standard input: a secret on the command line is seen by others`,
      )
    }
    add(secrets, name, await sourced(name, source))
  }
  for (const text of pairs) {
    const [name, value] = pairOf(text)
    // Not repeated: it may be a secret.
    if (name === undefined || value === undefined)
      throw new UsageError('what follows the driver is NAME=VALUE')
    if (!isSecret(name)) add(settings, name, value)
    else if (isSource(value)) add(secrets, name, await sourced(name, value))
    else {
      wasTyped = true
      add(secrets, name, value)
    }
  }
  return { settings: Object.fromEntries(settings), secrets: Object.fromEntries(secrets), wasTyped }
}

/** Where a secret stands: in a file, or it comes from standard input. */
const isSource = (text: string) => text === '-' || text.startsWith('@')

async function fileText(name: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new UsageError(`the secret ${name}: ${(error as Error).message}`)
  }
}

/** Cut at the first `=`: values may hold others. */
function pairOf(text: string): [name?: string, value?: string] {
  const at = text.indexOf('=')
  return at <= 0 ? [] : [text.slice(0, at), text.slice(at + 1)]
}

function inJson(one: ListedConnection) {
  return {
    connection: Number(one.id),
    driver: one.driver,
    wallet_id: one.walletId === undefined ? null : Number(one.walletId),
    rails: one.rails,
    driver_is: one.state,
    enabled: one.enabled,
    settings: one.settings,
    secrets: one.secrets,
    created: toTimestamp(one.createdAt),
    changed: toTimestamp(one.changedAt),
  }
}

/** The newest answer and the newest error of these connections; null where there was none. */
function contactsInJson(connections: readonly ContactedConnection[]) {
  const newest = (kind: 'lastAnswer' | 'lastError') => {
    const [last] = connections.flatMap((one) => one[kind] ?? []).sort((one, other) => other.at - one.at)
    return last === undefined ? null : { at: toTimestamp(last.at), said: last.said }
  }
  return { last_answer: newest('lastAnswer'), last_error: newest('lastError') }
}

const contactInWords = (contact: Contact | undefined) =>
  contact === undefined ? '' : `${contact.said} at ${toTimestamp(contact.at)}`

function describe(one: ListedConnection): string {
  const rows = [
    ['connection', String(one.id)],
    ['driver', `${one.driver} (${one.state})`],
    ['wallet', one.walletId === undefined ? 'gateway' : String(one.walletId)],
    ['rails', one.rails.join(', ')],
    ...Object.entries(one.settings),
    ...one.secrets.map((name) => [name, '(secret, set)']),
  ]
  return table(['SETTING', 'VALUE'], rows)
}

const setNevertheless = 'The connection is set, and its check failed: see below.'

function checksInJson(checked: readonly CheckedConnection[]) {
  return {
    ok: checked.every(({ ok }) => ok),
    connections: checked.map(({ connection, ok, results, webhookUrl }) => ({
      ...{ connection: Number(connection.id), driver: connection.driver, ok },
      checks: results,
      webhook_url: webhookUrl ?? null,
    })),
  }
}

function checkInWords({ connection, results, webhookUrl }: CheckedConnection): string {
  const owner = connection.walletId === undefined ? 'the gateway' : `wallet ${connection.walletId}`
  return [
    `Connection ${connection.id}: ${connection.driver}, of ${owner}`,
    ...results.map(({ name, ok, detail }) => `  ${ok ? 'ok    ' : 'FAILED'}  ${name}: ${detail}`),
    ...(webhookUrl === undefined ? [] : [`  Give the provider this address for its webhooks: ${webhookUrl}`]),
  ].join('\n')
}
