// The commands doctor and completion, and the examples in help texts.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCommandLine } from '../../src/cli/commands/commands.ts'
import { openPostgres, statement } from '../../src/storage/index.ts'
import { createEmptyPostgresDatabase, createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { type Json, startWorld, type World } from '../world.ts'
import { startCommand } from './command.ts'
import { runHere } from './run-here.ts'

let world: World
const selectSandbox = statement<object>("select 1 from pg_namespace where nspname = 'sandbox'")
const dropSandbox = statement<object>('drop schema if exists sandbox cascade')
const scratch = mkdtempSync(join(tmpdir(), 'comporta-doctor-'))
beforeAll(async () => {
  world = await startWorld('pglite')
})
afterAll(async () => {
  rmSync(scratch, { recursive: true })
  await world.stop()
})

async function doctor(environment: Record<string, string>) {
  const command = startCommand(['doctor', '--json'], environment)
  const code = await command.ended
  const { ok, findings } = JSON.parse(command.lines().join('\n'))
  const of = (check: string) => findings.filter((one: Json) => one.check === check)
  return { code, ok, findings, of }
}

describe('comporta doctor', () => {
  it('finds no problem of a running sandbox, and checks the addresses of merchants', async () => {
    const port = new URL(world.baseUrl).port
    await world.cli('merchant', 'set', '1001', '--callback-url', 'http://127.0.0.1:2/callbacks')
    const { code, ok, findings, of } = await doctor({ DATA_DIR: world.dataDir, PORT: port })
    expect([code, ok]).toEqual([0, true])
    for (const check of [
      'node',
      'settings',
      'data folder',
      'disk',
      'master key',
      'database',
      'demo.json',
      'port',
      'BASE_URL',
      'clock',
    ])
      expect([check, of(check)[0]?.state]).toEqual([check, 'ok'])
    expect(of('callbacks')).toMatchObject([
      { state: 'ok', detail: `${world.receiver.origin} answers` },
      {
        state: 'warning',
        detail: expect.stringContaining('ECONNREFUSED'),
        mend: expect.stringContaining('comporta listen'),
      },
    ])
    expect(
      findings.filter(
        ({ state, mend }: Json) => ['wrong', 'warning'].includes(state) !== (mend !== undefined),
      ),
    ).toEqual([])
  })

  it('gives a remedy for each problem, and exits 1', async () => {
    const keyFile = join(scratch, 'master.key')
    writeFileSync(keyFile, 'not a key\n')
    chmodSync(scratch, 0o755)
    const port = new URL(world.receiver.origin).port
    const { code, of } = await doctor({
      DATA_DIR: scratch,
      PORT: port,
      MASTER_KEY_FILE: keyFile,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:2/none',
    })
    expect(code).toBe(1)
    expect(of('data folder')).toMatchObject([{ state: 'wrong', mend: `chmod 700 ${scratch}` }])
    expect(of('master key')).toMatchObject([{ state: 'wrong' }])
    expect(of('database')).toMatchObject([
      { state: 'wrong', detail: expect.stringContaining('127.0.0.1:2 cannot be used') },
    ])
    expect(of('port')).toMatchObject([
      { state: 'wrong', detail: expect.stringContaining('answers 200, not as a gateway does') },
    ])
  })

  it('tells the gateway of a folder from another one on its port', async () => {
    const port = new URL(world.baseUrl).port
    const empty = join(scratch, 'empty')
    mkdirSync(empty, { mode: 0o700 })
    const other = await doctor({ DATA_DIR: empty, PORT: port })
    expect(other.of('port')).toMatchObject([
      { state: 'wrong', detail: expect.stringContaining('is not the one of this data folder') },
    ])
    expect([other.code, other.of('BASE_URL')[0].state]).toEqual([1, 'skipped'])

    const elsewhere = await doctor({ DATA_DIR: world.dataDir, PORT: String(await freePort()) })
    expect(elsewhere.of('port')).toMatchObject([
      { state: 'warning', detail: expect.stringContaining('was started with another PORT or HOST') },
    ])
  })

  it('takes no other web server for a gateway at the public address', async () => {
    const { code, of } = await doctor({
      DATA_DIR: world.dataDir,
      PORT: new URL(world.baseUrl).port,
      BASE_URL: world.receiver.origin,
    })
    expect([code, of('BASE_URL')]).toMatchObject([
      1,
      [{ state: 'wrong', detail: expect.stringContaining('not as a gateway does') }],
    ])
  })

  it.each([
    ['{', 'it is not JSON'],
    ['null', 'it is not an object'],
    ['[]', 'it is not an object'],
    ['{}', 'base_url is not an address'],
    ['{"base_url":"http://a"}', 'auth_scheme is empty'],
    ['{"base_url":"http://a","auth_scheme":"A","merchants":[]}', 'merchants is not a list'],
    [
      '{"base_url":"http://a","auth_scheme":"A","merchants":[{"wallet_id":1}]}',
      'name of a merchant is not text',
    ],
  ])('says of a demo.json of %s that %s, and so do the other commands', async (text, problem) => {
    const folder = mkdtempSync(join(scratch, 'demo-'))
    writeFileSync(join(folder, 'demo.json'), text)
    const { json } = await runHere(['doctor'], { DATA_DIR: folder, PORT: '0' })
    const [found] = json.findings.filter(({ check }: Json) => check === 'demo.json')
    expect([found.state, found.detail]).toEqual(['wrong', expect.stringContaining(problem)])
    const listed = await runHere(['payments', 'list'], { DATA_DIR: folder })
    expect([listed.code, listed.json.error.reason]).toEqual([1, expect.stringContaining(problem)])
  })

  it('prints what is wrong to standard output, also of a gateway that is stuck', async () => {
    process.kill(world.pid(), 'SIGSTOP')
    try {
      const place = { DATA_DIR: world.dataDir, PORT: new URL(world.baseUrl).port }
      const command = startCommand(['doctor'], place)
      expect([await command.ended, command.said()]).toEqual([1, ''])
      const lines = command.lines()
      expect(lines.find((line) => line.startsWith('✗ data folder'))).toContain(
        `process ${world.pid()}, which does not answer`,
      )
      expect(lines.find((line) => line.startsWith('✗ port'))).toContain('no answer in time')
      expect(lines.at(-1)).toBe('2 wrong, 0 to look at.')
    } finally {
      process.kill(world.pid(), 'SIGCONT')
    }
  })

  it('leaves the embedded database of a gateway that was killed as it is', async () => {
    await world.kill()
    const files = () =>
      readdirSync(world.dataDir, { recursive: true, withFileTypes: true }).map((entry) => {
        const path = join(entry.parentPath, entry.name)
        const { mode, size, mtimeMs } = statSync(path)
        return [path, mode, size, mtimeMs]
      })
    const before = files()
    const { code, of } = await doctor({ DATA_DIR: world.dataDir, PORT: new URL(world.baseUrl).port })
    expect(files()).toEqual(before)
    expect([code, of('data folder')[0].detail]).toEqual([0, expect.stringContaining('not in use')])
    expect(of('callbacks')).toMatchObject([
      { state: 'skipped', detail: expect.stringContaining('checked only while the gateway runs') },
    ])
    await world.restart()
  })

  it('looks at PostgreSQL: whether it is new enough, and of which version its tables are', async () => {
    const place = { DATA_DIR: join(scratch, 'postgres'), PORT: String(await freePort()) }
    const whole = await doctor({ ...place, DATABASE_URL: await createPostgresDatabase() })
    const empty = await doctor({ ...place, DATABASE_URL: await createEmptyPostgresDatabase() })
    for (const check of ['database', 'version and clock', 'migrations'])
      expect(whole.of(check)).toMatchObject([{ state: 'ok' }])
    expect(empty.of('migrations')).toMatchObject([
      { state: 'warning', mend: expect.stringContaining('comporta migrate') },
    ])
    expect([whole.code, empty.code]).toEqual([0, 0])
    const url = await createPostgresDatabase()
    const database = openPostgres({ url })
    await database.run(
      statement(`update kysely_migration set name = '0001-wallets' where name = '0001-baseline'`),
    )
    await database.close()
    const old = await doctor({ ...place, DATABASE_URL: url })
    expect(old.of('migrations')).toMatchObject([
      { state: 'wrong', detail: expect.stringContaining('before 0.1.0') },
    ])
    expect(old.code).toBe(1)
  })

  it('asks PostgreSQL for the addresses of merchants, and makes no tables of the sandbox there', async () => {
    const url = await createPostgresDatabase()
    const database = openPostgres({ url, onReach: () => undefined })
    const schemas = async () => (await database.run(selectSandbox, [])).length
    await database.run(dropSandbox, [])
    const place = { DATA_DIR: world.dataDir, PORT: new URL(world.baseUrl).port }
    const { of } = await doctor({ ...place, DATABASE_URL: url })
    expect(of('callbacks')).toMatchObject([
      { state: 'skipped', detail: 'no merchant has a callback address' },
    ])
    expect(await schemas()).toBe(0)
    await database.close()
  })

  it('stops at settings that are wrong, one finding each', async () => {
    const { code, of } = await doctor({ PORT: 'x', MODE: 'test' })
    expect([code, of('settings').map(({ detail }: Json) => detail)]).toEqual([
      1,
      [expect.stringContaining('MODE must be'), expect.stringContaining('PORT must be')],
    ])
  })

  it('changes nothing where nothing is yet', async () => {
    const { code, findings } = await doctor({
      DATA_DIR: join(scratch, 'none'),
      PORT: String(await freePort()),
    })
    expect(code).toBe(0)
    expect(
      findings.filter(({ state }: Json) => state !== 'ok').every(({ state }: Json) => state === 'skipped'),
    ).toBe(true)
    expect(() => chmodSync(join(scratch, 'none'), 0o700)).toThrow('ENOENT')
  })
})

describe('comporta completion', () => {
  /** Completions by bash for an unfinished last word. */
  function offered(script: string, line: string): string[] {
    const words = line.split(' ')
    const typed = words.map((word) => `'${word}'`).join(' ')
    const ask = `${script}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _comporta; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', ask])
      .toString()
      .split('\n')
      .filter((word) => word !== '')
  }

  it('bash completes commands, their second words, options and events', async () => {
    const { text: script } = await runHere(['completion', 'bash', '--text'], {})
    expect(offered(script, 'comporta me')).toEqual(['merchant'])
    expect(offered(script, 'comporta merchant ')).toEqual(['create', 'list', 'set'])
    expect(offered(script, 'comporta merchant set 1000 --callback')).toEqual(['--callback-url'])
    expect(offered(script, 'comporta trigger subscription.ch')).toEqual([
      'subscription.charge.completed',
      'subscription.charge.failed',
    ])
    expect(offered(script, 'comporta reconcile e')).toEqual(['explain'])
    expect(offered(script, 'comporta reconcile explain --n')).toEqual(['--note'])
    expect(offered(script, 'comporta completion ')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
  })

  it.each(['zsh', 'fish'])('%s gets a script with the same words', async (shell) => {
    const { text } = await runHere(['completion', shell, '--text'], {})
    for (const word of ['merchant', '--callback-url', 'subscription.charge.failed'])
      expect(text).toContain(word)
  })
})

it('help of every command has an example that can be typed', async () => {
  const overview = readCommandLine(['help'])
  const text = overview.kind === 'about' ? overview.text : ''
  const names = [...text.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?= | ?[<[])/gm)].map(([, name = '']) =>
    name.trim(),
  )
  expect(names.length).toBeGreaterThan(45)
  for (const name of names) {
    const help = readCommandLine(['help', ...name.split(' ')])
    const [, examples = ''] = (help.kind === 'about' ? help.text : '').split('Examples:\n')
    const lines = examples.split('\n').filter((line) => line.includes('comporta'))
    expect([name, lines.length > 0]).toEqual([name, true])
    for (const line of lines) {
      const [, typed = ''] = /comporta (.*?)\)?$/.exec(line) ?? []
      const words = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      expect([line, readCommandLine(words).kind]).toEqual([line, 'run'])
    }
  }
})
