// Importing a file from the disk.
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Result } from '../../kernel/result.ts'
import { type ImportDeps, type ImportSummary, importBankFile } from './import.ts'

const bytesPerMebibyte = 1024 * 1024
const fileSizeMaxMiB = 64

/** A refusal gives the reason; nothing was changed then. `whenRead` is called before the content is processed. */
export async function importFileAt(
  deps: ImportDeps,
  path: string,
  whenRead?: () => Promise<void>,
): Promise<Result<ImportSummary, string>> {
  let bytes: Buffer
  try {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      if (size > fileSizeMaxMiB * bytesPerMebibyte)
        return refused(`it has ${size} bytes; at most ${fileSizeMaxMiB} MiB are allowed`)
      bytes = await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    return refused(`it cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`)
  }
  return importBankFile(deps, basename(path), bytes, whenRead)
}

function refused(refusal: string): Result<never, string> {
  return { ok: false, refusal }
}
