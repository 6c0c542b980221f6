// The command exam: the grades of programs with one fault each, of the examples and of the WooCommerce plugin.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { verifyCallback } from '@comporta/sdk'
import { Check } from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { believedIn } from '../../client/exam/state.ts'
import { signatureHeaders } from '../../src/callbacks/sending/signature.ts'
import { clientCommands } from '../../src/cli/commands/client-commands.ts'
import { instant } from '../../src/kernel/time.ts'
import { freePort } from '../free-port.ts'
import { openWorld } from '../gateway-here.ts'
import { findPhp } from '../woocommerce/php-shop.ts'
import { startShopWorld } from '../woocommerce/shop-world.ts'
import type { Json, World } from '../world.ts'
import { type Ended, runHere } from './run-here.ts'

const root = join(import.meta.dirname, '../..')
const seed = 'graded'
const folder = mkdtempSync(join(tmpdir(), 'comporta-exam-'))

let world: World
let environment: Record<string, string>
beforeAll(async () => {
  world = await openWorld()
  await world.cli('merchant', 'set', '1000', '--self-events', 'on')
  environment = { DATA_DIR: world.dataDir }
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
  await world.stop()
})

const exam = (args: readonly string[], env = environment): Promise<Ended> => runHere(['exam', ...args], env)

interface Payment {
  status?: string
  amount?: number
  readonly refunds: Map<string, number>
}

/** A right program, with places at which a fault can replace a step. */
class Program {
  readonly payments = new Map<string, Payment>()
  readonly seen = new Set<string>()
  cursor = ''

  async answer(request: IncomingMessage): Promise<number> {
    const body = await textOf(request)
    if (!this.isGenuine(body, request.headers as Record<string, string>)) return 400
    return this.receive(JSON.parse(body), String(request.headers['webhook-id']))
  }

  isGenuine(body: string, headers: Record<string, string>): boolean {
    try {
      verifyCallback(body, headers, world.shop.callback_signing_secret)
      return true
    } catch {
      return false
    }
  }

  receive(callback: Json, _id: string): number {
    this.note(callback)
    return 200
  }

  note({
    type,
    operation_id: id,
    parent_operation_id: parent,
    operation_status: status,
    amount,
  }: Json): void {
    if (type === 'PAYMENT') this.pay(this.paymentOf(id), status, amount)
    if (type === 'REFUND' && status === 'COMPLETED') this.refund(this.paymentOf(parent), id, -amount)
  }

  pay(payment: Payment, status: string, amount: number): void {
    payment.amount = amount
    if (!['COMPLETED', 'FAIL', 'VOIDED'].includes(payment.status ?? '')) payment.status = status
  }

  refund(payment: Payment, id: string, amount: number): void {
    payment.refunds.set(id, amount)
  }

  paymentOf(id: string): Payment {
    const payment = this.payments.get(id) ?? { refunds: new Map() }
    this.payments.set(id, payment)
    return payment
  }

  async resync(): Promise<void> {
    for (let more = true; more; ) {
      const { body } = await world.shop.get(`/api/v2/events?after=${this.cursor}`)
      for (const event of body.events) this.note(event.body)
      this.cursor = body.next
      more = body.more
    }
  }

  state() {
    const operations = [...this.payments]
      .filter(([, { status }]) => status !== undefined)
      .map(([id, { status, amount, refunds }]) => {
        const refunded = [...refunds.values()].reduce((sum, one) => sum + one, 0)
        return [id, { status, amount, refunded }]
      })
    return { operations: Object.fromEntries(operations) }
  }
}

