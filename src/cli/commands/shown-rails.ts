// Connections as the rails commands show them, and their owner.
import type {
  CheckedConnection,
  Contact,
  ContactedConnection,
  ListedConnection,
  RailAdministration,
} from '../../connections/index.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { CommandContext, CommandResult } from '../context.ts'
import { refused, table } from './answers.ts'
import { type CommandInput, UsageError } from './command.ts'
import { merchantNamed } from './option-values.ts'

export async function ownerOf({ wallets }: CommandContext, input: CommandInput): Promise<readonly bigint[]> {
  const named = input.value('wallet') ?? input.value('merchant')
  return named === undefined ? [] : [(await merchantNamed(wallets, named)).id]
}

export async function withRails(
  { rails }: CommandContext,
  work: (rails: RailAdministration) => Promise<CommandResult>,
): Promise<CommandResult> {
  if (rails !== undefined) return work(rails)
  return refused({
    kind: 'illegal_state',
    reason: 'the sandbox has its own rails: connections are for MODE=production',
  })
}

/** `--merchant` is an old name of `--wallet`. */
export async function merchantOf({ wallets }: CommandContext, input: CommandInput) {
  const [wallet, other] = [input.value('wallet'), input.value('merchant')]
  if (wallet !== undefined && other !== undefined && wallet !== other)
    throw new UsageError('--wallet and --merchant are the same option: give only one')
  const named = wallet ?? other
  return named === undefined ? undefined : merchantNamed(wallets, named)
}

export function inJson(one: ListedConnection) {
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

export function contactsInJson(connections: readonly ContactedConnection[]) {
  const newest = (kind: 'lastAnswer' | 'lastError') => {
    const [last] = connections.flatMap((one) => one[kind] ?? []).sort((one, other) => other.at - one.at)
    return last === undefined ? null : { at: toTimestamp(last.at), said: last.said }
  }
  return { last_answer: newest('lastAnswer'), last_error: newest('lastError') }
}

export const contactText = (contact: Contact | undefined) =>
  contact === undefined ? '' : `${contact.said} at ${toTimestamp(contact.at)}`

export function describe(one: ListedConnection): string {
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

export function checksInJson(checked: readonly CheckedConnection[]) {
  return {
    ok: checked.every(({ ok }) => ok),
    connections: checked.map(({ connection, ok, results, webhookUrl }) => ({
      ...{ connection: Number(connection.id), driver: connection.driver, ok },
      checks: results,
      webhook_url: webhookUrl ?? null,
    })),
  }
}

export function checkText({ connection, results, webhookUrl }: CheckedConnection): string {
  const owner = connection.walletId === undefined ? 'the gateway' : `wallet ${connection.walletId}`
  return [
    `Connection ${connection.id}: ${connection.driver}, of ${owner}`,
    ...results.map(({ name, ok, detail }) => `  ${ok ? 'ok    ' : 'FAILED'}  ${name}: ${detail}`),
    ...(webhookUrl === undefined ? [] : [`  Set this webhook address at the provider: ${webhookUrl}`]),
  ].join('\n')
}
