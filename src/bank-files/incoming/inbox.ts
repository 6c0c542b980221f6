// The inbox: files that the bank's transfer program puts into a folder are imported once they are whole, and moved away.
import { mkdir, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '../../kernel/crash-points.ts'
import type { Result } from '../../kernel/result.ts'
import { second } from '../../kernel/time.ts'
import { DatabaseUnavailable, type Worker } from '../../storage/index.ts'
import type { ImportSummary } from './import.ts'

export interface InboxDeps {
  readonly folder: string
  importFile(path: string): Promise<Result<ImportSummary, string>>
  onError(error: unknown): void
}

/** A file that has not grown between two looks is whole. Real time: it follows somebody else's program. */
const pollMs = 2 * second
/** Names under which programs write what is not whole yet; those that begin with a dot are another kind. */
const unfinished = /\.(part|partial|tmp|temp|filepart|crdownload|draft)$/i

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
      await take(path, name)
      return true
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      onError(error)
      return false
    }
  }

  async function take(path: string, name: string): Promise<void> {
    const answer = await importFile(path)
    crashPoint('bank file imported, not moved')
    // Another process may have moved it: then what it did counts.
    if (answer.ok || (await markOf(path)) === undefined) await moveTo('done', path, name)
    else await moveTo('refused', path, name, answer.refusal)
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
