// The inbox with unreadable files, and without the database.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createInbox } from '../../src/bank-files/incoming/inbox.ts'
import { DatabaseUnavailable, type Worker } from '../../src/storage/index.ts'

let folder: string
let inbox: Worker
/** The result of each file. */
let fails: Map<string, Error>
let asked: string[]
let errors: unknown[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'comporta-inbox-'))
  fails = new Map()
  asked = []
  errors = []
  for (const name of ['a.xml', 'b.xml']) writeFileSync(join(folder, name), name)
  inbox = createInbox({
    folder,
    async importFile(path) {
      const name = basename(path)
      asked.push(name)
      const error = fails.get(name)
      if (error !== undefined) throw error
      return { ok: true, value: {} as never }
    },
    onError: (error) => errors.push(error),
  })
})
afterEach(async () => {
  await inbox.stop()
  rmSync(folder, { recursive: true })
})

const isDone = (name: string) => existsSync(join(folder, 'done', name))

it('continues with the next file when one throws, reports it, and tries it again', async () => {
  const bug = new Error('a bug')
  fails.set('a.xml', bug)
  await inbox.start()
  await expect.poll(() => isDone('b.xml')).toBe(true)
  expect(errors).toEqual([bug])
  expect(readdirSync(folder)).toEqual(['a.xml', 'done'])
  fails.clear()
  await expect.poll(() => isDone('a.xml')).toBe(true)
})

it('asks for nothing more, and moves nothing, while the database is away', async () => {
  const away = new DatabaseUnavailable(new Error('ECONNREFUSED'))
  fails.set('a.xml', away)
  await inbox.start()
  await expect.poll(() => errors).toEqual([away])
  expect(asked).toEqual(['a.xml'])
  expect(readdirSync(folder)).toEqual(['a.xml', 'b.xml'])
  fails.clear()
  await expect.poll(() => isDone('a.xml') && isDone('b.xml')).toBe(true)
})

it('refuses a file over which the process has died, and leaves one that another process reads', async () => {
  for (const name of ['a.xml', 'b.xml']) writeFileSync(join(folder, `.${name}.reading`), '')
  const anHourAgo = Date.now() / 1000 - 3600
  utimesSync(join(folder, '.a.xml.reading'), anHourAgo, anHourAgo)
  writeFileSync(join(folder, 'c.xml'), 'c.xml')
  await inbox.start()
  await expect.poll(() => isDone('c.xml')).toBe(true)
  expect(asked).toEqual(['c.xml'])
  expect(readFileSync(join(folder, 'refused', 'a.xml.txt'), 'utf8')).toContain(
    'ended while reading this file',
  )
  expect(readdirSync(folder)).toEqual(['.b.xml.reading', 'b.xml', 'done', 'refused'])
})
