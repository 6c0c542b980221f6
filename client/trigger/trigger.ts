// The command trigger: plays one event in a sandbox and waits for its callback.
import { setTimeout as pause } from 'node:timers/promises'
import { done, table } from '../../src/cli/commands/answers.ts'
import { type CommandInput, UsageError, withGuess } from '../../src/cli/commands/command.ts'
import type { CommandResult } from '../../src/cli/context.ts'
import { CliError, type Session } from '../../src/cli/session.ts'
import { nearestWord } from '../../src/kernel/values/nearest.ts'
import { nameOf } from '../event-names.ts'
import { type Gateway, gatewayAt, type Json, refusalOf, requireSandbox } from '../gateway.ts'
import { findPlace } from '../place.ts'
import { createActor, type Path, type Step } from './actor.ts'
import { mandatePaths } from './mandates.ts'
import { paymentPaths } from './payments.ts'
import { referencePaths } from './references.ts'
import { subscriptionPaths } from './subscriptions.ts'

const paths: readonly Path[] = [...paymentPaths, ...referencePaths, ...mandatePaths, ...subscriptionPaths]

export const eventNames: readonly string[] = paths.map(({ name }) => name)

const pollMs = 250
/** Longer than other callbacks need, because the gateway makes charges in the background. */
const callbackMsMax = 20_000
/** Time for the merchant's program to answer the callback. */
const deliveryMsMax = 5000
/** The callback of a merchant's own call comes at once or never. */
const ownCallbackMsMax = 2000

/** Plays an event. Throws {@link CliError} in production, and if the gateway refuses a step. */
export async function trigger(session: Session, input: CommandInput): Promise<CommandResult> {
  const [name] = input.operands
  if (input.flag('list')) return list()
  if (name === undefined) throw new UsageError('trigger needs <event>: comporta trigger --list shows them')
  const path = pathNamed(name)
  const gateway = gatewayAt(await findPlace(session, input), session.stopped)
  await requireSandbox(gateway, 'trigger')
  const steps: Step[] = []
  const from = await gateway.send('/api/v2/callback/listen')
  const actor = createActor(gateway, steps, session.stopped)
  const subject = await path.act(actor).catch((error: unknown) => {
    throw error instanceof CliError ? withSteps(error, steps, input.flag('json')) : error
  })
  const start = from.status === 200 ? from.body?.next : undefined
  const callback = start === undefined ? undefined : await callbackOf(gateway, path, subject, start)
  const outcome =
    start === undefined
      ? `It is unknown whether a callback was sent: ${refusalOf(from, gateway.place).message}.`
      : callbackText(path, callback)
  return done(
    { event: path.name, ...stepsInJson(steps), callback: callback ?? null },
    [...stepLines(steps), '', outcome].join('\n'),
  )
}

function stepLines(steps: readonly Step[]): string[] {
  return steps.map(({ did, ids }) => ['-', did, ...Object.entries(ids).map((id) => id.join(' '))].join('  '))
}

function stepsInJson(steps: readonly Step[]) {
  return { steps: steps.map(({ did }) => did), ids: Object.assign({}, ...steps.map(({ ids }) => ids)) }
}

function withSteps({ message, facts }: CliError, steps: readonly Step[], asJson: boolean): CliError {
  const text = asJson || steps.length === 0 ? message : [...stepLines(steps), '', message].join('\n')
  return new CliError(String(facts.kind), text, { ...facts, ...stepsInJson(steps) })
}

function list(): CommandResult {
  const events = paths.map(({ name, summary, callback }) => ({ name, summary, callback }))
  const rows = events.map(({ name, summary, callback }) => [name, summary, callback])
  return done({ events }, table(['EVENT', 'DESCRIPTION', 'CALLBACK'], rows))
}

export function pathNamed(name: string): Path {
  const wanted = name.toLowerCase()
  const found = paths.find((path) => path.name === wanted || path.formerName === wanted)
  if (found !== undefined) return found
  const meant = nearestWord(wanted, [...eventNames])
  const help = 'comporta trigger --list shows all events'
  throw new UsageError(withGuess(`unknown event ${JSON.stringify(name)}`, meant, help))
}

/** The callback about `subject` after its first delivery attempt. Undefined if none came in time. */
async function callbackOf(gateway: Gateway, path: Path, subject: string, from: string): Promise<Json> {
  let end = performance.now() + (path.ownCall === true ? ownCallbackMsMax : callbackMsMax)
  let last: Json
  for (let after = from; performance.now() < end; ) {
    const { status, body } = await gateway.send(`/api/v2/events?after=${after}`)
    // All steps are done, so a failed request here must not end the command.
    const { events, next, more } = status === 200 && body?.events ? body : { events: [], next: after }
    const found = events.find(
      (event: Json) => nameOf(event) === path.callback && JSON.stringify(event.body).includes(subject),
    )
    if (found !== undefined) {
      if (last === undefined) end = performance.now() + deliveryMsMax
      const { state, attempts, last_status, last_error, next_attempt } = found.delivery
      last = {
        id: found.id,
        name: path.callback,
        state,
        last_status,
        last_error,
        next_attempt,
        body: found.body,
      }
      if (state !== 'DUE' || attempts > 0) break
    } else after = next
    if (more !== true || found !== undefined) await pause(pollMs)
  }
  return last
}

function callbackText(path: Path, callback: Json): string {
  if (callback !== undefined) {
    return `Callback ${callback.name}  ${callback.id}  ${deliveryText(callback)}`
  }
  return path.ownCall === true
    ? 'No callback: the answer of the API had the result. To get one, use comporta merchant set <wallet> --self-events on.'
    : `No callback ${path.callback} came within ${callbackMsMax / 1000} seconds.`
}

function deliveryText({ state, last_status, last_error, next_attempt }: Json): string {
  if (state === 'NO_ENDPOINT')
    return 'NO_ENDPOINT: no callback address is set. Only comporta listen shows this callback'
  const answer = last_status ?? last_error
  if (state !== 'DUE') return [state, answer].filter((part) => part != null).join(' ')
  if (answer == null) return `not delivered yet: no answer within ${deliveryMsMax / 1000} seconds`
  const again = next_attempt == null ? '' : `, sent again at ${next_attempt}`
  return `not delivered yet: ${answer}${again}`
}