/** Starts the program, and examines it with `more` options, or with all that it supports. */
async function examined(program: Program, ...more: string[]): Promise<Ended> {
  const server: Server = createServer(async (request, response) => {
    if (request.url === '/resync') await program.resync()
    const isState = request.url === '/state' || request.url === '/resync'
    const status = isState ? 200 : await program.answer(request).catch(() => 500)
    response.writeHead(status).end(isState ? JSON.stringify(program.state()) : '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const options = more.map((word) => word.replace('PROGRAM', url))
    const drawnFrom = more.includes('--seed') ? [] : ['--seed', seed]
    return await exam(['--forward-to', `${url}/callbacks`, '--wait', '0', ...drawnFrom, ...options])
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const stateOnly = ['--state', 'PROGRAM/state']
const everything = [...stateOnly, '--resync', 'PROGRAM/resync']

const kindsOf = ({ json }: Ended) => [...new Set(json.mistakes.map(({ kind }: Json) => kind))].sort()

describe('comporta exam', () => {
  it('gives a right program an A, repeats its plan from the seed, and sets the callback address again', async () => {
    const setting = '/sandbox/api/merchants/1000/callback-url'
    const { body: before } = await world.request(setting)
    const first = await examined(new Program(), ...everything)
    expect([first.code, first.json]).toMatchObject([0, { grade: 'A', seed, mistakes: [], not_examined: [] }])
    const planOf = ({ json }: Ended) => json.deliveries.map(({ name, how }: Json) => `${name} ${how}`)
    expect(planOf(await examined(new Program(), ...everything))).toEqual(planOf(first))
    expect(planOf(await examined(new Program(), ...everything, '--seed', 'another'))).not.toEqual(
      planOf(first),
    )
    const hows = new Set(first.json.deliveries.map(({ how }: Json) => how))
    expect(hows).toEqual(new Set(['twice', 'at_once', 'cut', 'late', 'forged']))
    expect((await world.request(setting)).body).toEqual(before)
    expect(before.callback_url).toBe(world.receiver.url('/callbacks'))
  })

  it.each<[string, (program: Program) => void, string, string[]]>([
    [
      'checks no signature',
      (program) => {
        program.isGenuine = () => true
      },
      'F',
      ['forged', 'replayed'],
    ],
    [
      'checks the password and not the body',
      (program) => {
        const { callback_user: user, callback_secret: secret } = world.shop as Json
        const right = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
        program.isGenuine = (_, { authorization }) => authorization === right
      },
      'F',
      ['forged', 'replayed'],
    ],
    [
      'does not read the timestamp',
      (program) => {
        const isGenuine = program.isGenuine.bind(program)
        program.isGenuine = (body, headers) =>
          isGenuine(body, headers) || headers['webhook-signature'] === staleSignature(body, headers)
      },
      'C',
      ['replayed'],
    ],
    [
      'believes PENDING after COMPLETED',
      (program) => {
        program.pay = (payment, status, amount) => void Object.assign(payment, { status, amount })
      },
      'D',
      ['status'],
    ],
    [
      'adds each refund to a sum',
      (program) => {
        program.refund = ({ refunds }, _, amount) =>
          void refunds.set('all', (refunds.get('all') ?? 0) + amount)
      },
      'D',
      ['refunded'],
    ],
    [
      'knows no refund before its payment',
      (program) => {
        program.refund = ({ status, refunds }, id, amount) => {
          if (status !== undefined) refunds.set(id, amount)
        }
      },
      'D',
      ['refunded'],
    ],
    [
      'takes a refund for a payment',
      (program) => {
        const note = program.note.bind(program)
        program.note = (callback) =>
          note({
            ...callback,
            type: callback.type && 'PAYMENT',
            operation_id: callback.parent_operation_id ?? callback.operation_id,
          })
      },
      'D',
      ['amount', 'refunded'],
    ],
    [
      'never reads the events',
      (program) => {
        program.resync = async () => undefined
      },
      'D',
      ['missing', 'refunded', 'status'],
    ],
    [
      'refuses a callback that it has seen',
      (program) => {
        const receive = program.receive.bind(program)
        program.receive = (callback, id) => {
          if (program.seen.has(id)) return 409
          program.seen.add(id)
          receive(callback, id)
          return callback.operation_id === undefined ? 400 : 200
        }
      },
      'C',
      ['refused'],
    ],
  ])('grades a program that %s', async (_, break_, grade, kinds) => {
    const program = new Program()
    break_(program)
    const ended = await examined(program, ...everything)
    expect(ended.json.grade).toBe(grade)
    expect(kinds).toEqual(expect.arrayContaining(kindsOf(ended)))
    expect(kindsOf(ended)).not.toEqual([])
    expect(ended.code).toBe(1)
    for (const { reason, remedy, guide } of ended.json.mistakes) {
      expect([reason, remedy]).toEqual([expect.stringMatching(/\.$/), expect.stringMatching(/\.$/)])
      const [page = '', anchor = ''] = guide.split('#')
      const titles = readFileSync(join(root, page), 'utf8').match(/^#+ .*/gm) ?? []
      expect(titles.map((title) => title.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'))).toContain(
        anchor,
      )
    }
  })
})

describe('comporta exam without a state address', () => {
  it('reads JSON and CSV files, and judges answers alone without --state', async () => {
    const json = join(folder, 'state.json')
    const csv = join(folder, 'state.csv')
    const program = new Program()
    const receive = program.receive.bind(program)
    program.receive = (callback, id) => {
      const status = receive(callback, id)
      const { operations } = program.state()
      writeFileSync(json, JSON.stringify({ operations }))
      const rows = Object.entries<Json>(operations).map(([operation, { status, amount, refunded }]) =>
        [operation.toUpperCase(), status, amount.toFixed(2), refunded.toFixed(2)].join(';'),
      )
      writeFileSync(csv, ['id;status;amount;refunded', ...rows].join('\r\n'))
      return status
    }
    writeFileSync(json, '{ "operations": {} }')
    writeFileSync(csv, 'id,status,amount,refunded\n')
    const notExamined = ['Lost callbacks: give --resync.']
    for (const file of [json, csv]) {
      const { json } = await examined(program, '--state', file)
      expect(json).toMatchObject({ grade: 'B', mistakes: [], not_examined: notExamined })
    }
    const { json: alone } = await examined(program)
    expect(alone).toMatchObject({ grade: 'B', not_examined: ['Its state: give --state.', ...notExamined] })
    program.isGenuine = () => true
    expect((await examined(program)).json).toMatchObject({ grade: 'F' })
  })

  it('prints each mistake with its reason, its remedy and its guide', async () => {
    const program = new Program()
    program.refund = () => undefined
    const { text, said } = await examined(program, ...stateOnly, '--text')
    expect(said).toContain(`Repeat this examination with --seed ${seed}.`)
    expect(text).toMatch(
      /^Grade D: does not agree with the books\.\n\d+ payments, \d+ deliveries, 2 mistakes\./,
    )
    expect(text).toMatch(/refunded {2}[0-9a-f-]{36} {2}COMPLETED 10\.00, 3\.30 refunded +COMPLETED 10\.00\n/)
    expect(text).toMatch(
      /A refund is missing\. Its callbacks: payment\.completed .+\n {2}→ A refund is an operation/,
    )
    expect(text).toContain('  See docs/callbacks.md#rules-for-your-program\n')
  })

  it('examines no refunds whose callbacks are switched off, and says so', async () => {
    await world.cli('merchant', 'set', '1000', '--self-events', 'off')
    const { json } = await examined(new Program(), ...everything)
    await world.cli('merchant', 'set', '1000', '--self-events', 'on')
    expect(json).toMatchObject({
      mistakes: [],
      not_examined: expect.arrayContaining([
        'Refunds by the API: comporta merchant set <wallet> --self-events on.',
      ]),
    })
  })

  it('examines any sandbox by address and key, and sets its callback address again after a failure', async () => {
    const { COMPORTA_URL, COMPORTA_API_KEY } = {
      COMPORTA_URL: world.baseUrl,
      COMPORTA_API_KEY: world.shop.api_key,
    }
    const buy = ['--buy', world.receiver.url('/shop')]
    const ended = await exam(['--forward-to', world.receiver.url('/exam'), ...buy, '--text'], {
      ...{ DATA_DIR: '/nowhere', COMPORTA_URL, COMPORTA_API_KEY },
    })
    expect([ended.code, ended.said]).toEqual([1, expect.stringContaining('must redirect to a checkout')])
    const { body } = await world.request('/sandbox/api/merchants/1000/callback-url')
    expect(body.callback_url).toBe(world.receiver.url('/callbacks'))
  })

  it.each([
    [[], 2, '--forward-to takes the address of your program'],
    [['--forward-to', '3000', '--seed', 'a b'], 2, '--seed takes up to 40 letters and digits'],
    [['--forward-to', '3000', '--buy', '/pay'], 2, '--buy takes an http address'],
    [['--forward-to', '3000', '--wait', '601'], 2, '--wait takes a number from 0 to 600'],
    [['--forward-to', '3000', '--state', '/no/file'], 1, 'cannot be read at /no/file: ENOENT'],
    [['--forward-to', '3000', '--state', import.meta.filename], 1, 'neither JSON nor CSV'],
    [['--forward-to', '3000', '--key', 'cmp_live_AAAAAAAA_x'], 1, 'exam works in a sandbox only'],
  ])('%j is refused in words', async (args, code, words) => {
    const ended = await exam([...args, '--text'])
    expect([ended.code, ended.said]).toEqual([code, expect.stringContaining(words)])
  })
})

const guide = readFileSync(join(root, 'docs/callback-examination.md'), 'utf8')
const gradeInGuide = (name: string) => new RegExp(`^\\| ${name}[^|]*\\| ([A-F]) `, 'm').exec(guide)?.[1]

it('is described by the guide, whose samples it reads', () => {
  const blocks = [...guide.matchAll(/^```(json|csv) no-test\n([\s\S]*?)^```$/gm)].map(
    ([, , text = '']) => text,
  )
  const [sample = '', schema = '', csv = ''] = blocks
  const beliefs = believedIn(sample, 'sample')
  expect([...beliefs.values()]).toEqual([
    { status: 'COMPLETED', amount: 1250n, refunded: 330n },
    { status: 'FAIL', amount: 1250n, refunded: 0n },
  ])
  const [first] = beliefs
  expect([...believedIn(csv, 'sample')]).toEqual([first])
  const isValid = (value: unknown) => Check(JSON.parse(schema), value)
  expect([isValid(JSON.parse(sample)), isValid({ operations: { id: { status: 'FAIL' } } })]).toEqual([
    true,
    false,
  ])
  const options = [...guide.matchAll(/^\| `--([a-z-]+)`/gm)].map(([, name]) => name)
  const command = clientCommands.find(({ name }) => name === 'exam')
  const own = Object.keys(command?.options ?? {}).filter((name) => !['url', 'key', 'merchant'].includes(name))
  expect(options.sort()).toEqual([...own, 'json'].sort())
})

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    process.stderr.write(`\nSKIPPED, and so NOT SHOWN: the grade of the example that needs ${command}\n\n`)
    return false
  }
}

describe('the examples', () => {
  it.each([
    ['checkout-node', process.execPath, () => ['checkout.mjs'], '/pay'],
    ['checkout-php', 'php', (port: number) => ['-S', `localhost:${port}`, 'checkout.php'], '/pay'],
    ['checkout-python', 'python3', () => ['checkout.py'], '/pay'],
    ['shop', process.execPath, () => ['main.ts'], '/checkouts?tshirt=1&mug=1'],
  ])('%s has the grade that the guide shows', async (name, command, args, buy) => {
    if (!isInstalled(command)) return
    const port = await freePort()
    const url = `http://localhost:${port}`
    const { api_key, callback_signing_secret, esb_token, public_id, wallet_id } = world.shop
    const source = join(root, 'examples', name)
    // The PHP example writes into its own folder.
    const cwd = name === 'shop' ? source : join(folder, name)
    if (cwd !== source) cpSync(source, cwd, { recursive: true })
    const program: ChildProcess = spawn(command, args(port), {
      cwd,
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        COMPORTA_URL: world.baseUrl,
        COMPORTA_API_KEY: api_key,
        COMPORTA_SIGNING_SECRET: callback_signing_secret,
        COMPORTA_ESB_TOKEN: esb_token,
        COMPORTA_PUBLIC_ID: public_id,
        COMPORTA_WALLET_ID: String(wallet_id),
      },
      stdio: 'ignore',
    })
    try {
      await world.eventually(() =>
        fetch(`${url}/state`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      const at = ['--state', `${url}/state`, '--resync', `${url}/resync`, '--buy', url + buy]
      for (const drawnFrom of [seed, 'another']) {
        const { json } = await exam(['--forward-to', `${url}/callbacks`, ...at, '--seed', drawnFrom])
        expect(json).toMatchObject({ mistakes: [], not_examined: [], payments: 4 })
        expect(json.grade).toBe(gradeInGuide(name))
      }
    } finally {
      program.kill('SIGTERM')
      await once(program, 'exit')
    }
  })
})

const php = findPhp()

it.runIf(php !== undefined)('the WooCommerce plugin has the grade that the guide shows', async () => {
  const { shop, world: there, stop } = await startShopWorld(php ?? '')
  try {
    const at = ['--state', 'state', '--resync', 'resync', '--buy', 'buy'].map((word) =>
      word.startsWith('--') ? word : `${shop.origin}/act/${word}`,
    )
    const target = ['--forward-to', `${shop.origin}/wc-api/comporta_callback/`]
    const { json } = await exam([...target, ...at, '--seed', seed], { DATA_DIR: there.dataDir })
    expect(json).toMatchObject({ mistakes: [], not_examined: [], payments: 4 })
    expect(json.grade).toBe(gradeInGuide('WooCommerce'))
  } finally {
    await stop()
  }
})

/** The signature of a program that checks everything but the time. */
function staleSignature(body: string, headers: Record<string, string>): string {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '' } = headers
  const secrets = { signingSecrets: [world.shop.callback_signing_secret] }
  return signatureHeaders(id, instant(Number(time) * 1000), body, secrets)['webhook-signature']
}
