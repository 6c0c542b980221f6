// The commands callbacks list and callbacks resend.
import type { ListedDelivery } from '../../callbacks/index.ts'
import { type DeliveryState, deliveryStates } from '../../callbacks/model.ts'
import { isUuid } from '../../kernel/random.ts'
import { toTimestamp } from '../../kernel/time.ts'
import { done, refused, table } from './answers.ts'
import { type Command, UsageError } from './command.ts'
import { merchantNamed, wordsOf } from './option-values.ts'

const listedDefault = 50
const listedMax = 1000
/** Callbacks without an address (NO_ADDRESS) are left out, because nobody tried to send them. */
const failedStates: readonly DeliveryState[] = ['GIVEN_UP', 'DUE']

const list: Command = {
  name: 'callbacks list',
  summary: 'Lists failed callbacks, of one merchant or of all, newest first.',
  examples: ['comporta callbacks list', 'comporta callbacks list 1000 --state DELIVERED,VERIFIED --limit 10'],
  operands: ['[wallet]'],
  options: {
    state: {
      value: '<list>',
      help: `callbacks in these states instead: comma list of ${deliveryStates.join(', ')} (no address was set)`,
    },
    limit: { value: '<number>', help: `number of callbacks, 1 to ${listedMax}. Default: ${listedDefault}` },
  },
  changes: 'nothing',
  async local({ wallets, callbacks }, input) {
    const [operand] = input.operands
    const merchant = operand === undefined ? undefined : await merchantNamed(wallets, operand)
    const asked = input.value('state')
    const listed = await callbacks.list({
      walletId: merchant?.id,
      states: asked === undefined ? failedStates : wordsOf('state', asked, deliveryStates),
      // By default only callbacks that were tried: others have not failed.
      attemptsMin: asked === undefined ? 1 : 0,
      limit: limitOf(input.value('limit')),
    })
    const rows = listed.map((one) => [
      one.eventId,
      String(one.walletId),
      `${one.kind} ${one.event}`,
      one.state,
      String(one.attempts),
      one.lastError ?? String(one.lastStatus ?? ''),
      one.dueAt === null ? '' : toTimestamp(one.dueAt),
    ])
    const head = ['EVENT ID', 'WALLET', 'EVENT', 'STATE', 'ATTEMPTS', 'LAST ANSWER', 'NEXT ATTEMPT']
    const text = rows.length === 0 ? 'There are no such callbacks.' : table(head, rows)
    return done({ callbacks: listed.map(inJson) }, text)
  },
}

const resend: Command = {
  name: 'callbacks resend',
  summary: 'Resends a callback now and restarts its schedule; or all failed callbacks of a merchant.',
  examples: [
    'comporta callbacks resend 1000 0198c2f4-5e77-7b20-93cd-2a6e8d0c4f19',
    'comporta callbacks resend 1000 --failed',
  ],
  operands: ['<wallet>', '[event id]'],
  options: { failed: { help: 'all callbacks that failed for good or had no address' } },
  changes: 'nothing',
  async local({ wallets, callbacks }, input) {
    const { id: walletId } = await merchantNamed(wallets, input.operands[0])
    const eventId = input.operands[1]
    if ((eventId === undefined) !== input.flag('failed'))
      throw new UsageError('callbacks resend takes an event id of callbacks list, or --failed')
    if (eventId === undefined) {
      const sent = await callbacks.resendFailed(walletId)
      const count = sent.resent
      const text = count === 1 ? '1 callback will be sent again.' : `${count} callbacks will be sent again.`
      return done({ ...sent }, sent.more ? `${text} There are more: resend again when these are sent.` : text)
    }
    if (!isUuid(eventId)) throw new UsageError(`an event id is a UUID, not ${JSON.stringify(eventId)}`)
    const resent = await callbacks.resend(walletId, eventId.toLowerCase())
    return resent.ok ? done({ resent: 1 }, `Event ${eventId} will be sent again.`) : refused(resent.refusal)
  },
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return listedDefault
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= listedMax) return limit
  throw new UsageError(`--limit takes a number from 1 to ${listedMax}; not ${JSON.stringify(text)}`)
}

function inJson(one: ListedDelivery) {
  return {
    event_id: one.eventId,
    wallet_id: Number(one.walletId),
    kind: one.kind,
    event: one.event,
    subject: one.subject,
    state: one.state,
    attempts: one.attempts,
    next_attempt: one.dueAt === null ? null : toTimestamp(one.dueAt),
    last_status: one.lastStatus,
    last_error: one.lastError,
    created: toTimestamp(one.createdAt),
  }
}

export const callbackCommands: readonly Command[] = [list, resend]
