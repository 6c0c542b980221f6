// The inbox: files that the bank's transfer program puts into a folder are imported once they are whole, and moved away.
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Result } from '../../kernel/result.ts'
import { second } from '../../kernel/time.ts'
import { DatabaseUnavailable, type Worker } from '../../storage/index.ts'
import type { ImportSummary } from './import.ts'
import { readingMsMax } from './reader.ts'

export interface InboxDeps {
  readonly folder: string
  /** @param whenRead to be called once the file is read */
  importFile(path: string, whenRead: () => Promise<void>): Promise<Result<ImportSummary, string>>
  onError(error: unknown): void
}

/** A file that has not grown between two looks is whole. Real time: it follows somebody else's program. */
const pollMs = 2 * second
/** Names under which programs write what is not whole yet; those that begin with a dot are another kind. */
const unfinished = /\.(part|partial|tmp|temp|filepart|crdownload|draft)$/i

/** A mark of a file that is being read is older than this only if the process that read it has died. */
const markMsMax = 2 * readingMsMax
const diedReading =
  'the gateway ended while it read this file; look into it, and put it into the inbox again if it is right'

/** Looks at the folder again and again. Files that are whole go to `done`, or to `refused` with a `.txt` that says why. */
export function createInbox({ folder, importFile, onError }: InboxDeps): Worker {
  let sizes = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<number> | undefined
  let stopped = true

  async function look(): Promise<number> {
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

  /** What becomes of one file keeps no other back; it stays, and is tried again. A database that is away ends the round. */
  async function isTaken(path: string, name: string): Promise<boolean> {
    try {
      return await take(path, name)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      onError(error)
      return false
    }
  }

  /** False if another process is reading the file. */
  async function take(path: string, name: string): Promise<boolean> {
    const mark = join(folder, `.${name}.reading`)
    const age = await begin(mark)
    if (age !== undefined && age < markMsMax) return false
    const unmark = () => rm(mark, { force: true })
    const answer = age === undefined ? await importFile(path, unmark).finally(unmark) : refused(diedReading)
    crashPoint('bank file imported, not moved')
    // Another process may have moved it: then what it did counts.
    if (answer.ok || (await markOf(path)) === undefined) await moveTo('done', path, name)
    else await moveTo('refused', path, name, answer.refusal)
    await unmark()
    return true
  }

  async function moveTo(to: 'done' | 'refused', path: string, name: string, why?: string): Promise<void> {
    const target = join(folder, to)
    await mkdir(target, { recursive: true, mode: 0o700 })
    const free = await freeName(target, name)
    if (why !== undefined)
      await writeFile(join(target, `${free}.txt`), `${name} was refused, whole: ${why}\n`, { mode: 0o600 })
    await rename(path, join(target, free)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }

  function run(): void {
    if (stopped) return
    round = look().catch((error) => {
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
    // A clock that jumps makes no file whole.
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

/** Marks that a file is being read; answers for how long it was marked before, in milliseconds, if it was. */
async function begin(mark: string): Promise<number | undefined> {
  try {
    await writeFile(mark, '', { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  // By the clock of the folder, which may be another machine's.
  const now = `${mark}.now`
  await writeFile(now, '')
  const [marked, written] = await Promise.all([mark, now].map((path) => stat(path).catch(() => undefined)))
  await rm(now, { force: true })
  return (written?.mtimeMs ?? 0) - (marked?.mtimeMs ?? Number.POSITIVE_INFINITY)
}

function refused(refusal: string): Result<never, string> {
  return { ok: false, refusal }
}

/** Size and time of change; undefined where the file is gone. */
async function markOf(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    return `${size} ${mtimeMs}`
  } catch {
    return undefined
  }
}

/** `statement.xml`, or `statement.xml.2` where another file had that name before. */
async function freeName(folder: string, name: string): Promise<string> {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}.${count}`
    if ((await markOf(join(folder, free))) === undefined) return free
  }
}
