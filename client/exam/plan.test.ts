// Properties of the plan of an examination, for many seeds.
import { describe, expect, it } from 'vitest'
import { planOf, start, treatmentsOf } from './plan.ts'

const event = (payment: string, name: string, count = 1, isRequired = true) => ({
  ...{ payment, name, isRequired },
  key: `${payment}/${name}/${count}`,
})

/** The callbacks of the stories, with charges that the program did not begin. */
const events = [
  event('refunded', 'payment.completed'),
  event('refunded', 'refund.completed', 1),
  event('refunded', 'refund.completed', 2),
  event('reference', 'payment.pending'),
  event('reference', 'reference.usererror'),
  event('reference', 'payment.completed'),
  event('declined', 'payment.failed'),
  event('disputed', 'payment.completed'),
  event('disputed', 'refund.completed'),
  ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => event(name, 'payment.completed', 1, false)),
]
const forged = [
  { key: 'free' },
  { key: 'first', before: start },
  { key: 'bound', before: 'declined/payment.failed/1' },
]
const seeds = Array.from({ length: 300 }, (_, index) => `seed ${index}`)

describe.each([true, false])('the plan of any seed, where the program reads lost events: %s', (losesSome) => {
  it('has each fault on a payment of the program', () => {
    for (const seed of seeds) {
      const chosen = treatmentsOf(events, seed, losesSome)
      const are = (how: string) => events.filter((one) => one.isRequired && chosen.get(one) === how)
      expect(chosen.size).toBe(events.length)
      expect(
        are('late')
          .map(({ name }) => name)
          .sort(),
      ).toEqual(['payment.completed', 'payment.pending'])
      expect(are('lost').length > 0).toBe(losesSome)
      for (const how of ['twice', 'at_once', 'cut']) expect([seed, are(how).length > 0]).toEqual([seed, true])
      const whole = are('late').find(({ name }) => name === 'payment.completed')
      const refunds = events.filter(
        ({ payment, name }) => payment === whole?.payment && name.startsWith('refund'),
      )
      for (const refund of refunds) expect(['twice', 'at_once', 'cut']).toContain(chosen.get(refund))
    }
  })

  it('delivers late callbacks last, and each forgery at its place', () => {
    for (const seed of seeds) {
      const chosen = treatmentsOf(events, seed, losesSome)
      const steps = planOf(chosen, forged, seed)
      const keys = steps.map((step) => ('forged' in step ? step.forged.key : step.event.key))
      const hows = steps.map((step) => ('forged' in step ? 'forged' : step.how))
      expect(hows.slice(hows.indexOf('late')).every((how) => how === 'late')).toBe(true)
      expect(hows).not.toContain('lost')
      expect(keys[0]).toBe('first')
      const failed = events.find(({ name }) => name === 'payment.failed')
      if (failed !== undefined && chosen.get(failed) !== 'lost')
        expect(keys[keys.indexOf('bound') + 1]).toBe(failed.key)
      expect(keys.filter((key) => key === 'bound' || key === 'free')).toHaveLength(2)
      for (const [{ key }, how] of chosen) {
        const times = { twice: 2, cut: 2, at_once: 1, late: 1, lost: 0 }[how]
        expect(keys.filter((one) => one === key)).toHaveLength(times)
      }
    }
  })
})
