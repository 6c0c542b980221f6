// Pairs of effects without a crash point between them, where a death does no harm.
import type { Gap } from './recorder.ts'

/** These effects move no money and report none, so each is right without the other. */
const apart = {
  'request-log/': 'requests are logged in groups after the answers, and a group may be lost',
  'wallets/keys/key-store': 'the last use of a key is written in groups after the answers',
  'wallets/consumer-store': 'tries of a code are counted before the comparison, and forgotten after a match',
  'backoffice/': 'people sign in again, and each act is recorded before and after it',
  'audits/': 'the next run marks the run of a dead process as ended',
  'cli/commands/vault-commands':
    'the key file appears whole under its name, and a started rotation continues',
  'operations/read/counts': 'list counts are summed after the operations, each row once',
  'operations/limits-store': 'past days are deleted',
  'secure-fields/': 'expired keys and their uses are deleted',
  'operations/limits.ts admitPayment':
    'counted once per operation id; an operation that never opens frees its part when needed',
  'operations/attempts/customers/store.ts postponeInquiry': 'only the time of the next inquiry',
  'callbacks/resend-store.ts makeFailedDue': 'made due in portions; a repeated request makes the rest due',
  'connections/requests-store.ts dropSignaturesBefore': 'old rows are deleted, the rest by the next run',
  'checkouts/store.ts forgetSettledTimers': 'timers of settled checkouts are deleted',
  'methods/multibanco/numbers.ts': 'numbers of a dead process stay unused',
  'callbacks/store.ts releaseExpired': 'leases of dead processes end before the next claim',
  'operations/attempts/store.ts writeDueAttempts': 'opened attempts are listed before any claim',
  'bank-files/write.ts gather': 'the next run writes the gathered orders; often none are left',
  'bank-files/write.ts writeBankFiles': 'each file is written and marked separately; the next run continues',
  'bank-files/incoming/worker.ts claim': 'two claims, each under a lease of its own',
  'operations/attempts/store.ts renew': 'only a delayed call is postponed once more, before it is made',
  'operations/attempts/customers/store.ts renew':
    'only a delayed call is postponed once more, before it is made',
  'operations/attempts/store.ts recordLateApproval':
    'a late approval is due for reversal until it is reversed',
  'callbacks/endpoints/queue.ts':
    'each statement moves the position of an endpoint with its deliveries, or ends expired leases',
  'callbacks/endpoints/deliveries-store.ts deleteOldDeliveries':
    'old deliveries are deleted, the rest by the next run',
  'callbacks/endpoints/deliveries-store.ts dropDeleted':
    'deliveries of deleted endpoints are deleted, and the next run deletes the rest',
  'mail/store.ts addExpiring': 'old mails are deleted, the rest by the next run',
  'sandbox/': 'the sandbox simulates others',
} as const

/** The places that the explanations name: a path below `src` or of the sandbox, and sometimes a function. */
export const explainedSites = Object.keys(apart)

export function isExplained({ first, next }: Gap): boolean {
  return [first[0], next[0]].some((site) => explainedSites.some((known) => site?.startsWith(known)))
}
