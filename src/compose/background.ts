// What happens later, of all modules: started and stopped together, and run at once when the sandbox's clock jumps.
import { type Instant, second } from '../kernel/time.ts'
import type { Worker } from '../storage/index.ts'

/** How long work that does not stop at its deadline is waited for. */
const unfinishedMsMax = 2 * second

export interface Background {
  /** Counts what `worker` does under `kind`; several may share one. */
  add(kind: string, worker: Worker): void
  /**
   * Work that is started and stopped elsewhere, and may wait long for servers of merchants: it is run when nothing
   * else is due, so that all else is done before. It answers what it did by then once `deadline` is aborted.
   */
  addLast(kind: string, run: (now: Instant, deadline: AbortSignal) => Promise<number>): void
  start(): Promise<void>
  stop(): Promise<void>
  /**
   * Runs all kinds until none has anything left (what one does may make another's work due), or until `deadline`, where there is one.
   * Answers how many of each ran; the rest continues. A kind that fails is reported, and keeps none of the others back.
   */
  runDue(now: Instant, deadline?: AbortSignal): Promise<Record<string, number>>
}

interface Kind {
  readonly kind: string
  run(now: Instant, deadline: AbortSignal): Promise<number>
}

export function createBackground({ onError }: { onError(error: unknown): void }): Background {
  const workers: Worker[] = []
  const first: Kind[] = []
  const last: Kind[] = []

  return {
    add(kind, worker) {
      workers.push(worker)
      first.push({ kind, run: () => worker.runDue() })
    },
    addLast(kind, run) {
      last.push({ kind, run })
    },
    async start() {
      await Promise.all(workers.map((worker) => worker.start()))
    },
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
    async runDue(now, deadline = new AbortController().signal) {
      const ran: Record<string, number> = Object.fromEntries([...first, ...last].map(({ kind }) => [kind, 0]))
      const failed = new Set<Kind>()

      async function runKind(one: Kind): Promise<number> {
        try {
          return await one.run(now, deadline)
        } catch (error) {
          failed.add(one)
          onError(error)
          return 0
        }
      }
      async function runOnce(kinds: readonly Kind[]): Promise<boolean> {
        let worked = false
        for (const one of kinds) {
          if (deadline.aborted) return false
          if (failed.has(one)) continue
          const count = await runKind(one)
          ran[one.kind] = (ran[one.kind] ?? 0) + count
          worked ||= count > 0
        }
        return worked
      }
      async function runAll(): Promise<void> {
        while ((await runOnce(first)) || (await runOnce(last)));
      }

      const givenUp = aborted(deadline).then(() => aborted(AbortSignal.timeout(unfinishedMsMax)))
      await Promise.race([runAll(), givenUp])
      return { ...ran }
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
