// A reader of the documentation: types what its blocks say into a shell, in order, and compares what comes back.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { patienceSeconds } from '../patience.ts'
import { cards, type World } from '../world.ts'
import { known, type Stand, unlike, unlikeText } from './alike.ts'
import type { Act, Block, Step } from './blocks.ts'
import { approveOn, nameAccountAt, payAt } from './customer.ts'

const projectRoot = join(import.meta.dirname, '../..')
const documentedOrigin = 'http://127.0.0.1:8080'
/** Address of the reader's program. */
const documentedPort = '3000'

interface Output {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Reader {
  /** Does a step; answers what was not as the page says. */
  follow(step: Step): Promise<string[]>
  close(): Promise<void>
}

/** A reader with the keys of the demo shop, in a folder of their own. */
export async function openReader(world: World): Promise<Reader> {
  const folder = mkdtempSync(join(tmpdir(), 'comporta-reader-'))
  mkdirSync(join(folder, 'bin'))
  symlinkSync(world.dataDir, join(folder, 'data'))
  symlinkSync(join(projectRoot, 'examples'), join(folder, 'examples'))
  const cli = `exec ${process.execPath} ${join(projectRoot, 'bin/comporta.js')} "\${@:2}"`
  writeFileSync(join(folder, 'bin/npx'), `#!/usr/bin/env bash\n${cli}\n`, { mode: 0o755 })
  const stand: Stand = new Map([
    [documentedOrigin, world.baseUrl],
    [`127.0.0.1:${documentedPort}`, `127.0.0.1:${await freePort()}`],
  ])
  let environment: NodeJS.ProcessEnv = {
    PATH: `${join(folder, 'bin')}:${join(projectRoot, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: folder,
    COMPORTA_API_KEY: world.shop.api_key,
    COMPORTA_ESB_TOKEN: world.shop.esb_token,
    COMPORTA_SIGNING_SECRET: world.shop.callback_signing_secret,
    PORT: (stand.get(`127.0.0.1:${documentedPort}`) ?? '').split(':')[1],
  }
  await receiveCallbacks(world)
  let last: { readonly block: Block; output: Output } | undefined

  function start(script: string): ChildProcess {
    return spawn('bash', ['-c', script], { cwd: folder, env: environment, detached: true })
  }

  async function run(block: Block): Promise<Output> {
    const after = join(folder, '.environment')
    const child = start(`set -ea\n${known(block.text, stand)}\nenv -0 > ${after}`)
    const output = await ended(child)
    if (existsSync(after)) environment = readEnvironment(after)
    return output
  }

  async function shell(block: Block): Promise<string[]> {
    const output = await run(block)
    last = { block, output }
    const isFine = (output.code === 0) !== block.words.includes('fails')
    return isFine ? [] : [`exit ${output.code}: ${output.out}${output.err}`]
  }

  /** An answer of a program can come late, so it is read again until it is there. */
  async function compare(differences: (output: string) => string[]): Promise<string[]> {
    if (last === undefined) return ['there is no block before it']
    const { block } = last
    const mayRepeat = !/ -(d|X)\b/.test(block.text)
    const end = performance.now() + patienceSeconds * 1000
    for (;;) {
      const found = differences(last.output.out.trim())
      if (found.length === 0 || !mayRepeat || performance.now() > end) return found
      await new Promise((resolve) => setTimeout(resolve, 100))
      last.output = await run(block)
    }
  }

  async function callback(shown: unknown): Promise<string[]> {
    // `doctor` asks the address without a body.
    const bodies = () =>
      world.receiver.received('/callbacks').flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body)]))
    const isThere = () => bodies().some((body) => unlike(shown, body, new Map(stand)).length === 0)
    const end = performance.now() + patienceSeconds * 1000
    while (!isThere() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 100))
    if (isThere()) return []
    const nearest = bodies().map((body) => unlike(shown, body, new Map(stand)))
    return nearest.sort((one, other) => one.length - other.length)[0] ?? ['no callback came']
  }

  async function block(step: Block): Promise<string[]> {
    if (step.language === 'sh') return shell(step)
    if (step.language === 'json') {
      const shown = JSON.parse(step.text) as unknown
      if (step.words.includes('callback')) return callback(shown)
      return compare((out) => unlike(shown, parsed(out), stand))
    }
    if (step.language === 'text') return compare((out) => unlikeLines(step.text.trim(), out, stand))
    return [
      `nobody runs ${step.language || 'a block without a language'}: mark it no-test, or name its language`,
    ]
  }

  return {
    async follow(step) {
      const found = step.kind === 'act' ? await act(world, step, stand) : await block(step)
      return found.map((one) => `line ${step.line}: ${one}`)
    },
    async close() {
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A page may set another address, which the next page must not inherit. */
async function receiveCallbacks(world: World): Promise<void> {
  await world.request(`/sandbox/api/merchants/${world.shop.wallet_id}/callback-url`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ callback_url: world.receiver.url('/callbacks') }),
  })
}

/** A reader's step in the browser. */
async function act(world: World, { words }: Act, stand: Stand): Promise<string[]> {
  const [verb, what = '', , number = '', code] = words.map((word) => known(word, stand))
  if (verb === 'pay' || verb === 'save') {
    const page = await payAt(what, number, code, verb === 'save' ? { save: 'yes' } : {})
    return page.status === 200 ? [] : [`the page of the payment answered ${page.status}`]
  }
  if (verb === 'name') {
    const page = await nameAccountAt(what, number)
    return page.status === 200 ? [] : [`the page of the refund answered ${page.status}`]
  }
  if (verb === 'approve') {
    await approveOn(what, world.baseUrl)
    return []
  }
  if (verb === 'buy') {
    await receiveCallbacks(world)
    const payment = { amount: 10, currency: 'EUR', ext_invoiceid: what }
    await world.payOnPage(await world.createCheckout({ payment }), cards.frictionless)
    return []
  }
  return [`no reader can ${verb}`]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Lines in order; a line of `…` stands for any. */
function unlikeLines(shown: string, actual: string, stand: Stand): string[] {
  const lines = actual.split('\n')
  return shown.split('\n').flatMap((line) => {
    if (line.trim() === '…') return []
    const index = lines.findIndex(
      (other) => unlikeText(line.trim(), other.trim(), new Map(stand), '').length === 0,
    )
    if (index === -1) return [`shown ${JSON.stringify(known(line, stand))}, is ${JSON.stringify(actual)}`]
    unlikeText(line.trim(), (lines[index] as string).trim(), stand, '')
    lines.splice(0, index + 1)
    return []
  })
}

function ended(child: ChildProcess): Promise<Output> {
  let [out, err] = ['', '']
  child.stdout?.on('data', (data: Buffer) => {
    out += data
  })
  child.stderr?.on('data', (data: Buffer) => {
    err += data
  })
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), patienceSeconds * 1000)
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, out, err })
    })
  })
}

function readEnvironment(file: string): NodeJS.ProcessEnv {
  const entries = readFileSync(file, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(
    entries.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )
}
