// The rails as a process sees them, over a network.
import type { RailDrivers } from '../../../../src/compose.ts'
import { type OwnReferences, onlyNetwork } from '../../../../src/rails/index.ts'
import { owners } from '../machine/time.ts'
import type { World } from '../world.ts'
import type { Life } from './life.ts'
import { meet } from './network.ts'

// biome-ignore lint/suspicious/noExplicitAny: the verbs of all contracts pass here, and none is looked into
type Verb = (...args: any[]) => Promise<unknown>

/** These requests move money, so the gateway must find and reverse a late one. */
const heldVerbs = new Set(['authorize', 'capture', 'release', 'refund'])

/** The driver answers these calls without a network. */
const answeredAtOnce = new Set(['creditorOf'])

export function railsOf(life: Life, drivers: RailDrivers, world: World): RailDrivers {
  const { acquirer, threeDSecure, mobileWallet, onlineWallet, directDebit, creditTransfer } = drivers
  // Without `cancel` the gateway can only ask, and an abandoned request can still arrive.
  const { cancel: _, ...withoutCancel } = acquirer
  const reached = {
    acquirer: world.acquirerCancels ? acquirer : withoutCancel,
    threeDSecure,
    mobileWallet,
    onlineWallet,
    directDebit,
    creditTransfer,
  }
  const network = overDriver('references', drivers.referenceNetworks.own as OwnReferences, life, world)
  return {
    ...drivers,
    ...(Object.fromEntries(
      Object.entries(reached).map(([name, driver]) => [name, overDriver(name, driver, life, world)]),
    ) as typeof reached),
    referenceNetworks: onlyNetwork(network),
  }
}

function overDriver<Driver extends object>(name: string, driver: Driver, life: Life, world: World): Driver {
  const over = ([verb, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== 'function' || answeredAtOnce.has(verb)) return [verb, value]
    // The rail continues after the death of its caller.
    const call = (args: readonly unknown[]) => owners.run(undefined, () => (value as Verb)(...args))
    const mayBeHeld = name === 'acquirer' && heldVerbs.has(verb)
    return [
      verb,
      (...args: unknown[]) =>
        life.ask('rail', `${name}.${verb}`, () =>
          owners.run(undefined, () => meet(world, life, () => call(args), mayBeHeld)),
        ),
    ]
  }
  return Object.fromEntries(Object.entries(driver).map(over)) as Driver
}
