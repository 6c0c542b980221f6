// The command exam: examines the program of a merchant with callbacks that arrive badly.
import { setTimeout as pause } from 'node:timers/promises'
import { table } from '../../src/cli/commands/answers.ts'
import { type CommandInput, UsageError } from '../../src/cli/commands/command.ts'
import type { CommandResult } from '../../src/cli/context.ts'
import { CliError, type Session } from '../../src/cli/session.ts'
import { boundedFetch } from '../../src/http/bounded-fetch.ts'
import { randomBase62, systemRandomness } from '../../src/kernel/random.ts'
import type { LocalAnswer } from '../forward.ts'
import { type Gateway, gatewayAt, type Json, requireSandbox } from '../gateway.ts'
import { isReceived, targetOf } from '../listen.ts'
import { findPlace } from '../place.ts'
import { numberTyped } from '../values.ts'
import { readBooks } from './books.ts'
import { type Delivered, deliver } from './deliver.ts'
import { type Played, playStories } from './events.ts'
import { type Forgery, forgeriesOf } from './forgeries.ts'
import { type Books, type Grade, gradeOf, type Mistake, mistakesOf } from './judge.ts'
import { planOf, treatmentsOf } from './plan.ts'
import { readBeliefs } from './state.ts'
import { withholdCallbacks } from './withhold.ts'

const seedLength = 8
const seedPattern = /^[\w-]{1,40}$/
const waitSecondsDefault = 10
const waitSecondsMax = 600
const pollMs = 500
const resyncMsMax = 120_000

interface Asked {
  readonly seed: string
  readonly address: URL
  readonly state: string | undefined
  readonly buyAt: URL | undefined
  readonly resyncAt: URL | undefined
  readonly waitSeconds: number
  /** Signing secret of the wallet. */
  readonly secret: string | undefined
}

/** Exits with 0 for the grades A and B. Throws {@link CliError} in production. */
export async function exam(session: Session, input: CommandInput): Promise<CommandResult> {
  const asked = {
    seed: seedTyped(input.value('seed')),
    address: targetOf(input.value('forward-to')),
    state: input.value('state'),
    buyAt: addressTyped(input, 'buy'),
    resyncAt: addressTyped(input, 'resync'),
    waitSeconds: numberTyped(input, 'wait', waitSecondsDefault, [0, waitSecondsMax]),
  }
  const place = await findPlace(session, input)
  const gateway = gatewayAt(place, session.stopped)
  await requireSandbox(gateway, 'exam')
  const { seed, state } = asked
  if (state !== undefined) await readBeliefs(state, session.stopped)
  const secret = session.env.COMPORTA_SIGNING_SECRET?.trim() || place.merchant?.callback_signing_secret
  session.err(`Seed ${seed}. Repeat this examination with --seed ${seed}.`)
  const restore = await withholdCallbacks(session, gateway)
  try {
    return await examine(session, gateway, { ...asked, secret })
  } finally {
    await restore()
  }
}

async function examine(session: Session, gateway: Gateway, asked: Asked): Promise<CommandResult> {
  const { seed, address, state, buyAt, resyncAt, secret } = asked
  const { stopped } = session
  const played = await playStories(session, gateway, buyAt)
  const how = treatmentsOf(played.events, seed, resyncAt !== undefined)
  const required = played.events.filter(({ isRequired }) => isRequired)
  const stale = required.find((event) => how.get(event) === 'late' && event.body.type === 'PAYMENT')
  const forgeries = forgeriesOf(required, seed, secret, state === undefined ? undefined : stale)
  const believed = new Set<Forgery>()
  session.err(`${played.events.length} callbacks and ${forgeries.length} forgeries go to ${address.href}`)
  const around = (forgery: Forgery, send: () => Promise<LocalAnswer>) =>
    noteBelief(forgery, send, believed, state, stopped)
  const delivered = await deliver({ gateway, address, stopped, around }, planOf(how, forgeries, seed))
  const { refused } = delivered
  const books = await readBooks(gateway, played, how)
  const mistakesIn = (books: Books) => async () => {
    const beliefs = state === undefined ? undefined : await readBeliefs(state, stopped)
    return mistakesOf({ books, beliefs, forgeries, believed, refused })
  }
  const whole = new Map([...books].filter(([, { sent }]) => sent.every(({ how }) => how !== 'lost')))
  // To read all events in order also repairs what callbacks did, so the program is judged before it, too.
  const mistakes = await settled(mistakesIn(whole), asked, stopped)
  if (resyncAt !== undefined) {
    await resync(resyncAt, stopped)
    const later = await settled(mistakesIn(books), asked, stopped)
    const isNew = ({ kind, about }: Mistake) =>
      !mistakes.some((mistake) => mistake.kind === kind && mistake.about === about)
    mistakes.push(...later.filter(isNew))
  }
  const notExamined = [
    ...played.skipped,
    ...(state === undefined ? ['Its state: give --state.'] : []),
    ...(resyncAt === undefined ? ['Lost callbacks: give --resync.'] : []),
    ...(secret === undefined ? ['An old timestamp: set COMPORTA_SIGNING_SECRET.'] : []),
    ...(played.withoutOwn ? ['Refunds by the API: comporta merchant set <wallet> --self-events on.'] : []),
    ...(await deliveredByGateway(gateway, played)),
  ]
  return resultOf({ seed, books, delivered, mistakes, notExamined })
}

