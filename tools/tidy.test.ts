// Breaks each rule of tidy once, in a small tree of files.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { tidy } from './tidy.ts'

const layers = `# Layers

| layer | modules |
|---|---|
| 7 | [main](../src/main.ts), compose |
| 6 | methods/* |
| 5 | checkouts |
| 3 | operations, cards |
| 2 | wallets, connections, module |
| 1 | methods/{list,*/facts} |
| 1 | storage, http, rails |
| 0 | kernel |
`

const inOrder: Record<string, string> = {
  'docs/ARCHITECTURE.md': layers,
  'src/main.ts':
    "// Starts the gateway.\nimport { compose } from './compose.ts'\ncompose(await import('../sandbox/index.ts'), await import('../drivers/index.ts'))\n",
  'src/compose.ts':
    "// Wires every module.\nimport { systemClock } from './kernel/time.ts'\nimport { pay } from './checkouts/index.ts'\nexport const compose = (_: unknown) => pay(systemClock)\n",
  'src/kernel/time.ts':
    '// The only reader of the clock.\nexport const systemClock = { now: () => Date.now() }\n',
  'src/storage/index.ts': '// The entry point of storage.\nexport const run = (text: string) => text\n',
  'src/operations/index.ts': "// The entry point of operations.\nexport { find } from './store.ts'\n",
  'src/operations/store.ts':
    "// All SQL of operations.\nimport { run } from '../storage/index.ts'\nexport const find = () => run('select id from operations')\n",
  'src/checkouts/index.ts':
    "// The entry point of checkouts.\nimport { find } from '../operations/index.ts'\nexport const pay = (_: unknown) => find()\n",
  'sandbox/index.ts':
    "// The entry point of the sandbox.\nimport { run } from '../src/storage/index.ts'\nimport { decide } from './bank/rules.ts'\nexport const rails = () => decide(run)\n",
  'sandbox/bank/rules.ts': '// Pure decisions of the bank.\nexport const decide = (_: unknown) => true\n',
  'src/connections/index.ts': '// The entry point of connections.\nexport type Driver = string\n',
  'drivers/index.ts':
    "// The list of all drivers.\nimport { bank } from './bank/index.ts'\nexport const drivers = [bank]\n",
  'drivers/bank/index.ts':
    "// The driver of banks.\nimport type { Driver } from '../../src/connections/index.ts'\nimport { name } from './rules.ts'\nexport const bank: Driver = name\n",
  'drivers/bank/rules.ts': "// Pure decisions of the bank.\nexport const name = 'bank'\n",
  'sandbox/demo-shop/start.ts':
    "// Opens the demo shop.\nimport { shop } from '../../examples/shop/server.ts'\nexport const open = () => shop\n",
  'examples/shop/server.ts':
    "// The server of a shop.\nimport { createServer } from 'node:http'\nimport { words } from './words/en.ts'\nexport const shop = () => createServer(() => words)\n",
  'examples/shop/words/en.ts': "// The words of the shop.\nexport const words = 'Buy'\n",
  'bin/run.js': '#!/usr/bin/env node\n// Starts the command.\n',
}

const folders: string[] = []

