// An operator's commands to go live, in order, at a gateway in production. SIBS is a fake.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/time.ts'
import { accountReport } from '../bank-statements.ts'
import { createPostgresDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { programEnvironment, programFile } from '../program.ts'
import { type FakeSibs, startFakeSibs } from '../providers/sibs/fake.ts'
import { stepsOf } from './blocks.ts'

const folder = mkdtempSync(join(tmpdir(), 'comporta-going-live-'))
const blocks = ['going-live', 'sibs', 'multibanco-entity', 'bank-files'].flatMap((page) =>
  stepsOf(page).flatMap((step) =>
    step.kind === 'block' && step.words.includes('production') ? [{ page, ...step }] : [],
  ),
)
const [start, ...commands] = blocks
/** The operator's account in the example of the page. */
const account = { iban: 'PT50000201231234567890154', bic: 'BCOMPTPL' }
let sibs: FakeSibs
let gateway: ChildProcess
let printed = ''
/** Values of the page, and of this run. */
let here: readonly (readonly [string, string])[]
let port: number

function secretFile(name: string, value: string): void {
  writeFileSync(join(folder, name), value, { mode: 0o600 })
}

beforeAll(async () => {
  sibs = await startFakeSibs(systemClock.now, new Set())
  port = await freePort()
  here = [
    ['postgres://…', await createPostgresDatabase()],
    ['/etc/comporta', folder],
    ['/run/secrets', folder],
    ['/var/lib/comporta/multibanco', folder],
    ['https://spg.qly.site1.sibs.pt/api/v2', sibs.settings.base_url],
  ]
  secretFile('master.key', `1 ${Buffer.alloc(32, 7).toString('base64')}\n`)
  secretFile('sibs-client-id', sibs.secrets.client_id)
  secretFile('sibs-token', sibs.secrets.token)
  secretFile('sibs-webhook', sibs.secrets.webhook_secret)
  for (const kind of ['statement', 'notification'] as const)
    secretFile(`${kind}.xml`, accountReport(kind, [], { account }))
  mkdirSync(join(folder, 'bin'))
  for (const [name, words] of [
    ['npm', 'serve'],
    ['npx', `"\${@:2}"`],
  ] as const) {
    const file = join(folder, 'bin', name)
    writeFileSync(file, `#!/usr/bin/env bash\nexec ${process.execPath} ${programFile()} ${words}\n`)
    chmodSync(file, 0o755)
  }
})
afterAll(async () => {
  if (gateway?.exitCode === null) {
    const ended = new Promise((resolve) => gateway.once('close', resolve))
    process.kill(-(gateway.pid as number))
    await ended
  }
  await sibs?.close()
  rmSync(folder, { recursive: true })
})

function shell(script: string): ChildProcess {
  const local = here.reduce((done, [shown, is]) => done.replaceAll(shown, is), script)
  return spawn('bash', ['-ec', local], {
    cwd: folder,
    env: {
      ...programEnvironment,
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      PORT: String(port),
      HOME: folder,
    },
    detached: true,
  })
}

it('the gateway starts without a provider, and says so', async () => {
  gateway = shell(start?.text ?? '')
  for (const stream of [gateway.stdout, gateway.stderr])
    stream?.on('data', (data: Buffer) => {
      printed += data
    })
  await expect.poll(() => printed).toContain('No provider is connected')
})

it.each(commands.map((block) => ({ ...block, title: block.text.split('\n')[0] })))(
  '$page, line $line: $title',
  async ({ text: commandLines }) => {
    const [environment] = start?.text.split('npm start') ?? []
    const child = shell(`${environment}\n${commandLines}`)
    const [out, err, code] = await Promise.all([
      text(child.stdout as NodeJS.ReadableStream),
      text(child.stderr as NodeJS.ReadableStream),
      new Promise((resolve) => child.once('close', resolve)),
    ])
    expect([code, code === 0 || out + err]).toEqual([0, true])
    if (commandLines.includes('user create'))
      expect(out).toContain('https://pay.example.com/backoffice/join#')
    if (commandLines.includes('set sibs')) expect(out).toContain('https://pay.example.com/rails/sibs/')
  },
)
