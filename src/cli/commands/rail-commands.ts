// The rails commands: connections to providers.
import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type {
  CheckedConnection,
  Contact,
  ContactedConnection,
  ListedConnection,
  RailAdministration,
} from '../../connections/index.ts'
import { ok, type Result } from '../../kernel/result.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { methods } from '../../methods/list.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import { done, refused, table } from './answers.ts'
import { type Command, type CommandInput, UsageError } from './command.ts'
import { merchantNamed } from './option-values.ts'

const webhooksListedMax = 500

async function ownerOf({ wallets }: CommandContext, input: CommandInput): Promise<readonly bigint[]> {
  const named = input.value('wallet') ?? input.value('merchant')
  return named === undefined ? [] : [(await merchantNamed(wallets, named)).id]
}

/** For the log; secrets appear with their names only. */
function changeOf(before: ListedConnection | undefined, after: ListedConnection, secrets: readonly string[]) {
  const field = `connection ${after.id} ${after.driver}`
  const replaced = secrets.map((name) => {
    const old = before?.secrets.includes(name) === true ? 'set' : ''
    return { field: `${field} ${name}`, old, new: after.secrets.includes(name) ? 'replaced' : '' }
  })
  const [old, now] = [before === undefined ? '' : connectionText(before), connectionText(after)]
  return [...(old === now ? [] : [{ field, old, new: now }]), ...replaced]
}

function connectionText({ rails, settings, enabled }: ListedConnection): string {
  const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  return [enabled ? rails.join(', ') : 'removed', ...pairs].join('; ')
}

const drivers: Command = {
  name: 'rails drivers',
  summary: 'Lists the drivers of this version, their rails and their settings.',
  examples: ['comporta rails drivers'],
  operands: [],
  options: {},
  changes: 'nothing',
  local: async (context) =>
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
      return done({ drivers: json }, texts.length === 0 ? 'This version has no drivers.' : texts.join('\n\n'))
    }),
}

const list: Command = {
  name: 'rails list',
  summary: 'Lists the connections to providers; with --json also the drivers and their methods.',
  examples: ['comporta rails list --all'],
  operands: [],
  options: { all: { help: 'also removed connections' } },
  changes: 'nothing',
  local: async (context, input) => {
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
        contactText(one.lastAnswer),
        contactText(one.lastError),
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
        rows.length === 0 ? 'There are no connections: see comporta rails set --help.' : table(head, rows),
      )
    })
  },
}

async function sandboxRails(): Promise<CommandResult> {
  return done(
    {
      drivers: [{ driver: 'sandbox', methods, configured: true, driver_is: 'proven', ...contactsInJson([]) }],
      connections: [],
    },
    'The sandbox serves every method itself. Connections to providers are for MODE=production.',
  )
}

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

const set: Command = {
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
      const connected = await setAndCheck(context, rails, input, { unset: input.values('unset') })
      return connected.ok ? connected.value.result : refused(connected.refusal)
    }),
}

const connect: Command = {
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
      const [driver = ''] = input.operands
      const connects = rails.drivers.find(({ name }) => name === driver)?.connects
      if (input.flag('test') && connects === undefined)
        throw new UsageError(
          `${driver} has no sandbox of its own that --test could use: use the keys of a test account`,
        )
      const test = input.flag('test') ? connects?.test : undefined
      const connected = await setAndCheck(context, rails, input, { test, registers: true })
      if (!connected.ok) return refused(connected.refusal)
      const { result, isRegistered } = connected.value
      const byHand = [
        ...(isRegistered ? [] : ['Enter the webhook address above at the provider.']),
        ...(connects?.byHand ?? []),
      ]
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
  readonly unset?: readonly string[]
  /** Settings of the provider's sandbox; given values win. */
  readonly test?: Readonly<Record<string, string>> | undefined
  /** Whether the webhook is registered before the check. */
  readonly registers?: boolean
}

