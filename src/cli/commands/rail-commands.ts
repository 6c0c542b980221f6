// The rails commands: connections to providers.
import { changesOf } from '../../connections/rules.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { methods } from '../../methods/list.ts'
import type { CommandResult } from '../context.ts'
import { done, refused, table } from './answers.ts'
import { type Command, UsageError } from './command.ts'
import { connect, set } from './connect.ts'
import {
  checksInJson,
  checkText,
  contactsInJson,
  contactText,
  describe,
  inJson,
  merchantOf,
  ownerOf,
  withRails,
} from './shown-rails.ts'

const webhooksListedMax = 500

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
        changesOf(
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
      const changed = changesOf({ ...removed.value, enabled: true }, removed.value, [])
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

const isConnectionId = (text: string) => /^\d{1,18}$/.test(text)

function connectionId(text: string): bigint {
  if (isConnectionId(text)) return BigInt(text)
  throw new UsageError(`<connection> must be a number from comporta rails list; not ${JSON.stringify(text)}`)
}
