// The packed SDK: content, imports and types.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const installed = join(root, 'node_modules')

let folder: string
let files: string[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'comporta-packed-'))
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: join(root, 'sdk'),
    encoding: 'utf8',
  })
  const [{ filename, files: list }] = JSON.parse(packed)
  files = list.map(({ path }: { path: string }) => path)
  const target = join(folder, 'node_modules', '@comporta', 'sdk')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', target])
  for (const name of ['standardwebhooks', '@stablelib', 'fast-sha256', '@types', 'undici-types'])
    symlinkSync(join(installed, name), join(folder, 'node_modules', name))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('has what is built, a README and a licence, and nothing else', () => {
  expect(files).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'package.json',
      'dist/esm/index.js',
      'dist/cjs/index.js',
    ]),
  )
  const others = files.filter((path) => !/^dist\/(esm|cjs)\/(package\.json|.+\.(js|d\.ts))$/.test(path))
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'package.json'])
})

const use = `
const comporta = new Comporta({ apiKey: 'cmp_test_1', baseUrl: 'http://127.0.0.1:1', retries: 0 })
comporta.account.balance().catch((error) => console.log(error instanceof ConnectionError, fromCents(1050n)))`

it.each([
  ['imported', 'use.mjs', `import { Comporta, ConnectionError, fromCents } from '@comporta/sdk'`],
  ['required', 'use.cjs', `const { Comporta, ConnectionError, fromCents } = require('@comporta/sdk')`],
])('can be %s', (_, name, line) => {
  writeFileSync(join(folder, name), line + use)
  expect(execFileSync(process.execPath, [join(folder, name)], { encoding: 'utf8' })).toBe('true 10.50\n')
})

/** Runs a program on a Node whose JSON.parse does not show the digits of numbers, as Node 20. */
function onOlderNode(program: string): string {
  const older = `
const { parse } = JSON
JSON.parse = (text, reviver) => parse(text, reviver && ((key, value) => reviver(key, value)))
${program}`
  writeFileSync(join(folder, 'older.cjs'), older)
  return execFileSync(process.execPath, [join(folder, 'older.cjs')], { encoding: 'utf8' })
}

it('refuses a Node that would round amounts, before anything is sent', () => {
  const program = `
const { Comporta } = require('@comporta/sdk')
try { new Comporta({ apiKey: 'cmp_test_1', baseUrl: 'http://127.0.0.1:1' }) } catch (error) { console.log(error.message) }`
  expect(onOlderNode(program)).toBe('@comporta/sdk needs Node 22 or newer\n')
})

it('refuses to verify a genuine callback on such a Node, and calls no false callback genuine', () => {
  const program = `
const { Webhook } = require('standardwebhooks')
const { CallbackError, EngineTooOldError, verifyCallback } = require('@comporta/sdk')
const secret = 'whsec_' + Buffer.from('a secret of 24 bytes....').toString('base64')
const [body, now] = ['{"operation_id":"1","amount":12.30}', new Date()]
const headers = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
}
for (const text of [body, body.replace('12', '13')])
  try { console.log(verifyCallback(text, headers, secret)) } catch (error) {
    console.log(error instanceof EngineTooOldError, error instanceof CallbackError, error.name, error.message)
  }`
  expect(onOlderNode(program).split('\n')).toEqual([
    expect.stringMatching(/^true false EngineTooOldError @comporta\/sdk needs Node 22 or newer: /),
    expect.stringMatching(/^false true CallbackError /),
    '',
  ])
})

it.each(['use.mts', 'use.cts'])('has types for %s', (name) => {
  const lines = (amount: string, code: number) => `
import { type Callback, Comporta, type ComportaError, DeclinedError } from '@comporta/sdk'
export async function pay(comporta: Comporta): Promise<string | undefined> {
  const urls = { url_confirm: 'https://shop.example', url_cancel: 'https://shop.example' }
  const { payment } = await comporta.checkouts.create({ payment: { amount: ${amount}, currency: 'EUR' }, ...urls })
  for await (const { status } of comporta.operations.list({ type: 'REFUND' })) if (status === 'PENDING') return
  return payment?.amount
}
export function reasonOf(error: ComportaError): string {
  return error instanceof DeclinedError && error.code === ${code} ? 'no money' : error.reason
}
export function invoiceOf(callback: Callback): string | null {
  return 'operation_id' in callback ? callback.ext_invoiceid : null
}
`
  expect(check(name, lines(`'10.50'`, 30_007))).toBe('')
  const faults = check(name, lines('true', 10_001))
  expect(faults).toContain("Type 'boolean' is not assignable")
  expect(faults).toContain('no overlap')
})

/** Compiler output for a program with the installed package. */
function check(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  const tsc = join(installed, 'typescript', 'bin', 'tsc')
  const args = [
    tsc,
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
    name,
  ]
  try {
    return execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