function findingsOf(changes: Record<string, string>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'comporta-tidy-'))
  folders.push(root)
  for (const [path, text] of Object.entries({ ...inOrder, ...changes })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return tidy(root).findings.map(({ path, line, wrong }) => `${path}:${line} ${wrong}`)
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

it('finds nothing in a tidy project', () => {
  expect(findingsOf({})).toEqual([])
})

describe('layers', () => {
  it.each([
    [
      'upwards',
      'src/operations/verb.ts',
      "import { pay } from '../checkouts/index.ts'",
      'operations (layer 3) imports upwards from checkouts (layer 5).',
    ],
    [
      'sideways',
      'src/operations/verb.ts',
      "import { card } from '../cards/index.ts'",
      'operations (layer 3) imports sideways from cards (layer 3).',
    ],
    [
      'a type alone',
      'src/operations/verb.ts',
      "import type { Pay } from '../checkouts/index.ts'",
      'operations (layer 3) imports upwards from checkouts (layer 5).',
    ],
    [
      'a type written in place',
      'src/operations/verb.ts',
      "export type Pay = import('../checkouts/index.ts').Pay",
      'operations (layer 3) imports upwards from checkouts (layer 5).',
    ],
    [
      'an import that waits',
      'src/operations/verb.ts',
      "export const pay = () => import('../checkouts/index.ts')",
      'operations (layer 3) imports upwards from checkouts (layer 5).',
    ],
    [
      'an export of a higher module',
      'src/operations/verb.ts',
      "export * from '../checkouts/index.ts'",
      'operations (layer 3) imports upwards from checkouts (layer 5).',
    ],
    [
      'past the index.ts',
      'src/checkouts/verb.ts',
      "import { find } from '../operations/store.ts'",
      'checkouts enters operations past its index.ts, by src/operations/store.ts.',
    ],
    [
      'past the index.ts, from the top layer',
      'src/compose.ts',
      "import { find } from './operations/store.ts'",
      'compose enters operations past its index.ts, by src/operations/store.ts.',
    ],
    [
      'from one folder of a row to another',
      'src/methods/bizum/page.ts',
      "import { card } from '../cards/index.ts'",
      'methods/bizum (layer 6) imports sideways from methods/cards (layer 6).',
    ],
    [
      'upwards into a folder of a row',
      'src/checkouts/verb.ts',
      "import { card } from '../methods/cards/index.ts'",
      'checkouts (layer 5) imports upwards from methods/cards (layer 6).',
    ],
    [
      'out of src',
      'src/checkouts/verb.ts',
      "import { world } from '../../test/world.ts'",
      'It imports test/world.ts, outside src.',
    ],
  ])('%s', (_, path, line, wrong) => {
    expect(findingsOf({ [path]: `// A verb of the module.\n${line}\n` })).toEqual([`${path}:2 ${wrong}`])
  })

  it('reports a module outside the table', () => {
    expect(findingsOf({ 'src/attic/index.ts': '// The entry point of the attic.\n' })).toEqual([
      'src/attic/index.ts:1 The module attic is in no layer.',
    ])
  })

  it('needs the table', () => {
    expect(findingsOf({ 'docs/ARCHITECTURE.md': '# Nothing\n' })).toEqual([
      'docs/ARCHITECTURE.md:1 There is no table of layers.',
    ])
  })

  it.each([
    [
      'a test enters anywhere',
      'src/operations/verb.test.ts',
      "import { pay } from '../checkouts/pages/pay.ts'",
    ],
    ['the top layer reads rules', 'src/compose.ts', "import { may } from './operations/fee-rules.ts'"],
    [
      'a toolbox is imported by file',
      'src/operations/verb.ts',
      "import { grouped } from '../storage/grouped.ts'",
    ],
    [
      'the manifest is data',
      'src/operations/verb.ts',
      "import manifest from '../../package.json' with { type: 'json' }",
    ],
  ])('%s', (_, path, line) => {
    expect(findingsOf({ [path]: `// A verb of the module.\n${line}\n` })).toEqual([])
  })
})

describe('the sandbox', () => {
  it.each([
    [
      'a module of the gateway',
      'sandbox/bank/page.ts',
      "import { pay } from '../../src/checkouts/index.ts'",
      'The sandbox imports src/checkouts/index.ts.',
    ],
    [
      'a type of one',
      'sandbox/bank/page.ts',
      "import type { Wallet } from '../../src/wallets/model.ts'",
      'The sandbox imports src/wallets/model.ts.',
    ],
    [
      'its composition',
      'sandbox/verb.ts',
      "export const compose = () => import('../src/compose.ts')",
      'The sandbox imports src/compose.ts.',
    ],
  ])('imports no more of src than a driver needs: %s', (_, path, line, wrong) => {
    expect(findingsOf({ [path]: `// A page of the sandbox.\n${line}\n` })).toEqual([`${path}:2 ${wrong}`])
  })

  it.each([
    [
      'a module',
      'src/operations/verb.ts',
      "import { rails } from '../../sandbox/index.ts'",
      'sandbox/index.ts',
    ],
    ['a type', 'src/compose.ts', "import type { Rails } from '../sandbox/index.ts'", 'sandbox/index.ts'],
    ['a tool', 'tools/run.ts', "export const run = () => import('../sandbox/index.ts')", 'sandbox/index.ts'],
    [
      'main, before it knows the mode',
      'src/main.ts',
      "import { rails } from '../sandbox/index.ts'",
      'sandbox/index.ts',
    ],
    [
      'main, past its index.ts',
      'src/main.ts',
      "await import('../sandbox/bank/rules.ts')",
      'sandbox/bank/rules.ts',
    ],
  ])('is loaded by main alone: not by %s', (_, path, line, target) => {
    expect(findingsOf({ [path]: `// Something of the gateway.\n${line}\n` })).toEqual([
      `${path}:2 It imports ${target}.`,
    ])
  })

  it('may be entered anywhere by tests', () => {
    const text = "// Shows a thing.\nimport { decide } from '../sandbox/bank/rules.ts'\n"
    expect(findingsOf({ 'test/a.test.ts': text })).toEqual([])
  })

  it.each([
    [
      'rules are pure',
      'sandbox/bank/rules.ts',
      "import { run } from '../../src/storage/index.ts'",
      'rules.ts is pure, and imports ../../src/storage/index.ts.',
    ],
    ['time is an argument', 'sandbox/bank/page.ts', 'const now = Date.now()', 'It reads the clock.'],
  ])('has the shapes of the gateway: %s', (_, path, line, wrong) => {
    expect(findingsOf({ [path]: `// Something of the bank.\n${line}\n` })).toEqual([`${path}:2 ${wrong}`])
  })
})

describe('drivers', () => {
  it.each([
    ['a module', "import { pay } from '../../src/checkouts/index.ts'", 'src/checkouts/index.ts'],
    ['a type of one', "import type { Wallet } from '../../src/wallets/model.ts'", 'src/wallets/model.ts'],
    [
      'connections past their entry point',
      "import { find } from '../../src/connections/store.ts'",
      'src/connections/store.ts',
    ],
    ['the sandbox', "export const rails = () => import('../../sandbox/index.ts')", 'sandbox/index.ts'],
    ['another driver', "import { sibs } from '../sibs/index.ts'", 'drivers/sibs/index.ts'],
    ['all of them', "import { drivers } from '../index.ts'", 'drivers/index.ts'],
  ])('import no more than a driver needs: not %s', (_, line, target) => {
    expect(findingsOf({ 'drivers/bank/verb.ts': `// A verb of the bank.\n${line}\n` })).toContain(
      `drivers/bank/verb.ts:2 A driver imports ${target}.`,
    )
  })

  it.each([
    ['a module', 'src/operations/verb.ts', "import { drivers } from '../../drivers/index.ts'"],
    ['a type', 'src/compose.ts', "import type { Drivers } from '../drivers/index.ts'"],
    ['main, in every mode', 'src/main.ts', "import { drivers } from '../drivers/index.ts'"],
    ['the sandbox', 'sandbox/verb.ts', "import { drivers } from '../drivers/index.ts'"],
  ])('are loaded by main alone: not by %s', (_, path, line) => {
    expect(findingsOf({ [path]: `// Something of the gateway.\n${line}\n` })).toContain(
      `${path}:2 It imports drivers/index.ts.`,
    )
  })

  it.each([
    [
      'rules are pure',
      'drivers/bank/rules.ts',
      "import { run } from '../../src/storage/index.ts'",
      'rules.ts is pure, and imports ../../src/storage/index.ts.',
    ],
    ['time is an argument', 'drivers/bank/verb.ts', 'const now = Date.now()', 'It reads the clock.'],
  ])('have the shapes of the gateway: %s', (_, path, line, wrong) => {
    expect(findingsOf({ [path]: `// Something of the bank.\n${line}\n` })).toEqual([`${path}:2 ${wrong}`])
  })
})

describe('the client', () => {
  it.each([
    ['a module', "import { pay } from '../src/checkouts/index.ts'", 'src/checkouts/index.ts'],
    [
      'a command',
      "import { commands } from '../src/cli/commands/commands.ts'",
      'src/cli/commands/commands.ts',
    ],
    ['the sandbox', "export const rails = () => import('../sandbox/index.ts')", 'sandbox/index.ts'],
  ])('speaks by HTTP, and imports no more than its command line: not %s', (_, line, target) => {
    expect(findingsOf({ 'client/listen.ts': `// Listens.\n${line}\n` })).toContain(
      `client/listen.ts:2 The client imports ${target}.`,
    )
  })

  it.each([
    ['src/checkouts/verb.ts', "export const load = () => import('../../client/listen.ts')"],
    ['src/cli/commands/client-commands.ts', "import { listen } from '../../../client/listen.ts'"],
  ])('is loaded by its commands alone, when one runs: not by %s', (path, line) => {
    expect(findingsOf({ [path]: `// Something of the gateway.\n${line}\n` })).toContain(
      `${path}:2 It imports client/listen.ts.`,
    )
  })
})

describe('the model of the verification', () => {
  it.each([
    ['model', "import type { Cents } from '../../../src/kernel/money.ts'", 'src/kernel/money.ts'],
    ['world', "import { cards } from '../../../sandbox/test-cards.ts'", 'sandbox/test-cards.ts'],
  ])('shares no code with the gateway: %s', (folder, line, target) => {
    expect(findingsOf({ [`test/verification/${folder}/notes.ts`]: `// Notes.\n${line}\n` })).toContain(
      `test/verification/${folder}/notes.ts:2 The model imports ${target}.`,
    )
  })
})

describe('examples', () => {
  it.each([
    ['the gateway', "import { run } from '../../src/storage/index.ts'", 'src/storage/index.ts'],
    ['a type of it', "import type { App } from '../../src/http/index.ts'", 'src/http/index.ts'],
    ['the sandbox', "export const rails = () => import('../../sandbox/index.ts')", 'sandbox/index.ts'],
    ['a package', "import fastify from 'fastify'", 'fastify'],
    ['another example', "import { sell } from '../stall/server.ts'", 'examples/stall/server.ts'],
  ])('are independent: no import of %s', (_, line, target) => {
    expect(findingsOf({ 'examples/shop/page.ts': `// A page of the shop.\n${line}\n` })).toContain(
      `examples/shop/page.ts:2 An example imports ${target}.`,
    )
  })

  it('may use the SDK, because developers install it', () => {
    const line = "import { Comporta } from '@comporta/sdk'"
    expect(findingsOf({ 'examples/shop/page.ts': `// A page of the shop.\n${line}\n` })).toEqual([])
  })

  it('are opened by the sandbox, and by its entry alone', () => {
    const line = "import { words } from '../../examples/shop/words/en.ts'"
    expect(findingsOf({ 'sandbox/bank/page.ts': `// A page of the bank.\n${line}\n` })).toEqual([
      'sandbox/bank/page.ts:2 The sandbox imports examples/shop/words/en.ts.',
    ])
  })
})

describe('shapes', () => {
  it.each([
    ['no opening', 'const one = 1\n'],
    ['an opening of one word', '// Things.\n'],
    ['an opening without an end', '// What this file is for\n'],
    ['an opening after the code', 'const one = 1\n// What this file is for.\n'],
  ])('%s', (_, text) => {
    expect(findingsOf({ 'src/cards/verb.ts': text })).toEqual([
      'src/cards/verb.ts:1 It does not start with a sentence.',
    ])
  })

  it.each([
    ['rules', "import { run } from '../storage/index.ts'", '../storage/index.ts'],
    ['rules', "import { readFileSync } from 'node:fs'", 'node:fs'],
    ['rules', "import { find } from './store.ts'", './store.ts'],
    ['capture-rules', "import { request } from 'undici'", 'undici'],
    ['model', "import type { App } from '../http/index.ts'", '../http/index.ts'],
    ['model', "import { acquire } from '../rails/index.ts'", '../rails/index.ts'],
  ])('%s.ts is pure: %s', (name, line, request) => {
    const path = `src/cards/${name}.ts`
    const kind = name === 'model' ? 'model' : 'rules'
    expect(findingsOf({ [path]: `// Pure decisions of cards.\n${line}\n` })).toEqual([
      `${path}:2 ${kind}.ts is pure, and imports ${request}.`,
    ])
  })

  it('rules may use the answer of a rail', () => {
    const text = "// Pure decisions of cards.\nimport type { Answer } from '../rails/index.ts'\n"
    expect(findingsOf({ 'src/cards/rules.ts': text })).toEqual([])
  })
})

describe('folders', () => {
  const filesIn = (folder: string, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`${folder}/part${index}.ts`, '// A part of the whole.\n']),
    )

  it('have at most twenty files, tests apart', () => {
    const tests = {
      'src/cards/one.test.ts': '// Shows one thing.\n',
      ...filesIn('src/cards/parts', 3),
    }
    expect(findingsOf({ ...filesIn('src/cards', 20), ...tests })).toEqual([])
  })

  it.each(['src/cards', 'sandbox/bank/pages', 'examples/shop/pages'])(
    'have names for their parts: %s',
    (folder) => {
      expect(findingsOf(filesIn(folder, 21))).toEqual([`${folder}:1 It has 21 files, more than 20.`])
    },
  )

  it('of two files belong into their parent, unless they are a module or hold folders', () => {
    expect(findingsOf(filesIn('src/cards/pages', 2))).toEqual([
      'src/cards/pages:1 It has 2 files, fewer than 3.',
    ])
    expect(findingsOf(filesIn('src/cards', 2))).toEqual([])
    expect(findingsOf({ ...filesIn('src/cards/pages', 2), ...filesIn('src/cards/pages/parts', 3) })).toEqual(
      [],
    )
  })

  it('of migrations grow', () => {
    expect(findingsOf(filesIn('src/storage/migrations', 21))).toEqual([])
  })
})

