// Stored cards of the merchant.
import { Badge, Checkbox, Group, TextInput } from '@mantine/core'
import type { CardsAnswer } from '../../../../src/backoffice/contract/recurring.ts'
import { act } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { RemoveButton } from '../../kit/confirm-button.tsx'
import { Endless, useEndless, useFilters } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { recurringTexts } from './i18n.ts'

type Card = CardsAnswer['cards'][number]

const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
}

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const [filters, change] = useFilters()
  const query = useEndless<CardsAnswer>(`${api}/recurring/cards`, filters)
  const isFiltered = Object.keys(filters).length > 0

  const columns: readonly Column<Card>[] = [
    {
      head: t.card,
      kind: 'line',
      cell: ({ brand, bin, last4 }) => `${brandNames[brand] ?? brand} ${bin.slice(0, 4)}•••• ${last4}`,
    },
    {
      head: t.valid,
      kind: 'line',
      cell: ({ expired, valdate }) => (expired ? `${valdate} · ${t.over}` : valdate),
    },
    { head: t.stored, kind: 'line', cell: ({ created }) => format.day(created) },
    { head: t.status, cell: (card) => <StateOf card={card} /> },
    {
      head: t.action,
      kind: 'actions',
      cell: ({ deleted, last4, token }) =>
        deleted === null &&
        token !== undefined &&
        may('card') && (
          <RemoveButton
            label={t.deleteCard}
            title={t.deleteCardOf(last4)}
            ask={t.deleteCardAsk}
            work={async () => {
              await act(`${api}/recurring/cards/${token}`, { method: 'DELETE' })
              await query.refetch()
            }}
          />
        ),
    },
  ]

  return (
    <>
      <PageHead title={t.cards} about={t.cardsAbout} />
      <Group mb="md" gap="md" role="search">
        <TextInput
          aria-label={t.last4}
          placeholder={t.last4}
          inputMode="numeric"
          maxLength={4}
          key={filters.last4}
          defaultValue={filters.last4}
          onBlur={(event) => change({ last4: event.currentTarget.value.trim() })}
          onKeyDown={(event) => event.key === 'Enter' && change({ last4: event.currentTarget.value.trim() })}
        />
        <Checkbox
          label={t.showDeleted}
          checked={filters.deleted === 'true'}
          onChange={(event) => change({ deleted: event.currentTarget.checked ? 'true' : undefined })}
        />
      </Group>
      <Endless query={query} more={t.more}>
        {(pages) => {
          const cards = pages.flatMap((page) => page.cards)
          if (cards.length > 0) {
            return (
              <DataTable
                label={t.cards}
                columns={columns}
                rows={cards}
                keyOf={({ token, created, bin, last4 }) => token ?? `${created} ${bin} ${last4}`}
              />
            )
          }
          return isFiltered ? (
            <Empty title={t.noneMatch}>{t.noneMatchText}</Empty>
          ) : (
            <Empty title={t.noCards}>{t.noCardsText}</Empty>
          )
        }}
      </Endless>
    </>
  )
}

function StateOf({ card: { deleted, expired, verified } }: { readonly card: Card }) {
  const t = useTexts(recurringTexts)
  const isLive = deleted === null && !expired
  return (
    <Badge variant="light" tt="none" color={isLive ? 'green' : 'gray'}>
      {deleted !== null ? t.deleted : verified ? t.verified : t.live}
    </Badge>
  )
}
