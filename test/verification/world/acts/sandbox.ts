// Events outside the gateway: time, faults, transfers, consumers.
import { isClear, parsed } from '../ask.ts'
import type { Json } from '../notes.ts'
import type { Act, World } from '../world.ts'

export async function sandbox(
  world: World,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: Json,
): Promise<Json> {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await world.wire.send({ method, path: `/sandbox/api/${path}`, headers, ...text })
  return answer?.status === 200 && isClear(answer) ? parsed(answer.text) : undefined
}

/** Jumps of the clock from a minute to days, over midnights, ends of months and changes to summer time. */
const jumps = [
  ['PT1M', 60],
  ['PT5M', 300],
  ['PT1H', 3_600],
  ['PT9H', 32_400],
  ['P1D', 86_400],
  ['P3D', 259_200],
  ['P8D', 691_200],
] as const

const moveClock: Act = async (world, _step, chance) => {
  const [advance, seconds] = chance.pick(jumps)
  world.witness.moved(seconds)
  await sandbox(world, 'POST', 'clock', { advance })
}

/** Moves the clock to shortly before midnight in Lisbon (winter time), so that later steps fall on both days. */
const moveToMidnight: Act = async (world) => {
  const { now } = (await sandbox(world, 'GET', 'clock')) ?? {}
  if (now === undefined) return
  const midnight = new Date(now)
  midnight.setUTCHours(23, 59, 50, 0)
  if (midnight.getTime() <= Date.parse(now)) return
  world.witness.moved((midnight.getTime() - Date.parse(now)) / 1000)
  await sandbox(world, 'POST', 'clock', { set: midnight.toISOString() })
}

const rails = ['acquirer', 'issuer', 'mobile_wallet', 'online_wallet', 'references', 'bank', 'callbacks']

const beginTrouble: Act = async (world, _step, chance) => {
  const trouble = chance.pick(['slow', 'silent', 'down', 'error'])
  const calls = 1 + chance.below(8)
  const more = trouble === 'slow' ? { seconds: 1 } : {}
  await sandbox(world, 'POST', 'chaos', { rail: chance.pick(rails), trouble, calls, minutes: 30, ...more })
}

const endFaults: Act = async (world) => {
  await sandbox(world, 'DELETE', 'chaos')
}

/** A merchant tops up its own balance. The text of the transfer is a creditor reference (ISO 11649). */
const transfer: Act = async (world, _step, chance) => {
  const { wallet_id } = chance.pick(world.merchants)
  const cents = 100 + chance.below(20_000)
  await sandbox(world, 'POST', 'bank/transfer', {
    reference_text: referenceOf(wallet_id),
    amount: cents / 100,
  })
}

function referenceOf(walletId: number): string {
  const digits = [...`CMP${walletId}RF00`].map((character) => Number.parseInt(character, 36)).join('')
  return `RF${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}CMP${walletId}`
}

const newConsumer: Act = async (world, { seed }, chance) => {
  const email = `c${seed.toString(36)}@world.example`
  const cents = chance.below(30_000)
  const asked = { email, pin: '0471', balance: cents / 100 }
  const made = await sandbox(world, 'POST', 'consumers', asked)
  if (made === undefined) return
  world.witness.consumer(email, cents)
  world.consumers.push({ email, pin: '0471' })
}

export const sandboxActs = {
  moveClock,
  moveToMidnight,
  beginTrouble,
  endFaults,
  transfer,
  newConsumer,
} as const satisfies Record<string, Act>
