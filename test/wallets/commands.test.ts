// The comporta command: every command in both forms of answer, and every wrong command line with its words.
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditReport } from '../../src/audits/index.ts'
import { createActionLog } from '../../src/backoffice/access/action-log.ts'
import { runCommand } from '../../src/cli/commands/commands.ts'
import type { CommandContext } from '../../src/cli/context.ts'
import { serveControlSocket } from '../../src/cli/control-socket.ts'
import { type CliDeps, runCli } from '../../src/cli/run.ts'
import { programVersion } from '../../src/kernel/project-root.ts'
import { systemRandomness } from '../../src/kernel/random.ts'
import { ok, refuse } from '../../src/kernel/result.ts'
import { instant } from '../../src/kernel/time.ts'
import { permissions } from '../../src/kernel/values/permissions.ts'
import { openWalletsWorld, type WalletsWorld } from './world.ts'

let world: WalletsWorld
let context: CommandContext
let dataDir: string
let report: AuditReport
/** Filters of the list of callbacks. */
let asks: unknown[]

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'comporta-cli-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

beforeEach(async () => {
  world = await openWalletsWorld('pglite')
  asks = []
  report = { ok: true, checks: { journals_balance: 3 }, problems: [] }
  context = {
    wallets: world.wallets,
    // No command in this list needs people.
    people: undefined as never,
    log: createActionLog({ ...world, random: systemRandomness }),
    callbacks: {
      list: async (asked) => {
        asks.push(asked)
        return []
      },
      resend: async () => refuse('not_found', 'event x does not exist'),
      resendFailed: async () => ({ resent: 2, more: false }),
    },
    audit: async () => report,
    ...{ totals: undefined as never, backlogs: undefined as never },
    migrate: async () => ['0001-baseline'],
    cell: { read: async () => 0, set: async () => ({ ok: true, value: undefined }) },
    vault: {
      rotate: async () => ({ ok: false, refusal: 'the master key file is gone' }),
      status: async () => ({ current: 1, versions: [] }),
    },
    // No command in this list needs money.
    payouts: undefined as never,
    transfers: undefined as never,
    ...{ bank: undefined as never, suspense: undefined as never, chain: undefined as never },
    reconciliation: undefined as never,
    demo: () =>
      world.wallets.createDemoWorld({
        dataDir,
        baseUrl: 'http://127.0.0.1:8080',
        authScheme: 'Comporta',
        makeUsers: async () => [],
        fundConsumer: async () => undefined,
      }),
    clock: {
      now: () => instant(0),
      move: async (by) =>
        'set' in by && by.set === 'soon'
          ? refuse('invalid_parameter', 'set must be an ISO 8601 moment')
          : ok({ now: instant(86_400_000), ran: { deliveries: 2 } }),
    },
  }
})

async function run(...args: string[]) {
  const result = await runCommand(context, args)
  // biome-ignore lint/suspicious/noExplicitAny: each command answers JSON of its own
  return { ...result, json: result.json as any }
}

async function newMerchant(...options: string[]) {
  const { json } = await run(
    'merchant',
    'create',
    '--name',
    'Shop',
    '--email',
    'shop@example.com',
    ...options,
  )
  return json
}

