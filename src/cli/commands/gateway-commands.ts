// The commands serve, migrate, demo and clock.
import { readCellNumber, routesOf } from '../../cells/rules.ts'
import { toTimestamp } from '../../kernel/time.ts'
import type { CommandResult } from '../context.ts'
import { done, refused } from './answers.ts'
import { type Command, UsageError } from './command.ts'

const serve: Command = {
  name: 'serve',
  summary: 'Runs the gateway until SIGTERM or SIGINT. Settings come from the environment.',
  examples: [
    'comporta serve',
    'MODE=production DATABASE_URL=postgres://… BASE_URL=https://pay.example.com MASTER_KEY_FILE=/etc/comporta/master.key comporta serve',
  ],
  operands: [],
  options: {},
}

const migrate: Command = {
  name: 'migrate',
  summary: 'Creates the database, or migrates it to this version.',
  examples: ['comporta migrate'],
  operands: [],
  options: {},
  creates: true,
  changes: 'nothing',
  async local(context) {
    const applied = await context.migrate()
    return done(
      { applied },
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
    )
  },
}

const demo: Command = {
  name: 'demo',
  summary: 'Shows the demo merchants of the sandbox, creates missing ones, and writes demo.json.',
  examples: ['comporta demo', 'comporta demo --json'],
  operands: [],
  options: {},
  creates: true,
  changes: 'nothing',
  async local(context) {
    if (context.demo === undefined) return sandboxOnly('demo')
    const { document, text } = await context.demo()
    return done(document, text)
  },
}

const clock: Command = {
  name: 'clock',
  summary: 'Shows the time of the sandbox, or moves it forward and runs the work that became due.',
  examples: ['comporta clock', 'comporta clock --advance P1DT2H'],
  operands: [],
  options: {
    advance: { value: '<duration>', help: 'move forward by an ISO 8601 duration such as P1DT2H' },
    set: { value: '<moment>', help: 'move forward to an ISO 8601 moment such as 2026-03-29T10:00:00Z' },
  },
  changes: 'nothing',
  async local(context, input) {
    const advance = input.value('advance')
    const set = input.value('set')
    if (advance !== undefined && set !== undefined)
      throw new UsageError('clock takes --advance or --set, not both')
    if (context.clock === undefined) return sandboxOnly('clock')
    if (advance === undefined && set === undefined) return time(toTimestamp(context.clock.now()))
    const moved = await context.clock.move(advance === undefined ? { set: set ?? '' } : { advance })
    if (!moved.ok) return refused(moved.refusal)
    return time(toTimestamp(moved.value.now), moved.value.ran)
  },
}

const cell: Command = {
  name: 'cell',
  summary:
    'Shows the number of this cell, or sets it before there are wallets. Restart the gateway afterwards.',
  examples: ['comporta cell', 'comporta cell --number 1'],
  operands: [],
  options: { number: { value: '<0-3843>', help: 'the number, which becomes part of every identifier' } },
  creates: true,
  changes: 'nothing',
  async local({ cell: { read, set } }, input) {
    const number = input.value('number')
    if (number === undefined) {
      const current = await read()
      return done({ number: current }, `This is cell ${current}.`)
    }
    const changed = await set(readCellNumber(number))
    if (!changed.ok) return refused(changed.refusal)
    return done({ number: Number(number) }, `This is cell ${number} now. Restart the gateway.`)
  },
}

const cellRoutes: Command = {
  name: 'cell routes',
  summary: 'Prints the map by which HAProxy sends a request to its cell.',
  examples: ['comporta cell routes 0 1'],
  operands: ['<number>…'],
  options: {},
  async remote(_session, { operands }) {
    const numbers = operands.map(readCellNumber)
    const wrong = numbers.findIndex(Number.isNaN)
    if (wrong !== -1)
      throw new UsageError(
        `the number of a cell must be from 0 to 3843, not ${JSON.stringify(operands[wrong])}`,
      )
    const routes = routesOf(numbers)
    return done({ routes }, routes.trimEnd())
  },
}

export const gatewayCommands = { serve, migrate, cell, cellRoutes, demo, clock } as const

function sandboxOnly(command: string): CommandResult {
  return refused({
    kind: 'sandbox_only',
    reason: `${command} works in sandbox mode only, and this gateway is in production mode`,
  })
}

function time(now: string, ran?: Readonly<Record<string, number>>): CommandResult {
  if (ran === undefined) return done({ now }, now)
  const counts = Object.entries(ran).map(([kind, count]) => `${kind}: ${count}`)
  return done({ now, ran }, [now, `ran: ${counts.length === 0 ? 'nothing' : counts.join(', ')}`].join('\n'))
}
