// The sandbox's reference network, on both databases.
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createReferenceMachines, createReferenceNetwork } from '../../sandbox/references/network.ts'
import { cents } from '../../src/kernel/money.ts'
import { after, systemClock } from '../../src/kernel/time.ts'
import { databaseKinds, openTestDatabase } from '../database.ts'
import { describeReferenceNetwork, type ListeningGateway } from './reference-network-conformance.ts'

for (const kind of databaseKinds) {
  describeReferenceNetwork(`the sandbox on ${kind}`, async () => {
    const database = await openTestDatabase(kind)
    const gateway: ListeningGateway = { notices: [], answer: undefined }
    const failures: unknown[] = []
    let moved = 0
    const clock = { now: () => after(systemClock.now(), moved) }
    const network = createReferenceNetwork({ database })
    const machines = createReferenceMachines({
      database,
      clock,
      payee: {
        async receive(payment) {
          gateway.notices.push(payment)
          if (gateway.answer === undefined) throw new Error('the gateway is down')
          return gateway.answer
        },
        beneficiaryOf: async () => 'Demo Shop',
      },
      onError: (error) => failures.push(error),
    })
    return {
      network,
      entity: network.entity,
      gateway,
      now: clock.now,
      advance: (milliseconds) => {
        moved += milliseconds
      },
      pay: ({ entity, ref, amount, id = randomUUID() }) =>
        machines.pay({ entity, ref, amount: cents(amount), id }),
      async repeatNotices() {
        failures.length = 0
        await machines.notices.runDue()
        expect(failures).toEqual([])
      },
      close: () => database.close(),
    }
  })
}