describe('merchant', () => {
  it('create shows the secrets once', async () => {
    const created = await newMerchant('--rights', 'partner,pci_dss', '--store', 'Porto', '--store', 'Lisboa')
    expect(created).toMatchObject({
      wallet_id: 1000,
      name: 'Shop',
      rights: ['partner', 'pci_dss'],
      methods: ['CC', 'MB', 'MBWAY'],
      fees: { CC: '1%+0.15', MB: '0.50', MB_INSTANT: '0.70', MBWAY: '1.5%', BANK: '0.00' },
      split_fee_fixed: '0.00',
      split_fee_variable: '0.0000',
      callback_url: null,
      self_events: false,
      stores: [expect.any(Number), expect.any(Number)],
      callback_secret: expect.stringMatching(/^[0-9A-Za-z]{40}$/),
      callback_signing_secret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{32}$/),
      signs_with_callback_secret: false,
      esb_token: expect.any(String),
    })
    const { json } = await run('merchant', 'list')
    expect(json.merchants).toHaveLength(1)
    expect(JSON.stringify(json)).not.toContain(created.callback_secret)
    expect(JSON.stringify(json)).not.toContain(created.callback_signing_secret)
    expect(JSON.stringify(json)).not.toContain(created.esb_token)
  })

  it('create shows people the next step', async () => {
    const { text } = await run('merchant', 'create', '--name=Shop', '--email=shop@example.com')
    expect(text).toContain('Next: comporta key create 1000')
    expect(text).toContain('Secrets are shown only now')
  })

  it('set changes what is named, by number or public id', async () => {
    const { wallet_id, public_id, callback_secret, callback_signing_secret } = await newMerchant()
    const changed = await run(
      'merchant', 'set', String(wallet_id),
      '--name', 'Loja', '--callback-url', 'http://localhost:3000/callback', '--methods', 'mb,cc', '--rights=marketplace',
      '--fee', 'CC=1.5%+0.10', '--fee', 'mb_instant=0.99', '--split-fee-fixed', '0.3', '--split-fee-variable', '0.025',
      '--self-events', 'on', '--iban', 'PT50 0002 0123 1234 5678 9015 4',
    ) // biome-ignore format: one option after another
    expect(changed.exitCode).toBe(0)
    expect(changed.json).toMatchObject({
      name: 'Loja',
      email: 'shop@example.com',
      callback_url: 'http://localhost:3000/callback',
      methods: ['CC', 'MB'],
      rights: ['marketplace'],
      fees: { CC: '1.5%+0.10', MB_INSTANT: '0.99', MB: '0.50' },
      split_fee_fixed: '0.30',
      split_fee_variable: '0.0250',
      self_events: true,
      iban: 'PT50000201231234567890154',
    })
    expect(changed.json).not.toHaveProperty('callback_secret')

    const cleared = await run(
      'merchant',
      'set',
      public_id,
      '--callback-url',
      'none',
      '--rights',
      'none',
      '--fee',
      'CC=default',
    )
    expect(cleared.json).toMatchObject({
      callback_url: null,
      rights: [],
      fees: { CC: '1%+0.15', MB_INSTANT: '0.99' },
    })

    const rotated = await run('merchant', 'set', public_id, '--rotate-callback-secret', '--rotate-esb-token')
    expect(rotated.json.callback_secret).not.toBe(callback_secret)
    expect(rotated.json.esb_token).toMatch(/^[0-9A-Za-z]{40}$/)
    expect(rotated.json).not.toHaveProperty('callback_signing_secret')
    const resigned = await run('merchant', 'set', public_id, '--rotate-callback-signing-secret')
    expect(resigned.json.callback_signing_secret).toMatch(/^whsec_/)
    expect(resigned.json.callback_signing_secret).not.toBe(callback_signing_secret)
    expect(resigned.json).not.toHaveProperty('callback_secret')
  })
})

