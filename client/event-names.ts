// Short names of callbacks in filters, such as payment.completed.
import { UsageError } from '../src/cli/commands/command.ts'
import { nearestWord } from '../src/kernel/values/nearest.ts'

const ofOperations = ['completed', 'pending', 'failed', 'voided']

/** The first part of each name, and the endings that it can have. */
const endings: Readonly<Record<string, readonly string[]>> = {
  payment: ofOperations,
  authorization: ofOperations,
  capture: ofOperations,
  release: ofOperations,
  refund: ofOperations,
  payout: ofOperations,
  transfer: ofOperations,
  reference: ['usererror'],
  card: ['stored', 'failed'],
  mandate: ['approved', 'updated', 'expired', 'voided', 'suspended'],
  subscription: ['approved', 'failed', 'canceled', 'voided', 'charge', 'charge.completed', 'charge.failed'],
  ping: [],
}
const subjects = Object.keys(endings)
const names = Object.entries(endings).flatMap(([subject, words]) => [
  subject,
  ...words.map((word) => `${subject}.${word}`),
])

const subjectOfType: Readonly<Record<string, string>> = {
  AUTH: 'authorization',
  WALLETFUNDS: 'payout',
  USERTRANSFER: 'transfer',
}

const words: Readonly<Record<string, string>> = { fail: 'failed', success: 'completed' }

export interface NamedCallback {
  readonly kind: string
  readonly event: string
  readonly body: unknown
}

/** The short name of a callback, such as `payment.failed` (FAIL) or `subscription.charge.completed` (SUCCESS). */
export function nameOf({ kind, event, body }: NamedCallback): string {
  const lower = event.toLowerCase()
  const word = words[lower] ?? lower
  if (kind === 'charge') return `subscription.charge.${word}`
  if (kind === 'card_stored') return word === 'completed' ? 'card.stored' : `card.${word}`
  if (kind !== 'operation') return kind === 'ping' ? 'ping' : `${kind}.${word}`
  if (word === 'usererror') return 'reference.usererror'
  const { type = '' } = (typeof body === 'string' ? JSON.parse(body) : body) as { type?: string }
  return `${subjectOfType[type] ?? type.toLowerCase()}.${word}`
}

/** Whether a name or its beginning is in `asked`. An empty list matches every name. */
export function isAskedFor(name: string, asked: readonly string[]): boolean {
  return asked.length === 0 || asked.some((wanted) => name === wanted || name.startsWith(`${wanted}.`))
}

export function eventsAsked(text: string | undefined): string[] {
  if (text === undefined) return []
  return text.split(',').map((part) => {
    const name = part.trim().toLowerCase()
    if (names.includes(name)) return name
    const [subject = ''] = name.split('.')
    const near = names.filter((one) => one.startsWith(`${subject}.`))
    const meant = nearestWord(name, near) ?? nearestWord(subject, subjects)
    const guess = meant === undefined ? '' : ` did you mean ${meant}?`
    const known = near.length > 0 ? near : subjects
    throw new UsageError(
      `--events takes names such as payment.completed or mandate, not ${JSON.stringify(part.trim())};${guess} they ${near.length > 0 ? 'are' : 'begin with'} ${known.join(', ')}`,
    )
  })
}
