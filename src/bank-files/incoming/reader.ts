// Reading bank files in a separate thread with limits of memory and time.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { keyedMutex } from '../../kernel/concurrency.ts'
import type { Result } from '../../kernel/result.ts'
import { minute, second } from '../../kernel/time.ts'
import { FileRefused } from './document.ts'
import type { BankMessage } from './messages.ts'

export interface ReadFile {
  readonly id: string
  readonly message: BankMessage
}

interface ReaderLimits {
  readonly memoryMiBMax: number
  readonly msMax: number
}

/** The largest accepted file takes 10 seconds. */
export const readingMsMax = 3 * minute
/** An idle thread ends after this time, because it keeps its memory. To start one takes 0.1 seconds. */
const idleMs = 5 * second

const isSource = import.meta.url.endsWith('.ts')
/** `tools/build-program.ts` sets the name of the built file. */
const threadFile = new URL(isSource ? 'reader-thread.ts' : 'bank-file-reader.js', import.meta.url)

type Read = (file: string | Uint8Array) => Promise<ReadFile>

/** Reads one file after the other. Throws {@link FileRefused} with the problem and its line. */
export function createReader({ memoryMiBMax, msMax }: ReaderLimits): Read {
  const turns = keyedMutex<ReadFile>()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function end(): void {
    void thread?.terminate()
    thread = undefined
  }

  async function answerTo(file: string | Uint8Array): Promise<Result<ReadFile, string>> {
    clearTimeout(idle)
    thread ??= new Worker(threadFile, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMiBMax },
    })
    thread.ref()
    try {
      const answered = once(thread, 'message', { signal: AbortSignal.timeout(msMax) })
      thread.postMessage(file)
      const [answer] = await answered
      idle = setTimeout(end, idleMs).unref()
      thread.unref()
      return answer
    } catch (error) {
      end()
      const { name, code } = error as NodeJS.ErrnoException
      if (code === 'ERR_WORKER_OUT_OF_MEMORY')
        throw new FileRefused(`reading it takes more than ${memoryMiBMax} MiB of memory`)
      if (name === 'AbortError') throw new FileRefused(`reading it takes more than ${msMax / second} seconds`)
      throw error
    }
  }

  return (file) =>
    turns('file', async () => {
      const answer = await answerTo(file)
      if (!answer.ok) throw new FileRefused(answer.refusal)
      return answer.value
    })
}

/** The limit is more memory than the largest accepted file needs. */
export const readInThread = createReader({ memoryMiBMax: 1536, msMax: readingMsMax })