describe('payment methods', () => {
  const facts = "// BIZUM is paid by phone.\nexport const bizum = { code: 'BIZUM' }\n"

  it('are named in their own folder', () => {
    const own = {
      'src/methods/bizum/facts.ts': facts,
      'src/methods/bizum/page.ts': "// The page of the method.\nexport const a = 'BIZUM'\n",
    }
    expect(findingsOf(own)).toEqual([])
  })

  it.each([
    [
      'src/cards/pay.ts',
      "// Pays by phone.\nexport const isPhone = (method: string) => method === 'BIZUM'\n",
    ],
    ['web/badge/badge.ts', "// Draws one badge.\nexport const shown = ['BIZUM']\n"],
  ])('and not in %s', (path, text) => {
    expect(findingsOf({ 'src/methods/bizum/facts.ts': facts, [path]: text })).toEqual([
      `src/methods/bizum/facts.ts:1 BIZUM is named in 1 files outside its folder, 0 are allowed: ${path}.`,
    ])
  })
})

describe('time and chance', () => {
  it.each([
    ['const now = Date.now()', 'It reads the clock.'],
    ['const now = new Date()', 'It reads the clock.'],
    ['const now = Date()', 'It reads the clock.'],
    ['const dice = Math.random()', 'It uses Math.random.'],
    ["import { systemClock } from '../kernel/time.ts'", 'It takes time or randomness from the system.'],
    ["import { randomUUID } from 'node:crypto'", 'It takes randomness from Node.'],
    ["import { randomBytes as dice } from 'node:crypto'", 'It takes randomness from Node.'],
    ['const id = crypto.randomUUID()', 'It takes randomness from Node.'],
    ['globalThis.crypto.getRandomValues(bytes)', 'It takes randomness from Node.'],
    ['const secret = ecdh.generateKeys()', 'It takes randomness from Node.'],
    ["const key = request.headers['idempotency-key']", 'It reads the header Idempotency-Key.'],
    ["unwrap(refuse('not_found', 'no such card'))", 'It unwraps its own refusal.'],
  ])('%s', (line, wrong) => {
    expect(findingsOf({ 'src/cards/verb.ts': `// A verb of cards.\n${line}\n` })).toEqual([
      `src/cards/verb.ts:2 ${wrong}`,
    ])
  })

  it('nine dependencies, one of them an extended type', () => {
    const members = Array.from({ length: 8 }, (_, index) => `  readonly part${index}: string`).join('\n')
    const text = `// A bag of dependencies.\nexport interface CardsDeps extends Pick<Core, 'clock' | 'random'> {\n${members}\n}\n`
    expect(findingsOf({ 'src/cards/verb.ts': text })).toEqual([
      'src/cards/verb.ts:2 CardsDeps has 9 members, more than 8.',
    ])
  })

  it('an entry with more than sixty names, or with all of another file', () => {
    const names = Array.from({ length: 61 }, (_, index) => `name${index}`).join(', ')
    const text = `// The entry point of cards.\nexport { ${names} } from './verb.ts'\nexport * from './verb.ts'\n`
    expect(findingsOf({ 'src/cards/index.ts': text, 'src/cards/verb.ts': '// A verb of cards.\n' })).toEqual([
      'src/cards/index.ts:1 It exports 61 names, more than 60.',
      'src/cards/index.ts:3 It exports all names of another file.',
    ])
  })

  it('an entry for methods, in another module', () => {
    const entry = '// The names that methods need.\nexport const find = 1\n'
    const reader =
      "// A verb of checkouts.\nimport { find } from '../operations/for-methods.ts'\nexport const pay = find\n"
    expect(findingsOf({ 'src/operations/for-methods.ts': entry, 'src/checkouts/verb.ts': reader })).toEqual([
      'src/checkouts/verb.ts:2 checkouts enters operations past its index.ts, by src/operations/for-methods.ts.',
    ])
  })

  it('a module of one file is its own entry, others are entered by index.ts', () => {
    expect(
      findingsOf({
        'src/cards/verb.ts': "// A verb of cards.\nimport type { Module } from '../module.ts'\n",
      }),
    ).toEqual([])
  })

  it('one file provides all randomness', () => {
    const text = "// Randomness as an argument.\nimport { randomFillSync } from 'node:crypto'\n"
    expect(findingsOf({ 'src/kernel/random.ts': text })).toEqual([])
  })

  it('allows a given time, and anything in comments and strings', () => {
    const text = "// Never calls Date.now() itself.\nconst then = new Date(0)\nconst text = 'Math.random()'\n"
    expect(findingsOf({ 'src/cards/verb.ts': text })).toEqual([])
  })
})

