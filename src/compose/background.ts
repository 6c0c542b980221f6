// Workers of all modules: starts and stops them, and follows jumps of the clock.
import { type Instant, second } from '../kernel/time.ts'
import type { Module, ModuleWorker } from '../module.ts'

const unfinishedMsMax = 2 * second

export interface Background {
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops the workers that stop last, because the others may have given them work. */
  stopLast(): Promise<void>
  /** Repeats until no worker has work left, or until `deadline`. Failures do not stop other workers. */
  runDue(now: Instant, deadline?: AbortSignal): Promise<Record<string, number>>
}

interface Kind {
  readonly kind: string
  readonly worker: ModuleWorker
}

export function createBackground(
  modules: readonly Pick<Module, 'workers'>[],
  { onError }: { onError(error: unknown): void },
): Background {
  const kinds = modules.flatMap(({ workers = {} }) =>
    Object.entries(workers).flatMap(([kind, one]) =>
      [one].flat().map((worker): Kind => ({ kind, worker: worker as ModuleWorker })),
    ),
  )
  const first = kinds.filter(({ worker }) => !worker.last)
  const last = kinds.filter(({ worker }) => worker.last)

  async function each(some: readonly Kind[], verb: 'start' | 'stop'): Promise<void> {
    await Promise.all(some.map(({ worker }) => worker[verb]()))
  }

  return {
    start: () => each(kinds, 'start'),
    stop: () => each(first, 'stop'),
    stopLast: () => each(last, 'stop'),
    async runDue(now, deadline = new AbortController().signal) {
      const ran: Record<string, number> = Object.fromEntries(kinds.map(({ kind }) => [kind, 0]))
      const failed = new Set<Kind>()

      async function runKind(one: Kind): Promise<number> {
        try {
          return await one.worker.runDue(now, deadline)
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
