// The command lines of the commands that act over HTTP.
import type { Command, OptionSpec } from './command.ts'

const gatewayOptions: Readonly<Record<string, OptionSpec>> = {
  url: { value: '<address>', help: 'address of the gateway. Default: COMPORTA_URL, then demo.json' },
  key: { value: '<API key>', help: 'API key. Default: COMPORTA_API_KEY, which process lists do not show' },
  merchant: {
    value: '<name or wallet>',
    help: 'merchant of DATA_DIR/demo.json. Default: the first',
  },
}

const requestId: OptionSpec = {
  value: '<uuid>',
  help: 'idempotency key: repeat it to repeat the request safely. Default: a new one',
}
const notes: OptionSpec = { value: '<text>', help: 'remark stored with the operation' }
const dryRun: OptionSpec = { help: 'show the result without booking anything' }
const load = () => import('../../../client/payments.ts')

const list: Command = {
  name: 'payments list',
  summary: 'Lists payments, refunds and every other operation, newest first.',
  operands: [],
  options: {
    method: { value: '<method>', help: 'such as CC, MB or MBWAY' },
    type: { value: '<type>', help: 'PAYMENT, AUTH, CAPTURE, RELEASE, REFUND, USERTRANSFER or WALLETFUNDS' },
    from: { value: '<day>', help: 'from this day in Lisbon, as yyyy-mm-dd' },
    to: { value: '<day>', help: 'up to and including this day' },
    invoice: { value: '<text>', help: 'with this ext_invoiceid' },
    reference: { value: '<9 digits>', help: 'by this bank reference' },
    limit: { value: '<number>', help: 'number of operations, 1 to 300. Default: 20' },
    ...gatewayOptions,
  },
  examples: [
    'comporta payments list',
    'comporta payments list --type REFUND --from 2026-11-01 --limit 100 --json',
  ],
  remote: async (session, input) => (await load()).listPayments(session, input),
}

const get: Command = {
  name: 'payments get',
  summary: 'Shows one operation.',
  operands: ['<id>'],
  options: gatewayOptions,
  examples: ['comporta payments get 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --json'],
  remote: async (session, input) => (await load()).getPayment(session, input),
}

const refund: Command = {
  name: 'payments refund',
  summary: 'Refunds a payment, completely or in part.',
  operands: ['<id>'],
  options: {
    amount: { value: '<euros>', help: 'such as 4.50. Default: the amount not refunded yet' },
    notes,
    'dry-run': dryRun,
    'request-id': requestId,
    ...gatewayOptions,
  },
  examples: [
    'comporta payments refund 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --dry-run',
    'comporta payments refund 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --amount 4.50',
  ],
  remote: async (session, input) => (await load()).refundPayment(session, input),
}

const capture: Command = {
  name: 'payments capture',
  summary: 'Captures an authorization, completely or in part.',
  operands: ['<id>'],
  options: {
    amount: { value: '<euros>', help: 'such as 4.50. Default: the amount not captured yet' },
    notes,
    'dry-run': dryRun,
    'request-id': requestId,
    ...gatewayOptions,
  },
  examples: ['comporta payments capture 0198c2f4-5d0e-7c3b-9a61-3f2b8e7d4c10 --amount 4.50'],
  remote: async (session, input) => (await load()).capturePayment(session, input),
}

const checkout: Command = {
  name: 'checkout create',
  summary: 'Creates a checkout page for a payment, and prints its address.',
  operands: [],
  options: {
    amount: { value: '<euros>', help: 'such as 12.50' },
    invoice: { value: '<text>', help: 'ext_invoiceid of the payment' },
    method: { value: '<method>', help: 'preselected method, such as MBWAY' },
    authorize: { help: 'reserve the amount instead of taking it' },
    'confirm-url': {
      value: '<address>',
      help: 'page after the payment. Default in a sandbox: a page of the sandbox',
    },
    'cancel-url': { value: '<address>', help: 'page after a cancellation. Default: the confirm URL' },
    open: { help: 'open it in the browser of this machine' },
    'request-id': requestId,
    ...gatewayOptions,
  },
  examples: [
    'comporta checkout create --amount 12.50 --open',
    'comporta checkout create --amount 12.50 --method MBWAY --invoice 2026-0042 --json',
  ],
  remote: async (session, input) =>
    (await import('../../../client/checkout.ts')).createCheckout(session, input),
}

