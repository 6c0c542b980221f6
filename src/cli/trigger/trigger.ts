// comporta trigger: acts a whole path at a sandbox, by API and pages alone, and waits for the callback it ends with.
import { setTimeout as pause } from 'node:timers/promises'
import { nearestWord } from '../../kernel/values/nearest.ts'
import { done, table } from '../commands/answers.ts'
import { type CommandInput, UsageError, withGuess } from '../commands/command.ts'
import type { CommandResult } from '../context.ts'
import { nameOf } from '../remote/event-names.ts'
import { type Gateway, gatewayAt, isSandbox, type Json, refusalOf } from '../remote/gateway.ts'
import { findPlace } from '../remote/place.ts'
import { NotDone, type Session } from '../remote/session.ts'
import { createActor, type Path, type Step } from './actor.ts'
import { mandatePaths } from './mandates.ts'
import { paymentPaths } from './payments.ts'
import { referencePaths } from './references.ts'
import { subscriptionPaths } from './subscriptions.ts'

const paths: readonly Path[] = [...paymentPaths, ...referencePaths, ...mandatePaths, ...subscriptionPaths]

/** What can be triggered. */
export const eventNames: readonly string[] = paths.map(({ name }) => name)

const lookEveryMs = 250
/** Charges of subscriptions are processed a moment later. */
const callbackMsMax = 20_000
/** What the merchant did itself is told at once, or not at all. */
const ownCallbackMsMax = 2000

/** Throws {@link NotDone} in production, and where the gateway refuses a step. */
export async function trigger(session: Session, input: CommandInput): Promise<CommandResult> {
  const [name] = input.operands
  if (input.flag('list')) return list()
  if (name === undefined) throw new UsageError('trigger needs <event>: comporta trigger --list shows them')
  const path = pathNamed(name)
  const gateway = gatewayAt(await findPlace(session, input), session.stopped)
  await requireSandbox(gateway)
  const steps: Step[] = []
  const from = await gateway.send('/api/v2/callback/listen')
  const subject = await path.act(createActor(gateway, steps, session.stopped))
  const start = from.status === 200 ? from.body?.next : undefined
  const callback = start === undefined ? undefined : await callbackOf(gateway, path, subject, start)
  const ids = Object.assign({}, ...steps.map((step) => step.ids))
  const words =
    start === undefined
      ? `Whether a callback was sent is not known: ${refusalOf(from, gateway.place).message}.`
      : callbackInWords(path, callback)
  const told = steps.map((step) =>
    ['-', step.did, ...Object.entries(step.ids).map((id) => id.join(' '))].join('  '),
  )
  return done(
    { event: path.name, steps: steps.map((step) => step.did), ids, callback: callback ?? null },
    [...told, '', words].join('\n'),
  )
}

function list(): CommandResult {
  const events = paths.map(({ name, summary, callback }) => ({ name, summary, callback }))
  const rows = events.map(({ name, summary, callback }) => [name, summary, callback])
  return done({ events }, table(['EVENT', 'WHAT HAPPENS', 'CALLBACK'], rows))
}

function pathNamed(name: string): Path {
  const wanted = name.toLowerCase()
  const found = paths.find((path) => path.name === wanted)
  if (found !== undefined) return found
  const meant = nearestWord(wanted, [...eventNames])
  throw new UsageError(
    withGuess(`unknown event ${JSON.stringify(name)}`, meant, `there are ${eventNames.join(', ')}`),
  )
}

async function requireSandbox(gateway: Gateway): Promise<void> {
  if (await isSandbox(gateway)) return
  throw new NotDone(
    'sandbox_only',
    `trigger works in a sandbox only, and ${gateway.place.url} is none: it would move real money`,
  )
}

/** The callback of that name about `subject`, and what became of it; undefined where none was sent in time. */
async function callbackOf(gateway: Gateway, path: Path, subject: string, from: string): Promise<Json> {
  const end = performance.now() + (path.ownCall === true ? ownCallbackMsMax : callbackMsMax)
  for (let after = from; performance.now() < end; ) {
    const { status, body } = await gateway.send(`/api/v2/events?after=${after}`)
    // What happened is done: somebody between who does not answer ends none of it.
    const { events, next, more } = status === 200 && body?.events ? body : { events: [], next: after }
    const found = events.find(
      (event: Json) => nameOf(event) === path.callback && JSON.stringify(event.body).includes(subject),
    )
    if (found !== undefined) {
      const { state, last_status, last_error } = found.delivery
      return { id: found.id, name: path.callback, state, last_status, last_error, body: found.body }
    }
    after = next
    // Others may be busy with this wallet, too.
    if (more !== true) await pause(lookEveryMs)
  }
  return undefined
}

function callbackInWords(path: Path, callback: Json): string {
  if (callback !== undefined) {
    const { id, name, state, last_status, last_error } = callback
    const became = state === 'NO_ENDPOINT' ? 'for those who listen: the wallet has no address' : state
    return `Callback ${name}  ${id}  ${[became, last_status ?? last_error].filter((part) => part != null).join(' ')}`
  }
  return path.ownCall === true
    ? 'No callback: the API answered this call already. comporta merchant set <wallet> --self-events on has one sent.'
    : `No callback ${path.callback} came within ${callbackMsMax / 1000} seconds.`
}