describe('key', () => {
  it('create shows the key once, list without it, revoke ends it', async () => {
    const { wallet_id } = await newMerchant()
    const { json: key } = await run('key', 'create', String(wallet_id), '--permissions', 'checkout,MB_PAY')
    expect(key).toEqual({
      id: expect.any(String),
      wallet_id,
      api_key: expect.any(String),
      name: null,
      permissions: ['checkout', 'mb_pay'],
    })
    expect(await world.wallets.authenticate.byApiKey(key.api_key)).toMatchObject({ ok: true })

    const listed = await run('key', 'list', String(wallet_id))
    expect(listed.json.keys).toMatchObject([
      { id: key.id, permissions: ['checkout', 'mb_pay'], revoked: null },
    ])
    expect(JSON.stringify(listed)).not.toContain(key.api_key)
    expect((await run('key', 'list')).json).toEqual(listed.json)

    expect(await run('key', 'revoke', key.id)).toMatchObject({
      exitCode: 0,
      json: { id: key.id, revoked: true },
    })
    expect(await world.wallets.authenticate.byApiKey(key.api_key)).toMatchObject({ ok: false })
    expect((await run('key', 'list')).json.keys).toMatchObject([
      { revoked: expect.stringMatching(/^\d{4}-/) },
    ])
  })

  it('create gives a key the name that people call it by', async () => {
    const { wallet_id } = await newMerchant()
    const { json: key } = await run('key', 'create', String(wallet_id), '--name', ' Webshop in Porto ')
    expect(key).toMatchObject({ name: 'Webshop in Porto' })
    expect((await run('key', 'list')).json.keys).toMatchObject([
      { name: 'Webshop in Porto', last_used_on: null },
    ])
    const unnamed = await run('key', 'create', String(wallet_id), '--name', ' ')
    expect(unnamed).toMatchObject({
      exitCode: 1,
      json: { error: { reason: expect.stringContaining('name must have') } },
    })
  })

  it('create gives the usual permissions, or all', async () => {
    const { wallet_id } = await newMerchant()
    const usual = ['checkout', 'operations', 'refund', 'authorizations', 'subscriptions', 'callbacks']
    expect((await run('key', 'create', String(wallet_id))).json.permissions).toEqual(usual)
    expect((await run('key', 'create', String(wallet_id), '--permissions', 'all')).json.permissions).toEqual(
      permissions,
    )
  })
})

describe('the gateway', () => {
  it('shows and moves its time', async () => {
    expect((await run('clock')).json).toEqual({ now: '1970-01-01T00:00:00.000Z' })
    const moved = await run('clock', '--advance', 'P1D')
    expect(moved).toMatchObject({
      json: { now: '1970-01-02T00:00:00.000Z', ran: { deliveries: 2 } },
      exitCode: 0,
    })
    expect(moved.text).toContain('deliveries: 2')
    expect(await run('clock', '--set', 'soon')).toMatchObject({
      exitCode: 1,
      text: 'set must be an ISO 8601 moment',
    })
  })

  it('audits its books, and exits 1 when they are wrong', async () => {
    expect(await run('audit')).toMatchObject({
      exitCode: 0,
      json: { ok: true, checks: { journals_balance: 3 }, problems: [] },
    })
    report = {
      ok: false,
      checks: {},
      problems: [{ check: 'journals_balance', subject: 'j1', detail: 'sum to 1 cents' }],
    }
    const wrong = await run('audit')
    expect(wrong).toMatchObject({ exitCode: 1, json: report })
    expect(wrong.text).toContain('journals_balance: j1: sum to 1 cents')
  })

  it('migrates, and shows the demo world', async () => {
    expect(await run('migrate')).toMatchObject({
      json: { applied: ['0001-baseline'] },
      text: 'Applied 0001-baseline.',
    })
    const demo = await run('demo')
    expect(demo.json).toMatchObject({ base_url: 'http://127.0.0.1:8080', auth_scheme: 'Comporta' })
    expect(demo.text).toContain('curl -s')
  })

  it('has no demo world and no clock of its own in production', async () => {
    const { demo: _demo, clock: _clock, ...production } = context
    context = production
    for (const command of ['demo', 'clock']) {
      expect(await run(command)).toMatchObject({
        exitCode: 1,
        text: expect.stringContaining('sandbox mode only'),
      })
    }
  })
})

