// What several money pages read, asked for once.
import { useQuery } from '@tanstack/react-query'
import type { AskersAnswer } from '../../../../src/backoffice/contract/payments.ts'
import { read } from '../../api.ts'
import { useWallet } from '../../session.ts'
import type { BalanceAnswer } from './answers.ts'

const refreshMs = 30_000

/** The balance now, read again while the page is open. */
export function useBalance() {
  const { api } = useWallet()
  return useQuery({
    queryKey: [api, 'balance'],
    queryFn: ({ signal }) => read<BalanceAnswer>(`${api}/balance`, signal),
    refetchInterval: refreshMs,
  })
}

/** Who of the team ordered payouts; those of programs and schedules are in none. */
export function useAskers(ids: readonly string[]) {
  const { api } = useWallet()
  const { data } = useQuery({
    queryKey: [api, 'askers', ...ids],
    queryFn: ({ signal }) => read<AskersAnswer>(`${api}/askers?ids=${ids.join(',')}`, signal),
    enabled: ids.length > 0,
  })
  return data ?? {}
}

/** The sum of euros, to the cent. */
export function sumOf(euros: Iterable<number>): number {
  let cents = 0
  for (const one of euros) cents += Math.round(one * 100)
  return cents / 100
}

const dayMs = 86_400_000

/** A day as `yyyy-mm-dd`, moved by whole days. */
export function movedDay(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** A month as `yyyy-mm`, moved by whole months. */
export function movedMonth(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7)
}
