// The metric of free reference numbers.

import { Gauge } from 'prom-client'
import type { Core } from '../../module.ts'
import type { ReferenceNetworks } from '../../rails/index.ts'
import { numbersPerEntity } from './numbers/numbers.ts'
import { countHeldNumbers } from './numbers/numbers-store.ts'

const sampleSize = 1000

export interface ReferenceMetricsDeps extends Pick<Core, 'database' | 'clock' | 'metrics' | 'onError'> {
  readonly networks: Pick<ReferenceNetworks, 'own'>
}

export function createReferenceMetrics({
  database,
  clock,
  networks,
  metrics,
  onError,
}: ReferenceMetricsDeps): void {
  const step = numbersPerEntity / sampleSize
  // Numbers are scattered over the range, so a regular sample is enough.
  const sample = Array.from({ length: sampleSize }, (_, index) => index * step + (index % step))
  new Gauge({
    name: 'comporta_reference_numbers_free_ratio',
    help: 'Ratio of free bank reference numbers of the entity',
    labelNames: ['entity'],
    registers: [metrics],
    async collect() {
      this.reset()
      const entity = networks.own?.entity
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