async function setAndCheck(
  context: CommandContext,
  rails: RailAdministration,
  input: CommandInput,
  { unset = [], test, registers = false }: SetExtras,
): Promise<Result<{ readonly result: CommandResult; readonly isRegistered: boolean }>> {
  const [driver = '', ...pairs] = input.operands
  const merchant = await merchantOf(context, input)
  const isSecret = (name: string) =>
    rails.drivers.some((one) => one.name === driver && one.settings.some((s) => s.name === name && s.secret))
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
    settings: { ...test, ...given.settings, ...removed(false) },
    secrets: { ...given.secrets, ...removed(true) },
    allowUnproven: input.flag('allow-unproven'),
  })
  if (!made.ok) return made
  const registered = registers ? await rails.registerWebhook(made.value.id) : ok(false)
  const checked = await rails.check(made.value.id)
  if (!checked.ok) return checked
  const seen = given.wasTyped ? `\n\n${typedSecret}` : ''
  const failed = registered.ok ? '' : `\n\n${registered.refusal.reason}`
  const checks = checked.value.map(checkText).join('\n\n')
  const { ok: isGood, connections } = checksInJson(checked.value)
  const after = checked.value[0]?.connection ?? made.value
  const changed = changeOf(
    listed.find(({ id }) => id === made.value.id),
    after,
    [...Object.keys(given.secrets), ...unset.filter(isSecret)],
  )
  const isOk = isGood && registered.ok
  return ok({
    isRegistered: registered.ok && registered.value,
    result: {
      changed,
      json: { ...inJson(after), ok: isOk, checks: connections.flatMap((one) => one.checks) },
      text: `${describe(after)}${seen}${failed}\n\n${isGood ? '' : `${setDespiteFailure}\n\n`}${checks}`,
      exitCode: isOk ? 0 : 1,
    },
  })
}

const route: Command = {
  name: 'rails route',
  summary: 'Sends a payment method over the connection of another driver from now on.',
  examples: ['comporta rails route MBWAY sibs'],
  operands: ['<method>', '<driver>'],
  options: {
    wallet: {
      value: '<wallet>',
      help: 'merchant who owns the connection. Default: the gateway, for all merchants',
    },
  },
  changes: { action: 'Choose the connection of a method', of: ownerOf },
  local: async (context, input) =>
    withRails(context, async (rails) => {
      const [method = '', driver = ''] = input.operands
      const merchant = await merchantOf(context, input)
      const before = await rails.list({ removed: true })
      const routed = await rails.route({ method, driver, walletId: merchant?.id })
      if (!routed.ok) return refused(routed.refusal)
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
  summary: 'Checks connections: settings, access to the provider, and the webhook address.',
  examples: ['comporta rails check'],
  operands: ['[connection or driver]'],
  options: {},
  changes: 'nothing',
  local: async (context, input) =>
    withRails(context, async (rails) => {
      const [operand] = input.operands
      const checked = await rails.check(
        operand !== undefined && isConnectionId(operand) ? BigInt(operand) : operand,
      )
      if (!checked.ok) return refused(checked.refusal)
      const json = checksInJson(checked.value)
      const text = checked.value.map(checkText).join('\n\n')
      return {
        json,
        text: text === '' ? 'There are no connections: see comporta rails set --help.' : text,
        exitCode: json.ok ? 0 : 1,
      }
    }),
}

const exchange: Command = {
  name: 'rails exchange',
  summary: 'Exchanges files with providers now; a running gateway does it every minute.',
  examples: ['comporta rails exchange'],
  operands: [],
  options: {},
  changes: { action: 'Exchange files with networks', of: 'gateway' },
  local: async (context) =>
    withRails(context, async (rails) => {
      const files = (await rails.exchange()).map(({ connectionId, kind, file, detail }) => ({
        ...{ connection: Number(connectionId), kind, file, detail },
      }))
      const rows = files.map(({ connection, ...one }) => [String(connection), ...Object.values(one)])
      const text =
        rows.length === 0 ? 'There were no files.' : table(['CONNECTION', 'FILE IS', 'FILE', 'DETAIL'], rows)
      return done({ files }, text)
    }),
}

const remove: Command = {
  name: 'rails remove',
  summary: 'Stops new payments over a connection. Open payments are completed and refunded over it.',
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
  local: async (context, input) =>
    withRails(context, async (rails) => {
      const removed = await rails.remove(connectionId(input.operands[0] ?? ''))
      if (!removed.ok) return refused(removed.refusal)
      const { id, driver } = removed.value
      const text = `Connection ${id} (${driver}) takes no new payments. Keep its credentials valid at the provider until its open payments and refunds are done.`
      const changed = changeOf({ ...removed.value, enabled: true }, removed.value, [])
      return { ...done(inJson(removed.value), text), changed }
    }),
}

const webhooks: Command = {
  name: 'rails webhooks',
  summary: 'Lists webhooks of providers that could not be handled, newest first; exits 1 if there are any.',
  examples: ['comporta rails webhooks --retry'],
  operands: [],
  options: { retry: { help: 'try all of them again now' } },
  changes: 'nothing',
  local: async (context, input) =>
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
      const text = rows.length === 0 ? 'There are no failed webhooks.' : table(head, rows)
      return { json: { webhooks: json }, text, exitCode: rows.length === 0 ? 0 : 1, isReport: true }
    }),
}