describe('patience', () => {
  const quick = 'It asserts that the machine is fast.'
  const short = 'Its time-out is too short for a slow machine.'
  const sleeps = 'It sleeps instead of waiting for an event.'

  it.each([
    ['expect(performance.now() - began).toBeLessThan(500)', quick],
    ['expect(Math.abs(at - Date.now())).toBeLessThanOrEqual(500)', quick],
    ['await expect.poll(look, { interval: 5, timeout: 20_000 }).toBe(1)', short],
    ["it('pays', { timeout: 30_000 }, pay)", short],
    ["it('pays', pay, 30_000)", short],
    ["await receiver.waitFor('/pays', 1, 5000)", short],
    ['await page.waitForURL(url, { timeout: 5000 })', short],
    ['await pause(700)', sleeps],
    ['await new Promise((resolve) => setTimeout(resolve, 300))', sleeps],
  ])('%s', (line, wrong) => {
    expect(findingsOf({ 'src/cards/verb.test.ts': `// Shows a verb.\n${line}\n` })).toEqual([
      `src/cards/verb.test.ts:2 ${wrong}`,
    ])
  })

  it('a time-out at the end of a test', () => {
    const text = "// Shows a verb.\nit('pays', async () => {\n}, 30_000)\n"
    expect(findingsOf({ 'src/cards/verb.test.ts': text })).toEqual([`src/cards/verb.test.ts:3 ${short}`])
  })

  it.each([
    'if (judgesTimes) expect(performance.now() - began).toBeLessThan(500)',
    'expect(performance.now() - began).toBeGreaterThan(500)',
    'expect(head.through).toBeLessThanOrEqual(Date.now())',
    "it('pays', pay, 300_000)",
    'const client = clientOf({ timeout: 300 })',
    'await pause(50)',
  ])('%s may stay', (line) => {
    expect(findingsOf({ 'src/cards/verb.test.ts': `// Shows a verb.\n${line}\n` })).toEqual([])
  })
})