describe('a wrong command line', () => {
  it.each<[string, number, string]>([
    [
      'merchants',
      2,
      'unknown command "merchants"; did you mean merchant? comporta --help shows all commands',
    ],
    ['merchants list', 2, 'unknown command "merchants"; did you mean merchant list? comporta --help shows'],
    ['aduit --json', 2, 'unknown command "aduit"; did you mean audit? comporta --help shows all commands'],
    ['refund', 2, 'unknown command "refund"; comporta --help shows all commands'],
    [
      'merchant sett 1000',
      2,
      '"merchant sett"; did you mean merchant set? comporta merchant --help shows all',
    ],
    ['--hepl', 2, 'unknown option --hepl; did you mean --help? a command comes first: comporta --help'],
    [
      'merchant set 1000 --callbackurl x',
      2,
      'did you mean --callback-url? comporta merchant set --help shows',
    ],
    ['merchant', 2, 'merchant needs one of merchant create, merchant list, merchant set'],
    ['merchant drop 1000', 2, 'unknown command "merchant drop"; there are merchant create'],
    ['serve now', 2, 'serve does not take "now"'],
    ['audit --yaml', 2, 'unknown option --yaml; audit takes --since, --wallet, --json, --help, --version'],
    ['audit -x', 2, 'unknown option -x; audit takes'],
    ['audit --json --json', 2, '--json was given twice'],
    ['audit --json=yes', 2, "Option '--json' does not take an argument; audit takes --since"],
    ['clock --advance', 2, "Option '--advance <value>' argument missing; clock takes --advance, --set"],
    ['clock --advance P1D --set 2030-01-01', 2, 'clock takes --advance or --set, not both'],
    ['key create', 2, 'key create needs <wallet>: comporta key create <wallet> [options]'],
    ['key create 1000 1001', 2, 'key create does not take "1001"'],
    ['key create 999', 2, 'there is no merchant "999"'],
    ['key create 99999999999999999999999', 2, 'there is no merchant'],
    ['key create 1000 --permissions admin', 2, '--permissions takes a comma list of checkout, operations'],
    ['key revoke unknown1', 1, 'there is no API key with this id'],
    ['merchant create --name X', 2, 'merchant create needs --name and --email'],
    ['merchant create --name X --email none', 1, 'email must be an address'],
    ['merchant set 1000', 2, 'merchant set changes nothing: give one of --name, --email'],
    ['merchant set 1000 --callback-url shop', 1, 'callback_url must be an absolute http or https address'],
    ['merchant set 1000 --methods VISA', 2, '--methods takes a comma list of CC, MB, MBWAY'],
    ['merchant set 1000 --rights root', 2, '--rights takes a comma list of partner, pci_dss, marketplace'],
    ['merchant set 1000 --fee 1%', 2, '--fee takes METHOD=RATE, METHOD one of CC, MB, MB_INSTANT'],
    ['merchant set 1000 --fee CC=cheap', 2, '--fee: a fee is written 1.5%, 0.30 or 1%+0.15'],
    ['merchant set 1000 --split-fee-fixed 0.305', 2, '--split-fee-fixed takes euros such as 0.30'],
    ['merchant set 1000 --split-fee-variable 1.1', 2, '--split-fee-variable takes a part from 0 to 1'],
    ['merchant set 1000 --self-events yes', 2, '--self-events takes on or off'],
    ['merchant set 1000 --name A --name B', 2, '--name was given twice'],
    ['merchant set 1000 --iban PT50', 1, 'iban must be a valid IBAN'],
    [
      'merchant set 1000 --iban TR330006100519786457841326',
      1,
      'iban must be of an account in a SEPA country: Türkiye (TR) is not one',
    ],
    ['merchant set 1000 --secure-field-origins https://a.example/x', 1, 'secure_field_origins holds origins'],
  ])('%s exits %i', async (line, exitCode, words) => {
    await newMerchant()
    const result = await run(...line.split(' '))
    expect(result.text).toContain(words)
    expect(result).toMatchObject({ exitCode, json: { error: { reason: result.text } } })
    expect((await run('merchant', 'list')).json.merchants).toMatchObject([
      { name: 'Shop', callback_url: null },
    ])
  })

  it('is distinguished from a question for help', async () => {
    for (const line of [
      '',
      '--help',
      'help',
      '-h',
      'merchant --help',
      'merchant -h',
      'merchant set -h',
      'help merchant set',
      'help merchant',
      '--help audit',
      'merchant set --help',
      'serve --help',
      'key create --help',
    ]) {
      const { exitCode, text } = await run(...line.split(' ').filter((word) => word !== ''))
      expect(exitCode, line).toBe(0)
      expect(text, line).toContain('Usage: comporta')
    }
    expect((await run('merchant', 'set', '--help')).text).toContain('--rotate-callback-secret')
    expect((await run('help', 'merchant', 'set')).text).toContain('--rotate-callback-secret')
  })

  it('is distinguished from a question for the version', async () => {
    for (const line of [
      '--version',
      'version',
      'merchant --version',
      'merchant set --version',
      'serve --version',
    ]) {
      const { exitCode, text, json } = await run(...line.split(' '))
      expect({ exitCode, text, json }, line).toEqual({
        exitCode: 0,
        text: programVersion(),
        json: { version: programVersion() },
      })
    }
  })
})

