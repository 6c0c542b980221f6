// The commands serve, migrate, queues, demo and clock.
import { toTimestamp } from '../../kernel/time.ts'
import type { CommandResult } from '../context.ts'
import { done, refused, table } from './answers.ts'
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

const queues: Command = {
  name: 'queues',
  summary: 'Shows how much work waits, how much is due, and since when, by kind.',
  examples: ['comporta queues'],
  operands: [],
  options: {},
  changes: 'nothing',
  async local({ backlogs }) {
    const kinds = (await backlogs()).map(({ oldest, ...one }) => ({
      ...one,
      oldest: oldest === undefined ? null : toTimestamp(oldest),
    }))
    const rows = kinds.map((one) => [one.kind, String(one.waiting), String(one.due), one.oldest ?? '-'])
    return done({ queues: kinds }, table(['KIND', 'WAITING', 'DUE', 'DUE SINCE'], rows))
  },
}

export const gatewayCommands = { serve, migrate, queues, demo, clock } as const

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
