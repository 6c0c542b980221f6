// The options that say which gateway a command speaks to, and as whom.
import type { OptionSpec } from '../commands/command.ts'

/** Options of every command that acts as a merchant. */
export const placeOptions: Readonly<Record<string, OptionSpec>> = {
  url: { value: '<address>', help: 'of the gateway; else COMPORTA_URL, else that of demo.json' },
  key: { value: '<API key>', help: 'else COMPORTA_API_KEY, which no list of processes shows' },
  merchant: {
    value: '<name or wallet>',
    help: 'as this merchant of DATA_DIR/demo.json; without it the first',
  },
}
