// Sends random requests to each route, in rounds. If a request shows a fault, fast-check finds the smallest one and a
// line that repeats it.
import fc from 'fast-check'
import { type RawAnswer, type RawRequest, send } from './client.ts'
import { encryptsCards, neverTaken, twists } from './encrypted-cards.ts'
import type { FuzzedGateway, Route } from './gateway.ts'
import { type Known, makeKnown } from './known.ts'
import { faultsOf, isSlow } from './oracle.ts'
import { filledIn, type Planned, requestTo } from './requests.ts'
import { madeBy, sequencesFrom } from './sequences.ts'

export interface Round {
  readonly seed: number
  readonly runs: number
  readonly only?: string | undefined
  readonly path?: string | undefined
  readonly until?: number | undefined
}

export interface Campaign {
  readonly asked: ReadonlySet<string>
  readonly reached: ReadonlySet<string>
  readonly faults: readonly string[]
  round(options: Round): Promise<void>
  summary(): string
}

const nameOf = ({ method, url }: Route) => `${method} ${url}`
const sequenceName = (route: Route) => `sequence ${nameOf(route)}`
const ofEncryptedCards = 'encrypted cards'
const cardsPerRun = 20
const cardRoute = 'POST /prows/v2/payment'
/** After this many routes, rights that the fuzzer lost are restored. */
const routesBetweenRepairs = 20
/** An event stream waits for an event, so the fuzzer ends it after this time. */
const waitMsOfListeners = 200

/** @param say gets a line for each fault, with the smallest request that shows it */
export async function startCampaign(gateway: FuzzedGateway, say: (line: string) => void): Promise<Campaign> {
  const known = await makeKnown(gateway)
  const cards = encryptsCards(gateway)
  const statuses = new Map<number, number>()
  const asked = new Set<string>()
  const reached = new Set<string>()
  const faults: string[] = []

  async function sendOnce(route: Route, request: RawRequest): Promise<RawAnswer> {
    const answer = await send(gateway.port, request, route.waits ? waitMsOfListeners : undefined)
    const digit = Math.floor(answer.status / 100)
    statuses.set(digit, (statuses.get(digit) ?? 0) + 1)
    asked.add(nameOf(route))
    if (digit === 2 || digit === 3) reached.add(nameOf(route))
    return answer
  }

  /** Repeats a success once, and a slow answer up to three times, because the machine may be busy. */
  async function ask(route: Route, planned: Planned, made?: string): Promise<RawAnswer> {
    const request = filledIn(planned, known, made)
    const first = await sendOnce(route, request)
    const again = planned.body !== undefined && first.status >= 200 && first.status < 300
    let answer = again ? await sendOnce(route, request) : first
    const found = [first, answer].flatMap((one) => faultsOf(route, request, one, known))
    for (let tries = 0; isSlow(route, answer) && tries < 3; tries++) answer = await sendOnce(route, request)
    if (isSlow(route, answer)) found.push(`${Math.round(answer.milliseconds)} ms, four times`)
    if (found.length > 0) throw new Error(`${nameOf(route)}: ${[...new Set(found)].join('; ')}`)
    return first
  }

  async function check<T>(
    name: string,
    property: fc.IAsyncProperty<T>,
    { seed, runs, path }: Round,
  ): Promise<void> {
    const limits = { numRuns: runs, interruptAfterTimeLimit: 120_000, markInterruptAsFailure: false }
    const result = await fc.check(property, { seed, ...limits, ...(path !== undefined && { path }) })
    if (!result.failed || result.counterexamplePath === null) return
    const { message } = result.errorInstance as Error
    const shrunk = JSON.stringify(result.counterexample).slice(0, 1500)
    const replay = `npm run fuzz -- --only '${name}' --seed ${seed} --path ${result.counterexamplePath}`
    const fault = [message, shrunk, replay].join('\n  ')
    faults.push(fault)
    say(fault)
  }

  /** A correct card pays, the gateway refuses a changed card, and no answer contains a card. */
  function encryptedCards(route: Route) {
    const { newCard: _, ...example } = route.example ?? {}
    return fc.asyncProperty(twists, async (twist) => {
      const body = JSON.stringify({
        ...example,
        newCardSecure: { ...(await cards.twisted(twist)), email: 'ana@example.com' },
      })
      const headers = [['content-type', 'application/json']] as const
      const planned = { method: 'POST', target: route.url, caller: 'key' as const, headers, body }
      const answer = await ask(route, planned)
      const isTaken = answer.status >= 200 && answer.status < 300
      if (isTaken && twist.kind === 'none') reached.add(ofEncryptedCards)
      if (isTaken && neverTaken.includes(twist.kind)) throw new Error(`${nameOf(route)}: it was taken`)
    })
  }

  async function askRoute(route: Route, round: Round): Promise<void> {
    const { only = '' } = round
    if (nameOf(route).includes(only)) await check(nameOf(route), requests(route), round)
    const property = sequenceName(route).includes(only) ? sequences(route) : undefined
    if (property !== undefined) await check(sequenceName(route), property, round)
  }

  async function payByEncryptedCards(round: Round): Promise<void> {
    const route = gateway.routes.find((one) => nameOf(one) === cardRoute)
    if (route === undefined) throw new Error(`there is no ${cardRoute}`)
    await cards.prepare()
    await check(ofEncryptedCards, encryptedCards(route), { ...round, runs: round.runs * cardsPerRun })
  }

  function requests(route: Route) {
    return fc.asyncProperty(requestTo(route), async (planned) => void (await ask(route, planned)))
  }

  function sequences(route: Route) {
    const arbitrary = sequencesFrom(route, gateway.routes)
    return (
      arbitrary &&
      fc.asyncProperty(arbitrary, async ({ make, acts }) => {
        const made = madeBy((await ask(route, make)).body)
        for (const { route: follower, planned } of [...acts, ...acts]) await ask(follower, planned, made)
      })
    )
  }

  return {
    asked,
    reached,
    faults,
    async round(round) {
      const { only = '', until = Number.POSITIVE_INFINITY } = round
      if (ofEncryptedCards.includes(only)) await payByEncryptedCards(round)
      for (const [index, route] of gateway.routes.entries()) {
        if (performance.now() > until) return
        if (index % routesBetweenRepairs === 0) await repair(gateway, known)
        await askRoute(route, { ...round, seed: round.path === undefined ? round.seed + index : round.seed })
      }
    },
    summary() {
      const all = [...statuses.values()].reduce((sum, count) => sum + count, 0)
      const parts = [...statuses]
        .sort()
        .map(([digit, count]) => `${count} ${digit === 0 ? 'without' : `${digit}xx`}`)
      return `${all} requests (${parts.join(', ')}), ${asked.size} routes, ${reached.size} of them with success`
    },
  }
}

/** Undoes effects on the callers: simulated faults, ended sessions, a suspension. */
async function repair({ baseUrl }: FuzzedGateway, known: Known): Promise<void> {
  await fetch(`${baseUrl}/sandbox/api/chaos`, { method: 'DELETE' })
  await known.signIn()
  const headers = Object.fromEntries(known.headersOf('operator'))
  await fetch(`${baseUrl}/backoffice/api/operator/merchants/${known.valueOf('own.wallet')}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ suspended: false }),
  })
}
