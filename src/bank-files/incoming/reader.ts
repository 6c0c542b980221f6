// Reads files of the bank in a thread of its own, one after the other: memory and time are bounded, and the gateway answers meanwhile.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { inTurn } from '../../kernel/in-turn.ts'
import type { Result } from '../../kernel/result.ts'
import { minute, second } from '../../kernel/time.ts'
import { FileRefused } from './document.ts'
import type { BankMessage } from './messages.ts'

export interface ReadFile {
  /** Derived from its content. */
  readonly id: string
  readonly message: BankMessage
}

/** Twice what the largest file takes that is not refused for its size. */
const memoryMaxMiB = 1536
/** The largest file takes 10 seconds. */
export const readingMsMax = 3 * minute
/** A thread takes a tenth of a second to start; an idle one keeps the memory of what it read. */
const idleMs = 5 * second

const isSource = import.meta.url.endsWith('.ts')
/** `tools/build-program.ts` names the built one. */
const threadFile = new URL(isSource ? 'reader-thread.ts' : 'bank-file-reader.js', import.meta.url)

const turns = inTurn<ReadFile>()
let thread: Worker | undefined
let idle: NodeJS.Timeout | undefined

/** @throws {@link FileRefused} with what is wrong with the file, and the line */
export function readInThread(file: string | Uint8Array): Promise<ReadFile> {
  return turns('file', async () => {
    clearTimeout(idle)
    thread ??= new Worker(threadFile, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMaxMiB },
    })
    const answer = await answerOf(thread, file)
    if (!answer.ok) throw new FileRefused(answer.refusal)
    return answer.value
  })
}

async function answerOf(reader: Worker, file: string | Uint8Array): Promise<Result<ReadFile, string>> {
  reader.ref()
  try {
    const answered = once(reader, 'message', { signal: AbortSignal.timeout(readingMsMax) })
    reader.postMessage(file)
    const [answer] = await answered
    idle = setTimeout(endThread, idleMs).unref()
    reader.unref()
    return answer
  } catch (error) {
    endThread()
    const { name, code } = error as NodeJS.ErrnoException
    if (code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new FileRefused(`reading it takes more than ${memoryMaxMiB} MiB of memory`)
    if (name === 'AbortError')
      throw new FileRefused(`reading it takes more than ${readingMsMax / second} seconds`)
    throw error
  }
}

function endThread(): void {
  void thread?.terminate()
  thread = undefined
}
