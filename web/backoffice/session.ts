// Current user and merchant.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { MerchantAnswer } from '../../src/backoffice/contract/operator/merchants.ts'
import type { SessionAnswer } from '../../src/backoffice/contract/session.ts'
import { read, readSession } from './api.ts'

export type Session = SessionAnswer
export type WalletOfSession = SessionAnswer['wallets'][number]

/** The session, or null if nobody is signed in. Undefined while it loads. */
export function useSessionQuery() {
  return useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 10_000 })
}

export function useSession(): Session {
  const { data } = useSessionQuery()
  if (data === undefined || data === null) throw new Error('nobody is signed in')
  return data
}

export interface CurrentWallet {
  readonly id: number
  readonly api: string
  /** Undefined for an operator, because operators are in no team. */
  readonly membership: WalletOfSession | undefined
  may(ability: string): boolean
  readonly isSuspended: boolean
}

/** The merchant in the address. */
export function useWallet(): CurrentWallet {
  const { wallet } = useParams({ strict: false }) as { wallet?: string }
  const { wallets } = useSession()
  const id = Number(wallet)
  const membership = wallets.find((one) => one.id === id)
  return {
    id,
    api: `/wallets/${id}`,
    membership,
    isSuspended: typeof membership?.suspended === 'string',
    may: (ability) => membership?.abilities.includes(ability) === true,
  }
}

/** The name and suspension of the merchant. Undefined while they load. */
export function useMerchant():
  | { readonly name: string; readonly suspended: string | null; readonly reason: string | null }
  | undefined {
  const { id, membership } = useWallet()
  const { operator } = useSession()
  const path = `/merchants/${id}`
  const { data } = useQuery({
    queryKey: ['operator', path],
    queryFn: ({ signal }) => read<MerchantAnswer>(`/operator${path}`, signal),
    enabled: operator && membership === undefined && Number.isSafeInteger(id),
  })
  const known = membership ?? data
  return known && { name: known.name, suspended: known.suspended, reason: known.suspended_reason }
}
