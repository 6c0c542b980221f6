// Who is signed in, and in which merchant's backoffice they are.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { SessionAnswer } from '../../src/backoffice/contract/session.ts'
import { readSession } from './api.ts'

export type Session = SessionAnswer
export type WalletOfSession = SessionAnswer['wallets'][number]

/** Null while nobody is signed in; undefined while that is not known. */
export function useSessionQuery() {
  return useQuery({ queryKey: ['session'], queryFn: readSession, staleTime: 60_000 })
}

/** For pages behind the sign-in. */
export function useSession(): Session {
  const { data } = useSessionQuery()
  if (data === undefined || data === null) throw new Error('nobody is signed in')
  return data
}

export interface CurrentWallet {
  readonly id: number
  /** What asks about it begins with. */
  readonly api: string
  /** Undefined for an operator, who reads. */
  readonly membership: WalletOfSession | undefined
  may(ability: string): boolean
}

/** The merchant whose pages these are, as the address names it. */
export function useWallet(): CurrentWallet {
  const { wallet } = useParams({ strict: false }) as { wallet?: string }
  const { wallets } = useSession()
  const id = Number(wallet)
  const membership = wallets.find((one) => one.id === id)
  return {
    id,
    api: `/wallets/${id}`,
    membership,
    may: (ability) => membership?.abilities.includes(ability) === true,
  }
}
