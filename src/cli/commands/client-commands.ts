// The command lines of merchants' programs: payments, logs, checkout, listen, trigger; and that of doctor.
import type { Command, OptionSpec } from './command.ts'

/** Options of every command that acts as a merchant. */
const placeOptions: Readonly<Record<string, OptionSpec>> = {
  url: { value: '<address>', help: 'of the gateway; else COMPORTA_URL, else that of demo.json' },
  key: { value: '<API key>', help: 'else COMPORTA_API_KEY, which no list of processes shows' },
  merchant: {
    value: '<name or wallet>',
    help: 'as this merchant of DATA_DIR/demo.json; without it the first',
  },
}

const requestId: OptionSpec = {
  value: '<uuid>',
  help: 'happens once however often it is asked for under this id; without it a new one',
}
const notes: OptionSpec = { value: '<text>', help: 'kept with what is made' }
const dryRun: OptionSpec = { help: 'show what would be booked, and do nothing' }
const load = () => import('../../../client/payments.ts')

const list: Command = {
  name: 'payments list',
  summary: 'Lists payments, refunds and every other operation, newest first.',
  operands: [],
  options: {
    method: { value: '<method>', help: 'such as CC, MB or MBWAY' },
    type: { value: '<type>', help: 'PAYMENT, AUTH, CAPTURE, RELEASE, REFUND, USERTRANSFER or WALLETFUNDS' },
    from: { value: '<day>', help: 'from this day in Lisbon, as yyyy-mm-dd' },
    to: { value: '<day>', help: 'up to this day, which is included' },
    invoice: { value: '<text>', help: 'with this ext_invoiceid' },
    reference: { value: '<9 digits>', help: 'by this bank reference' },
    limit: { value: '<number>', help: 'how many, 1 to 300; without it 20' },
    ...placeOptions,
  },
  examples: [
    'comporta payments list',
    'comporta payments list --type REFUND --from 2026-11-01 --limit 100 --json',
  ],
  act: async (session, input) => (await load()).listPayments(session, input),
}

const get: Command = {
  name: 'payments get',
  summary: 'Shows one operation.',
  operands: ['<id>'],
  options: placeOptions,
  examples: ['comporta payments get 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --json'],
  act: async (session, input) => (await load()).getPayment(session, input),
}

const refund: Command = {
  name: 'payments refund',
  summary: 'Gives a payment back, all that is left of it or a part.',
  operands: ['<id>'],
  options: {
    amount: { value: '<euros>', help: 'such as 4.50; without it all that is left' },
    notes,
    'dry-run': dryRun,
    'request-id': requestId,
    ...placeOptions,
  },
  examples: [
    'comporta payments refund 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --dry-run',
    'comporta payments refund 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --amount 4.50',
  ],
  act: async (session, input) => (await load()).refundPayment(session, input),
}

const capture: Command = {
  name: 'payments capture',
  summary: 'Takes what an authorization reserved, all that is left of it or a part.',
  operands: ['<id>'],
  options: {
    amount: { value: '<euros>', help: 'such as 4.50; without it all that is left' },
    notes,
    'dry-run': dryRun,
    'request-id': requestId,
    ...placeOptions,
  },
  examples: ['comporta payments capture 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --amount 4.50'],
  act: async (session, input) => (await load()).capturePayment(session, input),
}

const checkout: Command = {
  name: 'checkout create',
  summary: 'Creates a page on which somebody pays, and prints its address.',
  operands: [],
  options: {
    amount: { value: '<euros>', help: 'such as 12.50' },
    invoice: { value: '<text>', help: 'its ext_invoiceid' },
    method: { value: '<method>', help: 'the method that is chosen at first, such as MBWAY' },
    authorize: { help: 'reserve the amount instead of taking it' },
    'confirm-url': {
      value: '<address>',
      help: 'where the customer goes afterwards; a sandbox has a page for it',
    },
    'cancel-url': { value: '<address>', help: 'where the customer goes who gives up; else the same' },
    open: { help: 'open it in the browser of this machine' },
    'request-id': requestId,
    ...placeOptions,
  },
  examples: [
    'comporta checkout create --amount 12.50 --open',
    'comporta checkout create --amount 12.50 --method MBWAY --invoice 2026-0042 --json',
  ],
  act: async (session, input) => (await import('../../../client/checkout.ts')).createCheckout(session, input),
}

const tail: Command = {
  name: 'logs tail',
  summary: 'Shows what the programs of a wallet ask, and how it is answered, as it happens.',
  operands: [],
  endless: true,
  options: {
    lines: { value: '<number>', help: 'of the past at first, 0 to 100; without it 20' },
    status: { value: '<class>', help: '2xx, 3xx, 4xx or 5xx' },
    method: { value: '<method>', help: 'such as POST' },
    path: { value: '<path>', help: 'what the path begins with' },
    'key-id': { value: '<id>', help: 'of this API key: the 8 letters in the middle of it' },
    once: { help: 'show the past and end' },
    ...placeOptions,
  },
  examples: [
    'comporta logs tail',
    'comporta logs tail --status 4xx --path /api/v2/checkout',
    'comporta logs tail --once --lines 100 --json',
  ],
  act: async (session, input) => (await import('../../../client/logs.ts')).tailLogs(session, input),
}

const listen: Command = {
  name: 'listen',
  summary: 'Forwards callbacks to a program on your machine, as they are sent, and shows its answers.',
  operands: [],
  endless: true,
  options: {
    'forward-to': {
      value: '<address>',
      help: 'of your program; a port alone is a program on this machine',
    },
    events: { value: '<list>', help: 'only these, such as payment.completed,mandate' },
    after: { value: '<event id>', help: 'begin after this event instead of now' },
    ...placeOptions,
  },
  examples: [
    'comporta listen --forward-to http://127.0.0.1:3000/callbacks',
    'comporta listen --forward-to 3000 --events payment,subscription.charge --json',
    'COMPORTA_API_KEY=cmp_live_… comporta listen --url https://pay.example.com --forward-to 3000',
  ],
  async act(session, input) {
    return (await import('../../../client/listen.ts')).listen(session, input)
  },
}

const trigger: Command = {
  name: 'trigger',
  summary: 'Has something happen in the sandbox, such as a payment or a refused mandate, with its callback.',
  operands: ['[event]'],
  operandWords: async () => (await import('../../../client/trigger/trigger.ts')).eventNames,
  options: { list: { help: 'show every event, what happens, and its callback' }, ...placeOptions },
  examples: [
    'comporta trigger --list',
    'comporta trigger payment.completed',
    'comporta trigger subscription.charge.failed --merchant "Demo Shop" --json',
  ],
  async act(session, input) {
    return (await import('../../../client/trigger/trigger.ts')).trigger(session, input)
  },
}

const doctor: Command = {
  name: 'doctor',
  summary: 'Checks a set-up, from Node to providers, and says what to mend; exits 1 when something is wrong.',
  operands: [],
  options: {},
  examples: ['comporta doctor', 'MODE=production DATABASE_URL=postgres://… comporta doctor --json'],
  act: async (session, input) => (await import('../doctor/doctor.ts')).examine(session, input),
}

export const clientCommands: readonly Command[] = [
  listen,
  trigger,
  list,
  get,
  refund,
  capture,
  checkout,
  tail,
  doctor,
]
