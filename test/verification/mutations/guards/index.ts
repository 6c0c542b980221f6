// List of all guards.
import { type Guard, guardOf } from './guard.ts'
import { guardsOfMethods } from './methods.ts'
import { guardsOfOperations } from './operations.ts'
import { guardsOfRequests } from './requests.ts'
import { guardsOfSchema } from './schema.ts'

export interface ListedGuard extends Guard {
  readonly file: string
  readonly tests: readonly string[]
}

export const guards: readonly ListedGuard[] = [
  ...guardsOfOperations,
  ...guardsOfRequests,
  ...guardsOfMethods,
  ...guardsOfSchema,
].flatMap(({ file, tests, guards }) => guards.map((entry) => ({ ...guardOf(entry), file, tests })))