/** A program can set the address of the wallet again, and then gets everything in order, too. */
async function deliveredByGateway(gateway: Gateway, { events }: Played): Promise<string[]> {
  const first = events[0]
  if (first === undefined) return []
  const page = await gateway.ask(`/api/v2/events?after=${first.after}`)
  const isSent = page.events.some(({ delivery }: Json) => delivery.state !== 'NO_ENDPOINT')
  return isSent ? ['All faults: the wallet has a callback address, so the gateway sent callbacks too.'] : []
}

function addressTyped(input: CommandInput, option: string): URL | undefined {
  const text = input.value(option)
  if (text === undefined) return undefined
  const url = URL.parse(text)
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url
  throw new UsageError(
    `--${option} takes an http address such as http://127.0.0.1:3000/${option}; not ${JSON.stringify(text)}`,
  )
}

function seedTyped(text: string | undefined): string {
  if (text === undefined) return randomBase62(systemRandomness, seedLength)
  if (seedPattern.test(text)) return text
  throw new UsageError(`--seed takes up to 40 letters and digits; not ${JSON.stringify(text)}`)
}

/** Tells the program to read the events that it missed. */
async function resync(address: URL, stopped: AbortSignal): Promise<void> {
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(resyncMsMax)])
    const { status } = await boundedFetch(address, { method: 'POST', signal, redirect: 'manual' })
    if (status < 400) return
    throw new CliError('no_resync', `--resync: ${address.href} answered ${status}, not 2xx`)
  } catch (error) {
    if (error instanceof CliError) throw error
    throw new CliError('no_resync', `--resync: ${address.href} did not answer: ${(error as Error).message}`)
  }
}

/** Judges the program until it agrees with the books, because it may work after its answer. */
async function settled(
  judge: () => Promise<Mistake[]>,
  { state, waitSeconds }: Asked,
  stopped: AbortSignal,
): Promise<Mistake[]> {
  const until = performance.now() + waitSeconds * 1000
  for (;;) {
    const mistakes = await judge()
    if (state === undefined || mistakes.length === 0 || performance.now() > until) return mistakes
    await pause(pollMs, undefined, { signal: stopped }).catch(() => undefined)
  }
}

/** Reads the state before and after a forgery: a later callback can hide that the program believed it. */
async function noteBelief(
  forgery: Forgery,
  send: () => Promise<LocalAnswer>,
  believed: Set<Forgery>,
  state: string | undefined,
  stopped: AbortSignal,
): Promise<void> {
  const { operation } = forgery
  const read = async () => (state === undefined ? undefined : await readBeliefs(state, stopped))
  const before = await read()
  const answer = await send()
  const after = await read()
  const hasChanged = forgery.shows(before?.get(operation), after?.get(operation))
  if (state === undefined ? isReceived(answer) : hasChanged) believed.add(forgery)
}

interface Outcome {
  readonly seed: string
  readonly books: Books
  readonly delivered: Delivered
  readonly mistakes: readonly Mistake[]
  readonly notExamined: readonly string[]
}

const meanings: Readonly<Record<Grade, string>> = {
  A: 'no mistake, and everything was examined',
  B: 'no mistake, but a part was not examined',
  C: 'agrees with the books, but has other faults',
  D: 'does not agree with the books',
  F: 'believes a forged callback',
}

function resultOf({ seed, books, delivered, mistakes, notExamined }: Outcome): CommandResult {
  const grade = gradeOf(mistakes, notExamined)
  const payments = [...books.values()].filter(({ isRequired }) => isRequired).length
  const sent = delivered.sent.map(({ name, id, how, answer }) => {
    const { durationMs, ...result } = answer
    return { name, id, how, ...result, duration_ms: durationMs }
  })
  const rows = mistakes.map(({ kind, about, books: booked, program }) => [kind, about, booked, program])
  const text = [
    `Grade ${grade}: ${meanings[grade]}.`,
    `${countOf(payments, 'payment')}, ${sent.length} deliveries, ${countOf(mistakes.length, 'mistake')}. Seed ${seed}.`,
    ...(rows.length === 0 ? [] : ['', table(['MISTAKE', 'ABOUT', 'BOOKS', 'PROGRAM'], rows)]),
    ...mistakes.flatMap(({ kind, about, reason, remedy, guide }) => [
      '',
      `${kind} ${about}`,
      `  ${reason}`,
      `  → ${remedy}`,
      `  See ${guide}`,
    ]),
    ...(notExamined.length === 0 ? [] : ['', 'Not examined:', ...notExamined.map((one) => `- ${one}`)]),
  ].join('\n')
  return {
    json: { grade, seed, payments, mistakes, not_examined: notExamined, deliveries: sent },
    text,
    exitCode: mistakes.length === 0 ? 0 : 1,
    isReport: true,
  }
}

function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
