// Importing from the disk: the bytes of one file, as text of the one encoding that banks use.
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Result } from '../../kernel/result.ts'
import { type ImportDeps, type ImportSummary, importBankFile } from './import.ts'

const bytesPerMebibyte = 1024 * 1024
/** A file of a bank's busiest day is smaller; it is read into memory whole. */
const fileSizeMaxMiB = 64

/** Imports the file of a path; a refusal says why it cannot be, and that nothing was changed. */
export async function importFileAt(deps: ImportDeps, path: string): Promise<Result<ImportSummary, string>> {
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
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refused('it is not UTF-8, in which ISO 20022 files are written')
  }
  return importBankFile(deps, basename(path), text)
}

function refused(refusal: string): Result<never, string> {
  return { ok: false, refusal }
}