describe('words', () => {
  it.each(['TODO', 'FIXME', 'XXX', 'HACK'])('%s', (word) => {
    expect(findingsOf({ 'test/a.test.ts': `// Shows a thing.\n/*\n ${word} later */\n` })).toEqual([
      `test/a.test.ts:3 A comment says ${word}.`,
    ])
  })

  it.each([
    ["it.only('pays', () => {})", 'it.only'],
    ["describe.skip('paying', () => {})", 'describe.skip'],
    ["it.concurrent.skip('pays', () => {})", 'it.concurrent.skip'],
    ["test.todo('pays')", 'test.todo'],
    ["xit('pays', () => {})", 'xit'],
  ])('%s', (line, name) => {
    expect(findingsOf({ 'test/a.test.ts': `// Shows a thing.\n${line}\n` })).toEqual([
      `test/a.test.ts:2 ${name} skips tests.`,
    ])
  })

  it.each(['home', 'root', 'work'])('a path under %s', (folder) => {
    const path = ['', folder, 'someone', 'keys'].join('/')
    expect(findingsOf({ 'docs/keys.md': `# Keys\n\nThey are in ${path}.\n` })).toEqual([
      `docs/keys.md:3 It contains a path of one machine (/${folder}/…).`,
    ])
  })

  it('leaves addresses on the web alone', () => {
    expect(
      findingsOf({ 'docs/keys.md': 'See https://example.com/home/keys and /checkout/home/x.\n' }),
    ).toEqual([])
  })

  it('a link that leads nowhere', () => {
    expect(
      findingsOf({
        'docs/a.md': '# A\n\nSee [there](b.md#part), [here](#a) and [layers](ARCHITECTURE.md).\n',
      }),
    ).toEqual(['docs/a.md:3 The link to b.md is dead.'])
    expect(findingsOf({ 'deploy/a/README.md': '[There](b.md)\n' })).toEqual([
      'deploy/a/README.md:1 The link to b.md is dead.',
    ])
  })

  it('a link of a guide to a file that the site does not show', () => {
    const files = { 'docs/performance.md': '# Figures\n', 'deploy/a/cell.cfg': 'x\n', 'web/a.css': 'x\n' }
    const links = '[1](performance.md) [2](../deploy/a/cell.cfg) [3](../deploy/a) [4](../web/a.css)\n'
    const absent = ['performance.md', '../deploy/a', '../web/a.css']
    expect(findingsOf({ ...files, 'docs/a.md': links })).toEqual(
      absent.map((path) => `docs/a.md:1 The site of the guides has nothing at ${path}.`),
    )
    expect(findingsOf({ ...files, 'docs/inside/a.md': links.replaceAll('(', '(../') })).toEqual([])
  })

  it('a link to an anchor that is not on the page', () => {
    const page = '# A\n\n## 1. Put `keys` in\n\n## Twice\n\n## Twice\n\n| <a id="10002"></a>10002 |\n'
    const links = ['1-put-keys-in', 'twice-1', '10002', '_1-put-keys-in', 'twice-2', '10004']
    const other = links.map((anchor) => `[x](a.md#${anchor})\n`).join('')
    expect(findingsOf({ 'docs/a.md': page, 'docs/b.md': other })).toEqual([
      'docs/b.md:4 The link to a.md#_1-put-keys-in is dead.',
      'docs/b.md:5 The link to a.md#twice-2 is dead.',
      'docs/b.md:6 The link to a.md#10004 is dead.',
    ])
  })
})

