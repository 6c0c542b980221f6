// The operator's metric of bank references: how many numbers are left, long before there are none.

import { Gauge } from 'prom-client'
import type { Core } from '../../module.ts'
import type { ReferenceNetworks } from '../../rails/index.ts'
import { numbersPerEntity } from './numbers/numbers.ts'
import { countHeldNumbers } from './numbers/numbers-store.ts'

/** How many numbers are looked at: the metric is exact to a thousandth, and cheap for every scrape. */
const sampleSize = 1000

export interface ReferenceMetricsDeps extends Pick<Core, 'database' | 'clock' | 'metrics' | 'onError'> {
  readonly networks: Pick<ReferenceNetworks, 'own'>
}

/** Registers `comporta_reference_numbers_free_ratio`: 1 when all are free, 0 when none is. */
export function createReferenceMetrics({
  database,
  clock,
  networks,
  metrics,
  onError,
}: ReferenceMetricsDeps): void {
  const step = numbersPerEntity / sampleSize
  // Numbers are handed out scattered over the whole range, so evenly spaced ones represent all.
  const sample = Array.from({ length: sampleSize }, (_, index) => index * step + (index % step))
  new Gauge({
    name: 'comporta_reference_numbers_free_ratio',
    help: 'Part of the bank reference numbers of the entity that a new reference can still get',
    labelNames: ['entity'],
    registers: [metrics],
    async collect() {
      this.reset()
      const entity = networks.own?.entity
      // Without an entity of our own no numbers are ours.
      if (entity === undefined) return
      try {
        const held = await countHeldNumbers(database, entity, sample, clock.now())
        this.set({ entity }, 1 - held / sampleSize)
      } catch (error) {
        onError(error)
      }
    },
  })
}
