// Statement entries of one day.
import { Anchor, Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { MoreButton } from '../../kit/endless.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { paymentTexts } from '../payments/i18n.ts'
import type { EntriesAnswer, Entry } from './answers.ts'
import { statementTexts } from './i18n.ts'

export function Page() {
  const t = useTexts(statementTexts)
  const format = useFormats()
  const { api, id } = useWallet()
  const { day = '' } = useParams({ strict: false }) as { day?: string }
  const query = useInfiniteQuery({
    queryKey: [api, 'statement', 'entries', day],
    queryFn: ({ signal, pageParam }) =>
      read<EntriesAnswer>(`${api}/statement/${day}${pageParam === '' ? '' : `?after=${pageParam}`}`, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  return (
    <>
      <PageHead
        title={`${t.title} · ${/^\d{4}-\d\d-\d\d$/.test(day) ? format.day(day) : day}`}
        actions={
          <Button
            component={Link}
            variant="default"
            to={`/wallets/${id}/statement?month=${day.slice(0, 7)}` as string}
          >
            {t.wholeMonth}
          </Button>
        }
      />
      <Loaded query={query}>
        {({ pages }) => {
          const entries = pages.flatMap(({ elements }) => elements)
          return entries.length === 0 ? (
            <Empty title={t.none}>{t.noneText}</Empty>
          ) : (
            <Entries entries={entries} />
          )
        }}
      </Loaded>
      <MoreButton query={query} label={t.more} />
    </>
  )
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  const t = useTexts(statementTexts)
  const format = useFormats()
  const names = useTexts(paymentTexts).methods
  const methodOf = ({ method }: Entry) => method && (names[method] ?? method)
  return (
    <DataTable
      label={t.title}
      minWidth={720}
      columns={[
        { head: t.when, kind: 'line', cell: ({ date }) => format.moment(date) },
        { head: t.what, cell: (entry) => [t.kinds[entry.kind], methodOf(entry)].filter(Boolean).join(' · ') },
        { head: t.reference, cell: (entry) => <Reference entry={entry} /> },
        { head: t.gross, kind: 'amount', cell: ({ amount }) => format.money(amount) },
        { head: t.fees, kind: 'amount', cell: ({ fee }) => (fee === 0 ? '–' : format.money(fee)) },
        { head: t.net, kind: 'amount', cell: (entry) => <b>{format.money(entry.amount_net)}</b> },
      ]}
      rows={entries}
      keyOf={(entry) => `${entry.operation_id} ${entry.kind} ${entry.date} ${entry.amount}`}
    />
  )
}

function Reference({ entry }: { readonly entry: Entry }) {
  const { id } = useWallet()
  const { operation_id: operation, ext_invoiceid: invoice, notes, kind } = entry
  if (operation === undefined) return notes
  const page = kind === 'payout' ? 'payouts' : 'payments'
  return (
    <Anchor component={Link} to={`/wallets/${id}/${page}/${operation}` as string} inherit>
      {invoice ?? notes ?? operation}
    </Anchor>
  )
}
