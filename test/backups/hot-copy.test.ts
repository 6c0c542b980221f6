// Hot copies of the embedded database keep their log over checkpoints.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hotCopy } from '../../src/backups/hot-copy.ts'
import { openPglite, statement } from '../../src/storage/index.ts'
import { copyPgliteTemplate } from '../database.ts'

it('keeps every log file until it is copied', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-hot-copy-'))
  copyPgliteTemplate(folder)
  const database = await openPglite(folder)
  const write = statement(
    `insert into "Log" select repeat(md5(n::text), 40) from generate_series(1, 20000) n`,
  )
  const files = () =>
    database.run(statement<{ name: string }>('select name from pg_ls_waldir() order by name'))
  await database.run(statement('create table "Log" (word text)'))

  const copy = hotCopy(database, folder, () => undefined)
  await copy.next()
  for (let round = 0; round < 3; round++) await database.run(write)
  await database.run(statement('checkpoint'))
  let label = ''
  const segments: string[] = []
  for await (const { path, ...entry } of copy) {
    if (path === 'backup_label' && 'read' in entry)
      for await (const part of entry.read()) label += Buffer.from(part)
    if (path.startsWith('pg_wal/0')) segments.push(path.slice('pg_wal/'.length))
  }
  const first = /file ([0-9A-F]{24})/.exec(label)?.[1]
  expect(segments.sort()[0]).toBe(first)
  // 78 MiB, in files of 16 MiB.
  expect(segments.length).toBeGreaterThan(4)

  await database.run(write)
  await database.run(statement('checkpoint'))
  expect((await files()).map(({ name }) => name)).not.toContain(first)
  await database.close()
  rmSync(folder, { recursive: true })
})
