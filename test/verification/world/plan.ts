// Makes a plan of steps from a seed. Any part of a plan is a plan too.
import { createChance } from '../chance.ts'
import { cardActs } from './acts/cards.ts'
import { checkoutActs } from './acts/checkouts.ts'
import { customerActs } from './acts/customers.ts'
import { endpointActs } from './acts/endpoints.ts'
import { moneyActs } from './acts/money.ts'
import { phoneActs } from './acts/phones.ts'
import { readingActs } from './acts/reading.ts'
import { sandboxActs } from './acts/sandbox.ts'
import type { Step, World } from './world.ts'

const acts = {
  ...checkoutActs,
  ...cardActs,
  ...moneyActs,
  ...phoneActs,
  ...customerActs,
  ...endpointActs,
  ...readingActs,
  ...sandboxActs,
} as const

type Verb = keyof typeof acts

const weights: Readonly<Record<Verb, number>> = {
  createCheckout: 16,
  payOnPage: 22,
  readCheckout: 3,
  buyTwice: 3,
  forgetCustomer: 2,
  makeLink: 2,
  useLink: 3,
  chargeSubscription: 7,
  readSubscription: 3,
  storeCard: 4,
  payByCard: 12,
  authorizeByCard: 7,
  readCard: 1,
  capture: 7,
  captureTwice: 4,
  release: 3,
  refund: 14,
  cancelRefund: 1,
  nameAccount: 3,
  makeEndpoint: 1,
  changeEndpoint: 1,
  split: 3,
  makeReference: 8,
  deleteReference: 1,
  payOut: 2,
  answerPhone: 4,
  payByPhone: 6,
  askForMandate: 4,
  readMandate: 2,
  payAtAtm: 8,
  decideAtPayPal: 5,
  decideAtBank: 3,
  read: 3,
  readOne: 5,
  readRequest: 2,
  verify: 2,
  probe: 4,
  moveClock: 1,
  moveToMidnight: 1,
  beginTrouble: 2,
  endFaults: 2,
  transfer: 1,
  newConsumer: 1,
}

const bag = (Object.keys(weights) as Verb[]).flatMap((verb) =>
  Array.from({ length: weights[verb] }, () => verb),
)
const seedLimit = 2 ** 32
const ofLimit = 1000

export function planOf(seed: number | string, length: number): Step[] {
  const chance = createChance(`plan ${seed}`)
  return Array.from({ length }, () => ({
    verb: chance.pick(bag),
    seed: chance.below(seedLimit),
    of: chance.below(ofLimit),
  }))
}

export function act(step: Step, world: World): Promise<void> {
  return acts[step.verb as Verb](world, step, createChance(step.seed))
}
