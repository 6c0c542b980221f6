// Payment links of the merchant.
import { Button, CopyButton, Group, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { BeginButton } from '../../kit/begin-button.tsx'
import { MoreButton } from '../../kit/endless.tsx'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { linkTexts } from './i18n.ts'
import { CloseWindow, CodeWindow } from './link-windows.tsx'
import type { PaymentLink } from './model.ts'
import { NewLink } from './new-link.tsx'

interface Answer {
  readonly total: number
  readonly elements: readonly PaymentLink[]
}

const perPage = 20

type Window =
  | { readonly kind: 'new' }
  | { readonly kind: 'ready' | 'code' | 'close'; readonly link: PaymentLink }

export function Page() {
  const t = useTexts(linkTexts)
  const { api, may } = useWallet()
  const queries = useQueryClient()
  const [status, setStatus] = useState('ACTIVE')
  const [shown, show] = useState<Window>()
  const query = useInfiniteQuery({
    queryKey: [api, 'payment links', status],
    queryFn: ({ pageParam, signal }) => {
      const filter = status === '' ? '' : `&status=${status}`
      return read<Answer>(`${api}/payment_links?limit=${perPage}&offset=${pageParam}${filter}`, signal)
    },
    initialPageParam: 0,
    getNextPageParam: ({ total }, all) => (all.length * perPage < total ? all.length : undefined),
  })
  const again = (next?: Window) => {
    void queries.invalidateQueries({ queryKey: [api, 'payment links'] })
    show(next)
  }
  const makeButton = may('checkout') && (
    <BeginButton onClick={() => show({ kind: 'new' })}>{t.make}</BeginButton>
  )
  return (
    <>
      <PageHead title={t.title} about={t.about} actions={makeButton} />
      <StatusChoice status={status} choose={setStatus} />
      <Loaded query={query}>
        {({ pages }) => {
          const links = pages.flatMap(({ elements }) => elements)
          return links.length === 0 ? (
            <Empty title={t.none} action={makeButton}>
              {t.noneText}
            </Empty>
          ) : (
            <Links links={links} show={show} />
          )
        }}
      </Loaded>
      <MoreButton query={query} label={t.more} />
      {shown?.kind === 'new' && (
        <NewLink close={() => show(undefined)} made={(link) => again({ kind: 'ready', link })} />
      )}
      {(shown?.kind === 'ready' || shown?.kind === 'code') && (
        <CodeWindow
          link={shown.link}
          title={shown.kind === 'ready' ? t.ready : t.code}
          close={() => show(undefined)}
        />
      )}
      {shown?.kind === 'close' && (
        <CloseWindow link={shown.link} close={() => show(undefined)} closed={() => again()} />
      )}
    </>
  )
}

function StatusChoice({
  status,
  choose,
}: {
  readonly status: string
  readonly choose: (status: string) => void
}) {
  const t = useTexts(linkTexts)
  const words = useTexts(statusWords)
  return (
    <SegmentedControl
      mb="md"
      aria-label={t.status}
      value={status}
      onChange={choose}
      data={[
        { value: 'ACTIVE', label: words.active },
        { value: 'USED', label: words.used },
        { value: '', label: t.all },
      ]}
    />
  )
}

const statusWords = { en: { active: 'Active', used: 'Used' }, pt: { active: 'Ativos', used: 'Usados' } }

function Links({
  links,
  show,
}: {
  readonly links: readonly PaymentLink[]
  readonly show: (shown: Window) => void
}) {
  const t = useTexts(linkTexts)
  const format = useFormats()
  const { may } = useWallet()
  const actionsOf = (link: PaymentLink) => (
    <Group gap={4} justify="flex-end">
      <CopyButton value={link.url}>
        {({ copied, copy }) => (
          <Button size="compact-sm" variant="subtle" onClick={copy}>
            {copied ? t.copied : t.copy}
          </Button>
        )}
      </CopyButton>
      <Button size="compact-sm" variant="subtle" onClick={() => show({ kind: 'code', link })}>
        {t.code}
      </Button>
      {may('checkout') && link.status !== 'CLOSED' && (
        <Button size="compact-sm" variant="subtle" color="red" onClick={() => show({ kind: 'close', link })}>
          {t.close}
        </Button>
      )}
    </Group>
  )
  return (
    <DataTable
      label={t.title}
      minWidth={880}
      columns={[
        { head: t.what, cell: ({ description }) => description },
        {
          head: t.amount,
          kind: 'amount',
          cell: (link) =>
            format.range(link.amount ?? link.amount_min ?? 0, link.amount ?? link.amount_max ?? 0),
        },
        { head: t.status, cell: ({ status }) => <StatusBadge status={status} /> },
        {
          head: t.uses,
          kind: 'line',
          cell: (link) => `${t.paidOf(link.uses, link.uses_max)} · ${format.money(link.amount_paid)}`,
        },
        { head: t.made, kind: 'line', cell: ({ date }) => format.day(date) },
        { head: t.actions, kind: 'actions', cell: actionsOf },
      ]}
      rows={links}
      keyOf={({ id }) => id}
    />
  )
}
