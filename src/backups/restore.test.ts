// The next start completes a restore that was killed.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { finishRestore } from './restore.ts'

let dataDir: string
let folder: string
let waiting: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'comporta-restore-'))
  folder = join(dataDir, 'database')
  waiting = join(dataDir, 'database.restored')
  mkdirSync(waiting)
  writeFileSync(join(waiting, 'PG_VERSION'), 'new')
})
afterEach(() => rmSync(dataDir, { recursive: true }))

it('moves the restored database into place if the old one was already moved aside', () => {
  finishRestore(folder, waiting)
  expect(existsSync(join(folder, 'PG_VERSION'))).toBe(true)
  expect(existsSync(waiting)).toBe(false)
})

it('deletes the restored database if the old one is still in place', () => {
  mkdirSync(folder)
  finishRestore(folder, waiting)
  expect(existsSync(join(folder, 'PG_VERSION'))).toBe(false)
  expect(existsSync(waiting)).toBe(false)
})
