// comporta trigger: how its command line reads.
import { placeOptions } from '../../remote/place-options.ts'
import type { Command } from '../command.ts'

export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'Has something happen in the sandbox, such as a payment or a refused mandate, with its callback.',
  operands: ['[event]'],
  operandWords: async () => (await import('../../trigger/trigger.ts')).eventNames,
  options: { list: { help: 'show every event, what happens, and its callback' }, ...placeOptions },
  examples: [
    'comporta trigger --list',
    'comporta trigger payment.completed',
    'comporta trigger subscription.charge.failed --merchant "Demo Shop" --json',
  ],
  async act(session, input) {
    return (await import('../../trigger/trigger.ts')).trigger(session, input)
  },
}
