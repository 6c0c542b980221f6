// comporta listen: how its command line reads.
import { placeOptions } from '../../remote/place-options.ts'
import type { Command } from '../command.ts'

export const listenCommand: Command = {
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
    return (await import('../../remote/listen.ts')).listen(session, input)
  },
}
