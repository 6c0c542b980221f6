// Export on a schedule: orders that wait are written every so many minutes, by whichever process comes first.
import { minute } from '../kernel/time.ts'
import type { Worker } from '../storage/index.ts'

/** Runs `write` every `minutes`, beginning that long after the start. Real time: it follows the bank's hours, not ours. */
export function createExportTimer(
  minutes: number,
  write: () => Promise<unknown>,
  onError: (error: unknown) => void,
): Worker {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<unknown> = Promise.resolve()
  return {
    async start() {
      timer = setInterval(() => {
        round = round.then(write).catch(onError)
      }, minutes * minute)
    },
    async stop() {
      clearInterval(timer)
      await round
    },
    runDue: async () => 0,
  }
}
