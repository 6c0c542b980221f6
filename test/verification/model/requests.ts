// Checks that each request id was executed at most once, and always got the same answer.
import { isClear } from '../world/ask.ts'
import type { Json } from '../world/notes.ts'
import type { Books } from './books.ts'
import { keptSeconds, type Notes, type Sending } from './notes.ts'

const madeBy: Readonly<Record<string, readonly string[]>> = {
  'create checkout': ['PAYMENT', 'AUTH'],
  'card payment': ['PAYMENT'],
  'card authorization': ['AUTH'],
  'pay by phone': ['PAYMENT', 'AUTH'],
  'pay by reference': ['PAYMENT'],
  capture: ['CAPTURE'],
  release: ['RELEASE'],
  refund: ['REFUND'],
  'pay out': ['WALLETFUNDS'],
  charge: ['PAYMENT'],
}

export function checkRequests({ requests }: Notes, books: readonly Books[]): string[] {
  const byMarker = new Map<string, Json[]>()
  for (const { operations } of books)
    for (const operation of operations) {
      if (operation.ext_invoiceid === undefined) continue
      const same = byMarker.get(operation.ext_invoiceid)
      if (same === undefined) byMarker.set(operation.ext_invoiceid, [operation])
      else same.push(operation)
    }
  return [...requests].flatMap(([name, sendings]) => {
    // A suspended process can keep a request while time moves, and execute it later.
    const firstAsked = Math.min(...sendings.map(({ movedSeconds }) => movedSeconds.asked))
    const inTime = sendings.filter(({ movedSeconds }) => movedSeconds.answered - firstAsked < keptSeconds)
    return [
      ...answeredClearly(name, sendings),
      ...answeredAlike(name, inTime),
      ...(inTime.length < sendings.length ? [] : madeOnce(name, sendings, byMarker)),
    ]
  })
}

/** An answer without a clear result, after which the client must try again. */
function isTransient({ answer }: Sending): boolean {
  return answer === undefined || !isClear(answer)
}

/** The gateway must repeat this answer: it is a success, or a refusal that names its operation. */
function isFirst({ answer }: Sending): boolean {
  return answer?.status === 200 || answer?.text.includes('"operation_id"') === true
}

function answeredClearly(name: string, sendings: readonly Sending[]): string[] {
  const own = sendings.filter(({ call }) => call.isTwisted !== true)
  if (own.some((sending) => !isTransient(sending))) return []
  return [`request ${name} (${own[0]?.call.verb}) got no clear answer`]
}

function answeredAlike(name: string, sendings: readonly Sending[]): string[] {
  const wrong: string[] = []
  const own = sendings.filter(({ call }) => call.isTwisted !== true)
  const clear = own.filter((sending) => !isTransient(sending))
  const [first, ...others] = clear.filter(isFirst)
  const verb = own[0]?.call.verb
  if (first === undefined) return wrong
  for (const other of others)
    if (other.answer?.text !== first.answer?.text || other.answer?.status !== first.answer?.status)
      wrong.push(`request ${name} (${verb}) was answered in two ways: ${shown(first)} and ${shown(other)}`)
  const executed = own.filter(
    (sending) => sending.answer?.status === 200 && sending.answer.headers['idempotent-replayed'] !== 'true',
  )
  if (executed.length > 1)
    wrong.push(
      `request ${name} (${verb}) was executed ${executed.length} times: ${executed.map(shown).join(' and ')}`,
    )
  for (const later of clear.filter((sending) => !isFirst(sending) && sending.asked > first.answered))
    wrong.push(
      `request ${name} (${verb}) was refused after it was done: ${shown(first)} and then ${shown(later)}`,
    )
  for (const { call, answer, asked } of sendings)
    if (
      call.isTwisted === true &&
      asked > first.answered &&
      answer !== undefined &&
      answer.status < 429 &&
      answer.status !== 422
    )
      wrong.push(
        `request ${name} (${verb}) was used with another body, and answered ${answer.status} ${answer.text.slice(0, 200)}`,
      )
  return wrong
}

function madeOnce(
  name: string,
  sendings: readonly Sending[],
  byMarker: ReadonlyMap<string, Json[]>,
): string[] {
  const call = sendings.find((sending) => sending.call.isTwisted !== true)?.call
  const types = madeBy[call?.verb ?? '']
  if (call?.marker === undefined || types === undefined) return []
  const made = (byMarker.get(call.marker) ?? []).filter(({ type }) => types.includes(type))
  const ids = made.map(({ id }) => id).join(', ')
  const first = sendings.find((sending) => sending.call.isTwisted !== true && isFirst(sending))
  const said = `request ${name} (${call.verb}, ${call.marker})`
  if (made.length > 1) return [`${said} made ${made.length} operations: ${ids}`]
  if (made.length === 0 && first?.answer?.status === 200 && call.verb !== 'charge')
    return [`${said} was answered 200, and its operation is not in the list`]
  const refused = sendings.filter((sending) => !isTransient(sending))
  // A copy without an answer can arrive after another copy was refused, and succeed.
  const mayArriveLater = sendings.some(
    ({ answer, asked }) => answer === undefined && refused.some((one) => asked <= one.answered),
  )
  const isRefused = first === undefined && refused.length > 0 && !mayArriveLater
  if (made.length === 1 && isRefused) return [`${said} was refused, but made operation ${ids}`]
  return []
}

function shown({ answer }: Sending): string {
  return `${answer?.status} ${answer?.text.slice(0, 300)}`
}