describe('callbacks', () => {
  const id = '01991234-5678-7000-8000-000000000000'

  it('list asks for failed callbacks of all or of one merchant, or for other states', async () => {
    const { wallet_id } = await newMerchant()
    expect(await run('callbacks', 'list')).toMatchObject({
      json: { callbacks: [] },
      text: 'There are no such callbacks.',
    })
    await run('callbacks', 'list', String(wallet_id), '--state', 'due,verified', '--limit', '7')
    expect(asks).toEqual([
      { walletId: undefined, states: ['GIVEN_UP', 'DUE'], attemptsMin: 1, limit: 50 },
      { walletId: BigInt(wallet_id), states: ['DUE', 'VERIFIED'], attemptsMin: 0, limit: 7 },
    ])
  })

  it('resend takes one event, or all that failed', async () => {
    const wallet = String((await newMerchant()).wallet_id)
    expect(await run('callbacks', 'resend', wallet, '--failed')).toMatchObject({ json: { resent: 2 } })
    expect(await run('callbacks', 'resend', wallet, id)).toMatchObject({
      exitCode: 1,
      json: { error: { kind: 'not_found' } },
    })
  })

  it.each([
    [['list', '7'], 'there is no merchant "7"'],
    [['list', '--limit', '0'], '--limit takes a number from 1 to 1000'],
    [['list', '--state', 'lost'], '--state takes a comma list of DUE'],
    [['resend', '1000'], 'takes an event id of callbacks list, or --failed'],
    [['resend', '1000', id, '--failed'], 'takes an event id of callbacks list, or --failed'],
    [['resend', '1000', 'x'], 'an event id is a UUID, not "x"'],
  ])('%j is not understood', async (args, words) => {
    await newMerchant()
    const { exitCode, text } = await run('callbacks', ...args)
    expect(exitCode).toBe(2)
    expect(text).toContain(words)
  })
})

