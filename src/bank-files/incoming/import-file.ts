// Importing from the disk: the bytes of one file.
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Result } from '../../kernel/result.ts'
import { type ImportDeps, type ImportSummary, importBankFile } from './import.ts'

const bytesPerMebibyte = 1024 * 1024
/** It is read into memory whole; what is in it is bounded too (document.ts). */
const fileSizeMaxMiB = 64

/**
 * Imports the file of a path; a refusal says why it cannot be, and that nothing was changed.
 *
 * @param whenRead called before anything is made of what was read
 */
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
        return refused(`it has ${size} bytes; files of at most ${fileSizeMaxMiB} MiB are read`)
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
