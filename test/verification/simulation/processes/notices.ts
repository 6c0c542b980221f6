// Delivers notices of rails to one of the running processes.
import type { Notices } from '../../../../src/rails/index.ts'
import { owners } from '../machine/time.ts'
import type { World } from '../world.ts'
import type { RunningGateway } from './gateway.ts'
import { ConnectionLost, meet } from './network.ts'

// biome-ignore lint/suspicious/noExplicitAny: the verbs of all notices pass here, and none is looked into
type Verb = (...args: any[]) => Promise<unknown>

export function noticesTo(pick: () => RunningGateway | undefined, world: World): Notices {
  const send = (verb: string, args: readonly unknown[]) =>
    owners.run(undefined, () =>
      meet(world, undefined, async () => {
        const to = pick()
        if (to === undefined) throw new ConnectionLost()
        const { notices } = to.gateway
        const [group, name] = verb.split('.') as ['references', keyof Notices['references']] | [keyof Notices]
        const target = name === undefined ? notices : notices.references
        const call = (target as unknown as Readonly<Record<string, Verb>>)[name ?? group] as Verb
        return to.life.orDeath(to.life.within(() => call(...args)))
      }),
    )
  const verbs = [
    'card',
    'mobileWallet',
    'onlineWallet',
    'bankOrder',
    'incomingTransfer',
    'refundFailed',
    'dispute',
  ]
  return {
    ...Object.fromEntries(verbs.map((verb) => [verb, (...args: unknown[]) => send(verb, args)])),
    references: {
      receive: (...args: unknown[]) => send('references.receive', args),
      beneficiaryOf: (...args: unknown[]) => send('references.beneficiaryOf', args),
    },
  } as unknown as Notices
}