describe('decisions', () => {
  const record = (number: string) => `docs/decisions/${number}-noun-phrase.md`
  const records = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [record(String(index + 1).padStart(4, '0')), '# Title\n']),
    )

  it('are at most 25', () => {
    expect(findingsOf(records(25))).toEqual([])
    expect(findingsOf(records(26))).toEqual(['docs/decisions/:1 It has 26 records, more than 25.'])
  })

  it('and of prose also by their number alone', () => {
    expect(findingsOf({ 'docs/a.md': 'Done (0002).\n' })).toEqual(['docs/a.md:1 There is no decision 0002.'])
  })

  it.each([
    ['decision 0002', ['0002']],
    ['decisions 0001, 0003', ['0003']],
    ['docs/decisions/0002', ['0002']],
    ['[decision 0004](https://example.com)', ['0004']],
    ['Decision 0001', []],
  ])('are there if somebody mentions them: %s', (mention, missing) => {
    const files = { [record('0001')]: '# Title\n', 'docs/a.md': `# A\n\nSee ${mention}.\n` }
    const code = { ...files, 'src/cards/verb.ts': `// A verb of cards (${mention}).\n` }
    expect(findingsOf(code)).toEqual(
      ['docs/a.md:3', 'src/cards/verb.ts:1'].flatMap((place) =>
        missing.map((number) => `${place} There is no decision ${number}.`),
      ),
    )
  })
})
