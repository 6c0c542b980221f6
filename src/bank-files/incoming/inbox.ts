// The inbox folder: complete files of the bank are imported and moved.
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../../kernel/crash-points.ts'
import { moveAside } from '../../kernel/files.ts'
import type { Result } from '../../kernel/result.ts'
import { second } from '../../kernel/time.ts'
import { DatabaseUnavailable, type Worker } from '../../storage/index.ts'
import type { ImportSummary } from './import.ts'
import { readingMsMax } from './reader.ts'

export interface InboxDeps {
  readonly folder: string
  importFile(path: string, whenRead: () => Promise<void>): Promise<Result<ImportSummary, string>>
  onError(error: unknown): void
}

/** A file whose size is the same in two polls is complete. Real time, because another program writes it. */
const pollMs = 2 * second
/** Names that unfinished files have. Names that begin with a dot are skipped too. */
const unfinished = /\.(part|partial|tmp|temp|filepart|crdownload|draft)$/i

/** If a mark is older than this, the process that read the file has died. */
const markMsMax = 2 * readingMsMax
const diedReading = {
  ok: false,
  refusal: 'the gateway ended while reading this file: check the file, then put it into the inbox again',
} as const

/** Polls the folder. Imported files move to `done`, others to `refused` with a `.txt` that gives the reason. */
export function createInbox({ folder, importFile, onError }: InboxDeps): Worker {
  let sizes = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<number> | undefined
  let stopped = true

  async function poll(): Promise<number> {
    const seen = new Map<string, string>()
    let imported = 0
    for (const name of await names(folder)) {
      const path = join(folder, name)
      const mark = await markOf(path)
      if (mark === undefined) continue
      if (sizes.get(name) !== mark) seen.set(name, mark)
      else if (await isTaken(path, name)) imported += 1
    }
    sizes = seen
    return imported
  }

  /** After an error the next poll tries this file again. Only an unavailable database ends the poll. */
  async function isTaken(path: string, name: string): Promise<boolean> {
    try {
      return await take(path, name)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      onError(error)
      return false
    }
  }

  async function take(path: string, name: string): Promise<boolean> {
    const mark = join(folder, `.${name}.reading`)
    const age = await begin(mark)
    if (age !== undefined && age < markMsMax) return false
    const unmark = () => rm(mark, { force: true })
    const answer = age === undefined ? await importFile(path, unmark).finally(unmark) : diedReading
    crashPoint('bank file imported, not moved')
    // Another process may have imported the file and moved it.
    if (answer.ok || (await markOf(path)) === undefined) await moveAside(folder, name, 'done')
    else await moveAside(folder, name, 'refused', `${name} was refused completely: ${answer.refusal}`)
    await unmark()
    return true
  }

  function run(): void {
    if (stopped) return
    round = poll().catch((error) => {
      onError(error)
      return 0
    })
    void round.then(() => {
      if (!stopped) timer = setTimeout(run, pollMs)
    })
  }

  return {
    async start() {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      stopped = false
      run()
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await round
    },
    // The inbox works in real time, so a jump of the sandbox clock changes nothing.
    runDue: async () => 0,
  }
}

async function names(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !unfinished.test(entry.name))
    .map(({ name }) => name)
    .toSorted()
}

/** Marks a file as being read. If there is a mark already, returns its age in milliseconds. */
async function begin(mark: string): Promise<number | undefined> {
  try {
    await writeFile(mark, '', { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // The age is measured by the clock of the file system, which can be on another machine.
  const now = `${mark}.now`
  await writeFile(now, '')
  const [marked, written] = await Promise.all([mark, now].map((path) => stat(path).catch(() => undefined)))
  await rm(now, { force: true })
  return (written?.mtimeMs ?? 0) - (marked?.mtimeMs ?? Number.POSITIVE_INFINITY)
}

/** Size and modification time. Undefined if the file does not exist any more. */
async function markOf(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  } catch {
    return undefined
  }
}
