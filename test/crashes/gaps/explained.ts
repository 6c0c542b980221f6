// Pairs of effects that need no crash point between them.
import type { Gap } from './recorder.ts'

/** They move no money and report none, so each is right without the other. */
const apart = {
  'request-log/': 'what was asked is written down in groups behind the answers, which may be lost',
  'wallets/keys/key-store': 'when a key was last used is written in groups behind the answers',
  'wallets/consumers/consumer-store':
    'tries of a code are counted before it is compared, and forgotten after it fits',
  'backoffice/': 'people sign in again, and what they did is noted before and after it',
  'audits/': 'a run whose process died is said to have ended by the next',
  'cli/commands/vault-commands': 'the key file appears whole under its name; a rotation begun is continued',
  'operations/read/counts': 'numbers for lists are added up behind the operations, each row once',
  'operations/limits/day-store': 'days that are over are forgotten',
  'secure-fields/': 'keys that are over, and their uses, are forgotten',
  'operations/limits/limits.ts admitPayment':
    'counted under the id of its operation, once however often; what is not opened leaves the day when room is needed',
  'operations/attempts/customers/store.ts postponeLook': 'only when its rail is asked next',
  'callbacks/resend-store.ts makeFailedDue': 'made due in portions: whoever asks again makes the rest due',
  'connections/requests/requests-store.ts dropSignaturesBefore':
    'what is old is forgotten, the rest by the next run',
  'checkouts/store.ts forgetSettledTimers': 'timers of what is settled are forgotten',
  'methods/multibanco/numbers/': 'numbers reserved by a process that dies are left out',
  'methods/multibanco/providers/providers-store': 'numbers reserved by a process that dies are left out',
  'callbacks/store.ts releaseExpired': 'leases of dead processes end before more is claimed',
  'operations/attempts/store.ts writeDueAttempts': 'what was opened is listed before any of it is claimed',
  'bank-files/store.ts gatherFile':
    'what was given to a file is written by the next run; often nothing is left to give',
  'bank-files/write.ts writeBankFiles':
    'each file is written and marked by itself: the next run writes the next',
  'bank-files/incoming/store.ts claim': 'two claims, each under a lease of its own',
  'operations/attempts/store.ts renew':
    'only a call that was held up is postponed once more, before it is made',
  'operations/attempts/customers/store.ts renew':
    'only a call that was held up is postponed once more, before it is made',
  'operations/attempts/store.ts recordLateApproval':
    'what is to be reversed is due from then on, until it is',
  'sandbox/': 'what the sandbox plays is not the gateway',
} as const

export function isExplained({ first, next }: Gap): boolean {
  return [first[0], next[0]].some((site) => Object.keys(apart).some((known) => site?.startsWith(known)))
}
