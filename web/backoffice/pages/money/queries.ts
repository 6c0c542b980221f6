// Shared queries and sums of the money pages.
import { useQuery } from '@tanstack/react-query'
import type { AskersAnswer } from '../../../../src/backoffice/contract/payments.ts'
import { read } from '../../api.ts'
import { useWallet } from '../../session.ts'
import type { BalanceAnswer } from './answers.ts'

const refreshMs = 30_000

export function useBalance() {
  const { api } = useWallet()
  return useQuery({
    queryKey: [api, 'balance'],
    queryFn: ({ signal }) => read<BalanceAnswer>(`${api}/balance`, signal),
    refetchInterval: refreshMs,
  })
}

/** Finds the users who ordered payouts. A payout of a program or of the schedule has none. */
export function useAskers(ids: readonly string[]) {
  const { api } = useWallet()
  const { data } = useQuery({
    queryKey: [api, 'askers', ...ids],
    queryFn: ({ signal }) => read<AskersAnswer>(`${api}/askers?ids=${ids.join(',')}`, signal),
    enabled: ids.length > 0,
  })
  return data ?? {}
}

export function sumOf(euros: Iterable<number>): number {
  let cents = 0
  for (const one of euros) cents += Math.round(one * 100)
  return cents / 100
}

const dayMs = 86_400_000

export function movedDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

export function movedMonth(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}