const tail: Command = {
  name: 'logs tail',
  summary: 'Shows the API requests of a wallet and their answers as they happen.',
  operands: [],
  endless: true,
  options: {
    lines: { value: '<number>', help: 'number of earlier requests, 0 to 100. Default: 20' },
    status: { value: '<class>', help: '2xx, 3xx, 4xx or 5xx' },
    method: { value: '<method>', help: 'such as POST' },
    path: { value: '<path>', help: 'start of the path, such as /api/v2/checkout' },
    'key-id': { value: '<id>', help: 'requests with this API key: the 8 letters in its middle' },
    once: { help: 'show earlier requests and exit' },
    ...gatewayOptions,
  },
  examples: [
    'comporta logs tail',
    'comporta logs tail --status 4xx --path /api/v2/checkout',
    'comporta logs tail --once --lines 100 --json',
  ],
  remote: async (session, input) => (await import('../../../client/logs.ts')).tailLogs(session, input),
}

const listen: Command = {
  name: 'listen',
  summary: 'Forwards callbacks to a program on your machine as they are sent, and shows its answers.',
  operands: [],
  endless: true,
  options: {
    'forward-to': {
      value: '<address>',
      help: 'address of your program; a port alone means this machine',
    },
    events: { value: '<list>', help: 'only these, such as payment.completed,mandate' },
    after: { value: '<event id>', help: 'start after this event instead of now' },
    ...gatewayOptions,
  },
  examples: [
    'comporta listen --forward-to http://127.0.0.1:3000/callbacks',
    'comporta listen --forward-to 3000 --events payment,subscription.charge --json',
    'COMPORTA_API_KEY=cmp_live_… comporta listen --url https://pay.example.com --forward-to 3000',
  ],
  async remote(session, input) {
    return (await import('../../../client/listen.ts')).listen(session, input)
  },
}

const trigger: Command = {
  name: 'trigger',
  summary: 'Plays a complete path in the sandbox, such as a payment or a refused mandate, with its callback.',
  operands: ['[event]'],
  operandWords: async () => (await import('../../../client/trigger/trigger.ts')).eventNames,
  options: { list: { help: 'show every event with its description and callback' }, ...gatewayOptions },
  examples: [
    'comporta trigger --list',
    'comporta trigger payment.completed',
    'comporta trigger subscription.charge.failed --merchant "Demo Shop" --json',
  ],
  async remote(session, input) {
    return (await import('../../../client/trigger/trigger.ts')).trigger(session, input)
  },
}

const exam: Command = {
  name: 'exam',
  summary:
    'Examines your program in a sandbox: sends it doubled, late, lost and forged callbacks, and compares its state with the books.',
  operands: [],
  options: {
    'forward-to': {
      value: '<address>',
      help: 'address of your program for callbacks; a port alone means this machine',
    },
    state: {
      value: '<address or file>',
      help: 'its payments as JSON or CSV. Default: only answers are examined',
    },
    buy: {
      value: '<address>',
      help: 'POST begins a payment and leads to its checkout. Default: made by the API',
    },
    resync: { value: '<address>', help: 'POST lets your program read lost events. Default: they come last' },
    seed: { value: '<text>', help: 'seed of an earlier examination, to repeat its plan. Default: a new one' },
    wait: { value: '<seconds>', help: 'time for your program to finish its work, 0 to 600. Default: 10' },
    ...gatewayOptions,
  },
  examples: [
    'comporta exam --forward-to http://127.0.0.1:3000/callbacks --state http://127.0.0.1:3000/state',
    'comporta exam --forward-to 3000/callbacks --state payments.csv --seed 7Gq2LxPz --json',
  ],
  remote: async (session, input) => (await import('../../../client/exam/exam.ts')).exam(session, input),
}

const doctor: Command = {
  name: 'doctor',
  summary: 'Checks a set-up, from Node to providers, and explains each problem; exits 1 if there is one.',
  operands: [],
  options: {},
  examples: ['comporta doctor', 'MODE=production DATABASE_URL=postgres://… comporta doctor --json'],
  remote: async (session, input) => (await import('../doctor/doctor.ts')).examine(session, input),
}

export const clientCommands: readonly Command[] = [
  listen,
  trigger,
  exam,
  list,
  get,
  refund,
  capture,
  checkout,
  tail,
  doctor,
]
