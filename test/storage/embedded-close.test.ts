// Closing the embedded database while a statement still runs.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

const program = `
  import { protocol } from '@electric-sql/pglite'
  import { Engine } from './src/storage/pglite/pglite-client.ts'
  const engine = await Engine.open({ onBroken: (error) => console.log('broken', error) })
  void engine.call(protocol.serialize.query('select pg_sleep(0.2)'))
  await engine.close()
  console.log('closed')`

it('keeps the process alive until its thread has ended', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(output).toBe('closed\n')
})
