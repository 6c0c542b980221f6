// comporta payments, logs tail and checkout create: how their command lines read.
import { placeOptions } from '../../remote/place-options.ts'
import type { Command, OptionSpec } from '../command.ts'

const requestId: OptionSpec = {
  value: '<uuid>',
  help: 'happens once however often it is asked for under this id; without it a new one',
}
const notes: OptionSpec = { value: '<text>', help: 'kept with what is made' }
const dryRun: OptionSpec = { help: 'show what would be booked, and do nothing' }
const load = () => import('../../remote/payments.ts')

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
  act: async (session, input) => (await import('../../remote/checkout.ts')).createCheckout(session, input),
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
  act: async (session, input) => (await import('../../remote/logs.ts')).tailLogs(session, input),
}

export const paymentsCommands: readonly Command[] = [list, get, refund, capture, checkout, tail]