export const railCommands: readonly Command[] = [
  connect,
  drivers,
  list,
  set,
  route,
  check,
  exchange,
  remove,
  webhooks,
]

async function withRails(
  { rails }: CommandContext,
  work: (rails: RailAdministration) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (rails !== undefined) return work(rails)
  return refused({
    kind: 'illegal_state',
    reason: 'the sandbox has its own rails: connections are for MODE=production',
  })
}

const isConnectionId = (text: string) => /^\d{1,18}$/.test(text)

function connectionId(text: string): bigint {
  if (isConnectionId(text)) return BigInt(text)
  throw new UsageError(`<connection> must be a number from comporta rails list; not ${JSON.stringify(text)}`)
}

/** `--merchant` is an old name of `--wallet`. */
async function merchantOf({ wallets }: CommandContext, input: CommandInput) {
  const [wallet, other] = [input.value('wallet'), input.value('merchant')]
  if (wallet !== undefined && other !== undefined && wallet !== other)
    throw new UsageError('--wallet and --merchant are the same option: give only one')
  const named = wallet ?? other
  return named === undefined ? undefined : merchantNamed(wallets, named)
}

interface GivenPairs {
  readonly settings: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, string>>
  readonly wasTyped: boolean
}

const typedSecret =
  'The command line contained a secret: other users of this machine and the shell history can show it. Use NAME=@FILE.'

/** Pairs `NAME=VALUE` and the options --setting and --secret. */
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
    // The text is not repeated: it may be a secret.
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

function contactsInJson(connections: readonly ContactedConnection[]) {
  const newest = (kind: 'lastAnswer' | 'lastError') => {
    const [last] = connections.flatMap((one) => one[kind] ?? []).sort((one, other) => other.at - one.at)
    return last === undefined ? null : { at: toTimestamp(last.at), said: last.said }
  }
  return { last_answer: newest('lastAnswer'), last_error: newest('lastError') }
}

const contactText = (contact: Contact | undefined) =>
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

const setDespiteFailure = 'The connection is set, but its check failed: see below.'

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

function checkText({ connection, results, webhookUrl }: CheckedConnection): string {
  const owner = connection.walletId === undefined ? 'the gateway' : `wallet ${connection.walletId}`
  return [
    `Connection ${connection.id}: ${connection.driver}, of ${owner}`,
    ...results.map(({ name, ok, detail }) => `  ${ok ? 'ok    ' : 'FAILED'}  ${name}: ${detail}`),
    ...(webhookUrl === undefined ? [] : [`  Set this webhook address at the provider: ${webhookUrl}`]),
  ].join('\n')
}
