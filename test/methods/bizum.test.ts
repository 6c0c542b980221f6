// A method is one folder: BIZUM, added by docs/inside/adding-a-method.md.
import { execFile } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, submit } from '../browserless.ts'
import type { EndedCommand } from '../command-here.ts'
import { type GatewayOptions, type GatewayProcess, startGatewayProcess } from '../gateway-process.ts'
import { type Money, moneyOf } from '../money.ts'
import { signIn } from '../people.ts'
import { type Json, startWorld, type World } from '../world.ts'
import { type Customer, describeMethod } from './contract.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const linesMax = 300
const guide = readFileSync(join(root, 'docs/inside/adding-a-method.md'), 'utf8')
const phone = '+351912345678'
let copy: string

function addLine(file: string, imported: string, before: string, entry: string): void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  for (const step of [imported, entry.replace(/^[\s,]+|[\s,]+$/g, '')])
    if (!guide.includes(step)) throw new Error(`the guide does not say: ${step}`)
  if (text.split(before).length !== 2) throw new Error(`${file} has no place ${before}`)
  const [comment = '', ...rest] = text.replace(before, () => `${entry}${before}`).split('\n')
  writeFileSync(path, [comment, imported, ...rest].join('\n'))
}

beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'comporta-bizum-'))
  for (const part of [
    'src',
    'client',
    'sandbox',
    'drivers',
    'examples',
    'sdk',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  for (const part of ['node_modules', 'dist']) symlinkSync(join(root, part), join(copy, part))
  mkdirSync(join(copy, 'sandbox/bizum'))
  cpSync(join(root, 'test/methods/bizum'), join(copy, 'src/methods/bizum'), { recursive: true })
  cpSync(join(root, 'test/methods/bizum/player.ts'), join(copy, 'sandbox/bizum/player.ts'))
  rmSync(join(copy, 'src/methods/bizum/player.ts'))
  addLine('src/methods/list.ts', "import { bizum } from './bizum/facts.ts'", '] as const\n', ', bizum')
  addLine(
    'src/compose/selling.ts',
    "import { createBizum } from '../methods/bizum/index.ts'",
    '    transfers,\n  )',
    '    createBizum({ ...shared, rail: drivers.onlineWallets?.BIZUM ?? drivers.onlineWallet }),\n',
  )
  addLine('sandbox/players.ts', "import { playBizum } from './bizum/player.ts'", ']\n', ', playBizum')
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function open(): Promise<World> {
  return startWorld('postgres', {}, undefined, async (options: GatewayOptions): Promise<GatewayProcess> => {
    const nodeArguments = ['--liftoff-only', 'src/cli.ts', 'serve']
    const gateway = await startGatewayProcess({ ...options, folder: copy, nodeArguments })
    const { dataDir, databaseUrl, port } = options
    const settings = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, PORT: String(port), LOG_LEVEL: 'warn' }
    const env = { PATH: process.env.PATH, ...settings }
    const cli = (args: readonly string[]): Promise<EndedCommand> =>
      run(process.execPath, ['src/cli.ts', ...args], { cwd: copy, env }).then(
        ({ stdout }) => ({ code: 0, text: stdout }),
        ({ code, stdout }) => ({ code, text: stdout }),
      )
    return { ...gateway, cli }
  })
}

async function choose(world: World, money: Money, checkout: Json): Promise<Customer> {
  await money.pay(checkout, 'bizum', { phone })
  const decide = (answer: string) =>
    world.request(`/sandbox/api/bizum/${checkout.payment.id}/${answer}`, post)
  return { approve: () => decide('approve'), refuse: () => decide('cancel') }
}
const post = { method: 'POST' }

it(`its folder has at most ${linesMax} lines, and the types accept it`, async () => {
  const files = globSync('test/methods/bizum/*', { cwd: root })
  const lines = files.map((file) => readFileSync(join(root, file), 'utf8').split('\n').length - 1)
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(linesMax)
  const settings = { extends: './tsconfig.json', include: ['src', 'sandbox'], exclude: ['**/*.test.ts'] }
  writeFileSync(join(copy, 'tsconfig.copy.json'), JSON.stringify(settings))
  const compiler = join(root, 'node_modules/.bin/tsc')
  const { stdout } = await run(compiler, ['--noEmit', '-p', 'tsconfig.copy.json'], { cwd: copy }).catch(
    (error) => error,
  )
  expect(stdout).toBe('')
})

describeMethod(
  {
    code: 'BIZUM',
    choose,
    payingDeaths: [
      'attempt opened, rail not asked',
      'rail answered, nothing written',
      'settled, its attempt still open',
    ],
    refundDeaths: ['rail answered, nothing written'],
  },
  open,
)

describe('BIZUM appears in all places of methods:', () => {
  let world: World
  let money: Money
  beforeAll(async () => {
    world = await open()
    money = moneyOf(world)
  })
  afterAll(async () => {
    expect((await world.cli('audit')).json).toMatchObject({ ok: true, problems: [] })
    await world.stop()
  })
  const answer = (id: string, word: string) => world.request(`/sandbox/api/bizum/${id}/${word}`, post)

  it('on the page, which leads to the bank and back', async () => {
    const bank = await money.pay(await world.createCheckout(), 'bizum', { phone })
    expect(bank.url).toContain('/sandbox/bizum/')
    const [form] = bank.forms
    if (form === undefined) throw new Error(bank.text)
    expect((await submit(bank, form, { answer: 'approve' })).text).toContain('Payment made')
  })

  it('in the payment API: paid, refused, or a wrong request', async () => {
    const asked = { method: 'bizum', type: 'PAYMENT', amount: 12, currency: 'EUR', bizum: { phone } }
    const [paid, refused] = [
      (await world.shop.post('/api/v2/payment', asked)).body,
      (await world.shop.post('/api/v2/payment', asked)).body,
    ]
    expect(paid).toMatchObject({ status: 'PENDING', method: 'BIZUM', amount: 12, client: { phone } })
    await answer(paid.id, 'approve')
    await answer(refused.id, 'cancel')
    await world.eventually(async () => (await world.operation(paid.id)).status === 'COMPLETED')
    await world.eventually(async () => (await world.operation(refused.id)).status === 'FAIL')
    expect((await world.shop.post('/api/v2/payment', { ...asked, bizum: {} })).body).toMatchObject({
      code: 10001,
    })
    expect((await world.shop.post('/api/v2/payment', { ...asked, type: 'AUTH' })).body).toMatchObject({
      code: 10002,
    })
    const given = await world.shop.post(`/api/v2/operations/${paid.id}/refund`, { amount: 5 })
    expect(given.body).toMatchObject({ status: 'COMPLETED', amount: -5 })
  })

  it('behind a payment link', async () => {
    const link = (
      await world.shop.post('/api/v2/payment_links', { amount: 8, description: 'Lamp', methods: ['BIZUM'] })
    ).body
    const page = await openPage(link.url)
    const form = page.forms.find(({ action }) => action.includes('/l/'))
    if (form === undefined) throw new Error(page.text)
    const checkout = await submit(page, form)
    const bank = await money.pay({ url_redirect: checkout.url }, 'bizum', { phone })
    const [bankForm] = bank.forms
    if (bankForm === undefined) throw new Error(bank.text)
    expect((await submit(bank, bankForm, { answer: 'approve' })).text).toContain('Payment made')
  })

  it('in lists, the statement, the backoffice, and the API reference', async () => {
    const { elements } = (await world.shop.get('/api/v2/operations?method=BIZUM&type=PAYMENT')).body
    expect(elements.length).toBeGreaterThan(2)
    const statement = (await world.shop.get('/api/v2/statement')).body
    expect(statement.payments.BIZUM).toBeGreaterThan(0)
    const owner = await signIn(world, 'owner@demo.example')
    expect(owner.session.methods.map(({ code }: Json) => code)).toContain('BIZUM')
    expect((await owner.get(`/wallets/${world.shop.wallet_id}/payments?method=BIZUM`)).text).toContain(
      elements[0].id,
    )
    expect((await world.request('/openapi.json')).text).toContain('BIZUM')
  })
})