describe('the place where a command runs', () => {
  interface Config {
    readonly databaseUrl?: string | undefined
    readonly dataDir: string
    readonly masterKeyFile: string
    readonly generatesMasterKey: boolean
  }
  let said: { out: string[]; err: string[] }
  let opened: number

  const deps = (
    place: Pick<Config, 'dataDir' | 'databaseUrl'> & Partial<Config>,
    problems?: string[],
  ): CliDeps<Config> => ({
    env: {},
    loadConfig: () =>
      problems === undefined
        ? ok({ masterKeyFile: join(place.dataDir, 'master.key'), generatesMasterKey: false, ...place })
        : { ok: false, refusal: problems },
    openContext: async () => {
      opened += 1
      return { context, close: async () => undefined }
    },
    serve: async () => 7,
    out: (text) => said.out.push(text),
    err: (text) => said.err.push(text),
    untilStopped: () => new AbortController().signal,
  })

  beforeEach(() => {
    said = { out: [], err: [] }
    opened = 0
    mkdirSync(join(dataDir, 'database'), { recursive: true })
  })

  it('is nowhere without a database or its key, and the answer says where they were looked for', async () => {
    const empty = join(dataDir, 'empty')
    expect(await runCli(['audit'], deps({ dataDir: empty }))).toBe(1)
    expect(said.err.join()).toContain(`there is no database in ${empty}: set DATA_DIR`)
    const other = deps({ dataDir: empty, databaseUrl: 'postgres://x', generatesMasterKey: true })
    expect(await runCli(['merchant', 'set', '1000', '--name', 'Loja', '--json'], other)).toBe(1)
    expect(JSON.parse(said.out.join())).toMatchObject({ error: { kind: 'no_database' } })
    expect(said.out.join()).toContain(`there is no master key ${join(empty, 'master.key')}`)
    expect(opened).toBe(0)
    expect(existsSync(empty)).toBe(false)
    for (const command of ['migrate', 'demo'])
      expect(await runCli([command], deps({ dataDir: empty }))).toBe(0)
    expect(opened).toBe(2)
  })

  it('is here when no gateway runs, or the database is PostgreSQL', async () => {
    expect(await runCli(['merchant', 'list', '--json'], deps({ dataDir }))).toBe(0)
    expect(JSON.parse(said.out.join())).toEqual({ merchants: [] })
    const gateway = await serveControlSocket({
      dataDir,
      runCommand: async () => ({ json: null, text: 'from the gateway', exitCode: 0 }),
      onError: () => undefined,
    })
    expect(await runCli(['merchant', 'list'], deps({ dataDir, databaseUrl: 'postgres://x' }))).toBe(0)
    await gateway.close()
    expect(opened).toBe(2)
    expect(said.out.join()).not.toContain('from the gateway')
  })

  it('is the gateway that has the embedded database open', async () => {
    const gateway = await serveControlSocket({
      dataDir,
      runCommand: (args) => runCommand(context, args),
      onError: () => undefined,
    })
    expect(
      await runCli(
        ['merchant', 'create', '--name', 'Shop', '--email', 'a@b.pt', '--json'],
        deps({ dataDir }),
      ),
    ).toBe(0)
    expect(JSON.parse(said.out.join())).toMatchObject({ wallet_id: 1000 })
    report = { ok: false, checks: {}, problems: [] }
    expect(await runCli(['audit'], deps({ dataDir }))).toBe(1)
    expect(opened).toBe(0)
    await gateway.close()
  })

  it('is nowhere for a wrong command line or environment', async () => {
    expect(await runCli(['audit', '--yaml'], deps({ dataDir }))).toBe(2)
    expect(said.err.join()).toContain('unknown option --yaml')
    expect(await runCli(['nothing', '--json'], deps({ dataDir }))).toBe(2)
    expect(JSON.parse(said.out.join())).toMatchObject({ error: { kind: 'usage' } })
    expect(await runCli(['audit'], deps({ dataDir }, ['PORT must be a number', 'MODE must be a word']))).toBe(
      1,
    )
    expect(said.err.at(-1)).toBe('PORT must be a number\nMODE must be a word')
    expect(opened).toBe(0)
  })

  it('is this process for serve', async () => {
    expect(await runCli(['serve'], deps({ dataDir }))).toBe(7)
    expect(await run('serve')).toMatchObject({ exitCode: 2, text: 'serve cannot run inside a gateway' })
  })

  it('says in one line why the database does not open', async () => {
    const broken: CliDeps<Config> = {
      ...deps({ dataDir }),
      openContext: async () => {
        throw new Error('DATA_DIR is in use by process 42')
      },
    }
    expect(await runCli(['audit'], broken)).toBe(1)
    expect(said.err).toEqual(['DATA_DIR is in use by process 42'])
  })
})
