// What happens later, of all rooms: started and stopped together, and run at once when the sandbox's clock jumps.
import type { Instant } from '../kernel/time.ts'
import type { Worker } from '../storage/index.ts'

export interface Background {
  /** Counts what `worker` does under `kind`; several may share one. */
  add(kind: string, worker: Worker): void
  /** Like {@link add}, for work that is started and stopped elsewhere. */
  addDue(kind: string, run: (now: Instant) => Promise<number>): void
  start(): Promise<void>
  stop(): Promise<void>
  /** Runs all kinds until none has anything left: what one does may make another's work due. */
  runDue(now: Instant): Promise<Record<string, number>>
}

export function createBackground(): Background {
  const workers: Worker[] = []
  const due: { readonly kind: string; run(now: Instant): Promise<number> }[] = []

  return {
    add(kind, worker) {
      workers.push(worker)
      due.push({ kind, run: () => worker.runDue() })
    },
    addDue(kind, run) {
      due.push({ kind, run })
    },
    async start() {
      await Promise.all(workers.map((worker) => worker.start()))
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
    async runDue(now) {
      const ran: Record<string, number> = Object.fromEntries(due.map(({ kind }) => [kind, 0]))
      for (let worked = true; worked; ) {
        worked = false
        for (const { kind, run } of due) {
          const count = await run(now)
          ran[kind] = (ran[kind] ?? 0) + count
          worked ||= count > 0
        }
      }
      return ran
    },
  }
}
