// The programs of the page on callbacks, as a reader copies and starts them: they verify what is genuine, and nothing else.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runHere } from '../cli/run-here.ts'
import { freePort } from '../free-port.ts'
import { cards, startWorld, type World } from '../world.ts'
import { stepsOf } from './blocks.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'comporta-callbacks-'))
const running: ChildProcess[] = []
let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  for (const child of running) if (child.exitCode === null) process.kill(-(child.pid as number))
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
})

const blocks = stepsOf('callbacks').filter((step) => step.kind === 'block')
const documentedPort = '3000'

/** Starts a program of the page, and reads its output. */
function start(command: string, environment: NodeJS.ProcessEnv = {}): () => string {
  const child = spawn('bash', ['-c', command], {
    cwd: folder,
    env: { PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`, ...environment },
    detached: true,
  })
  running.push(child)
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => {
      printed += data
    })
  return () => printed
}

async function answers(address: string): Promise<number> {
  const forged = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
  const headers = { ...forged, 'webhook-signature': 'v1,AAAA' }
  return fetch(address, { method: 'POST', headers, body: '{"event":"COMPLETED"}' }).then(
    ({ status }) => status,
    () => 0,
  )
}

const id = '0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10'
/** Bodies of every kind that have no `operation_id`, with the field that names what each is about. */
const kinds = [
  { type: 'ADD_CARD', event: 'COMPLETED', token: id, request_id: 'r' },
  { type: 'ADD_CARD', event: 'FAIL', request_id: id },
  { type: 'MANDATE', event: 'APPROVED', mandate_id: id, subscription_id: null },
  { event: 'CANCELED', subscription_id: id, ext_subscriptionid: null },
  { event: 'SUCCESS', charge_order_id: id, subscription_id: 's' },
  { event: 'ping', type: 'PING', ping_id: id },
]
const namesOfKinds = [
  ['token', 'COMPLETED', id],
  ['request_id', 'FAIL', id],
  ['mandate_id', 'APPROVED', id],
  ['subscription_id', 'CANCELED', id],
  ['charge_order_id', 'SUCCESS', id],
  ['ping_id', 'ping', id],
] as const

/** Sends `body` with headers as `change` has them, on a signature that would be right. */
async function sendSigned(address: string, body: string, change: Record<string, string> = {}) {
  const time = String(Math.floor(Date.now() / 1000))
  const secret = Buffer.from(world.shop.callback_signing_secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', secret).update(`x.${time}.${body}`).digest('base64')
  const right = { 'webhook-id': 'x', 'webhook-timestamp': time, 'webhook-signature': `v1,${signature}` }
  return (await fetch(address, { method: 'POST', headers: { ...right, ...change }, body })).status
}

/** Announces more bytes than it sends, and closes the connection. */
async function leaveHalfWay(port: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end('POST /callbacks HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{')
      socket.resume().once('close', () => resolve())
    })
  })
}

const programs = [
  ['Node', 'server.mjs', 'node'],
  ['PHP', 'server.php', 'php'],
  ['Python', 'server.py', 'python3'],
] as const

for (const [name, file, program] of programs) {
  const isHere = spawnSync(program, ['--version']).status === 0
  if (!isHere)
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: the callbacks of ${name}, which is not here\n\n`)
  it.runIf(isHere)(`are verified in ${name}, and a forged one is refused`, async () => {
    const port = String(await freePort())
    const here = (text: string) => text.replaceAll(documentedPort, port)
    const source = blocks.find((block) => block.file === file)
    const command = blocks.find(({ words, text }) => words.includes('background') && text.includes(file))
    writeFileSync(join(folder, file), here(source?.text ?? ''))
    const printed = start(here(command?.text ?? ''), {
      COMPORTA_SIGNING_SECRET: world.shop.callback_signing_secret,
    })
    const address = `http://127.0.0.1:${port}/callbacks`
    await expect.poll(() => answers(address)).toBe(400)
    const set = await world.cli('merchant', 'set', '1000', '--callback-url', address)
    expect(set.code).toBe(0)
    const checkout = await world.createCheckout()
    await world.payOnPage(checkout, cards.frictionless)
    await expect.poll(printed).toContain(`verified COMPLETED operation_id ${checkout.payment.id} 10\n`)
    expect(printed().match(/verified/g)).toHaveLength(1)

    for (const body of kinds)
      expect([body, await sendSigned(address, JSON.stringify(body))]).toEqual([body, 200])
    for (const [name, event, id] of namesOfKinds)
      await expect.poll(printed).toMatch(new RegExp(`verified ${event} ${name} ${id} ?\\n`))

    // None of these stops the program, and it accepts only signed callbacks.
    await leaveHalfWay(Number(port))
    const odd = [
      { 'webhook-timestamp': 'now' },
      { 'webhook-timestamp': '' },
      { 'webhook-signature': 'v1,\u00e9'.padEnd(47, '\u00e9') },
      { 'webhook-signature': '' },
    ]
    const callback = JSON.stringify(kinds[0])
    for (const change of odd)
      expect([change, await sendSigned(address, callback, change)]).toEqual([change, 400])
    expect((await fetch(address, { method: 'POST', body: callback })).status).toBe(400)
    for (const body of ['null', '[]', '"COMPLETED"', '{}', '{'])
      expect([body, await sendSigned(address, body)]).toEqual([body, 400])
    expect(await sendSigned(address, callback)).toBe(200)

    const { json } = await runHere(['exam', '--forward-to', address], { DATA_DIR: world.dataDir })
    expect(json).toMatchObject({ mistakes: [] })
    const guide = readFileSync(join(root, 'docs/callback-examination.md'), 'utf8')
    expect(guide).toMatch(new RegExp(`^\\| \\[?Sample[^|]*${name}[^|]*\\| ${json.grade} `, 'm'))
    expect(printed()).not.toMatch(/undefined|None|Warning|Notice|Traceback|Error/)
  })

  it.runIf(isHere)(`say in ${name} which secret is missing`, async () => {
    const port = String(await freePort())
    const here = (text: string) => text.replaceAll(documentedPort, port)
    const source = blocks.find((block) => block.file === file)
    const command = blocks.find(({ words, text }) => words.includes('background') && text.includes(file))
    writeFileSync(join(folder, file), here(source?.text ?? ''))
    const printed = start(here(command?.text ?? ''))
    if (name === 'PHP') await expect.poll(() => answers(`http://127.0.0.1:${port}/`)).toBe(500)
    await expect.poll(printed).toContain('set COMPORTA_SIGNING_SECRET: it is callback_signing_secret')
    expect(printed()).not.toMatch(/verified|TypeError|KeyError/)
  })
}

it('come to a program of the reader by listen', async () => {
  const port = String(await freePort())
  const here = (text: string) =>
    text.replaceAll(documentedPort, port).replaceAll('npx comporta', `node ${join(root, 'bin/comporta.js')}`)
  writeFileSync(
    join(folder, 'server.mjs'),
    here(blocks.find(({ file }) => file === 'server.mjs')?.text ?? ''),
  )
  const environment = {
    COMPORTA_SIGNING_SECRET: world.shop.callback_signing_secret,
    COMPORTA_API_KEY: world.shop.api_key,
    DATA_DIR: world.dataDir,
  }
  const printed = start('node server.mjs', environment)
  const listen = blocks.find(({ words, text }) => words.includes('background') && text.includes('listen'))
  const listening = start(here(listen?.text ?? ''), environment)
  await expect.poll(listening).toContain('Ctrl-C ends')
  const trigger = blocks.find(({ text }) => text.includes('trigger payment.completed'))
  start(here(trigger?.text ?? ''), environment)
  await expect.poll(printed).toMatch(/verified COMPLETED operation_id [0-9a-f-]{36} \d+/)
})

it('have the same PHP program in Portuguese', () => {
  const withoutComments = (page: string) => {
    const program = stepsOf(page).find((step) => step.kind === 'block' && step.file === 'server.php')
    return program?.kind === 'block' ? program.text.replaceAll(/^\/\/ .*$/gm, '') : undefined
  }
  expect(withoutComments('pt/callbacks')).toContain('hash_equals')
  expect(withoutComments('pt/callbacks')).toBe(withoutComments('callbacks'))
})
