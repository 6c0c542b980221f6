// The action log, with the changes of a merchant's settings, keys and team.
import { maskedIban } from '../../bank-files/index.ts'
import type { Change } from '../../http/index.ts'
import { type Cents, decimalText } from '../../kernel/money.ts'
import { newId } from '../../kernel/random.ts'
import { type Instant, toTimestamp } from '../../kernel/time.ts'
import type { Core } from '../../module.ts'
import type { Wallets } from '../../wallets/index.ts'
import { openLinksOf } from '../accounts/one-time-links.ts'
import { membersOf, teamAsksTwoFactor } from '../accounts/team.ts'
import { beginAction, endAction, forgetAction, type NewAction } from './actions-store.ts'

const unnamed = new Set(['id', 'kind', 'publicId', 'createdAt', 'modifiedAt', 'stores'])
const textLengthMax = 300

interface ActionLogDeps extends Pick<Core, 'database' | 'clock' | 'random'> {
  readonly wallets: Pick<Wallets, 'find' | 'listKeys' | 'listStores'>
}

export interface BegunAction {
  /** `walletId`: a merchant that the request does not name. `changed`: more changes for the log. */
  end(status: number, walletId?: bigint, changed?: readonly Change[]): Promise<void>
  forget(): Promise<void>
}

export interface ActionLog {
  /** Writes the entry before the action. `keepsValues`: the values of settings, keys and team are logged. */
  begin(action: NewAction, keepsValues: boolean): Promise<BegunAction>
  /** Begins the entry of a command: for each of the wallets, or only for the operator. */
  beginCommand(
    action: string,
    target: string,
    walletIds: readonly bigint[],
    amount?: bigint,
  ): Promise<BegunAction>
}

export function createActionLog({ database, clock, random, wallets }: ActionLogDeps): ActionLog {
  /** The settings, keys and team of a merchant as text. */
  async function snapshotOf(walletId: bigint): Promise<Map<string, string>> {
    const [wallet, keys, stores, members, asksTwoFactor, links] = await Promise.all([
      wallets.find(walletId),
      wallets.listKeys(walletId),
      wallets.listStores(walletId),
      membersOf(database, walletId),
      teamAsksTwoFactor(database, walletId),
      openLinksOf(database, walletId, clock.now()),
    ])
    const settings = Object.entries(wallet ?? {}).filter(([name]) => !unnamed.has(name))
    return new Map([
      ...settings.map(([name, value]) => [snakeCase(name), inWords(name, value)] as const),
      ...stores.map(({ id, name }) => [`store ${id}`, name] as const),
      ...keys
        .filter(({ revokedAt }) => revokedAt === null)
        .map(({ id, permissions }) => [`key ${id}`, permissions.join(', ')] as const),
      ['two_factor_required', String(asksTwoFactor)] as const,
      ...members.map(({ email, role }) => [`team ${email}`, role] as const),
      ...links.map(({ kind, email, role, expiresAt }) => {
        const until = `until ${toTimestamp(expiresAt)}`
        return [`${kind} ${email}`, role === null ? until : `${role}, ${until}`] as const
      }),
    ])
  }

  async function begin(action: NewAction, keepsValues: boolean): Promise<BegunAction> {
    const { walletId } = action
    const before = keepsValues && walletId !== undefined ? await snapshotOf(walletId) : undefined
    const id = await beginAction(database, action)
    return {
      async end(status, known, changed) {
        const owner = walletId ?? known
        // If the merchant is new, the action lists its changes itself.
        const isCompared = keepsValues && (before !== undefined || changed === undefined)
        const compared =
          isCompared && owner !== undefined
            ? changesBetween(before ?? new Map(), await snapshotOf(owner))
            : []
        const changes = [...compared, ...(changed ?? [])]
        await endAction(database, id, { status, walletId: known, changes })
      },
      forget: () => forgetAction(database, id),
    }
  }

  return {
    begin,
    async beginCommand(action, target, walletIds, amount) {
      const now = clock.now()
      const by = { userId: '', email: 'command line', tid: newId(now, random), address: undefined }
      const all = walletIds.length === 0 ? [undefined] : walletIds
      const begun: BegunAction[] = []
      for (const walletId of all) {
        begun.push(await begin({ at: now, walletId, action, target, amount, ...by }, true))
      }
      return {
        async end(status, walletId, changed) {
          for (const one of begun) await one.end(status, walletId, changed)
        },
        async forget() {
          for (const one of begun) await one.forget()
        },
      }
    },
  }
}

function changesBetween(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Change[] {
  const fields = new Set([...before.keys(), ...after.keys()])
  return [...fields].flatMap((field) => {
    const [old, now] = [before.get(field) ?? '', after.get(field) ?? '']
    return old === now ? [] : { field, old: shown(field, old), new: shown(field, now) }
  })
}

function shown(field: string, value: string): string {
  return field === 'iban' && value !== '' ? maskedIban(value) : value
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function inWords(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'bigint') return decimalText(value as Cents)
  if (typeof value === 'number' && name.endsWith('At')) return toTimestamp(value as Instant)
  const text = Array.isArray(value)
    ? value.join(', ')
    : typeof value === 'object'
      ? json(value)
      : String(value)
  return text.slice(0, textLengthMax)
}

function json(value: object): string {
  return JSON.stringify(value, (_name, member) =>
    typeof member === 'bigint' ? decimalText(member as Cents) : member,
  )
}
