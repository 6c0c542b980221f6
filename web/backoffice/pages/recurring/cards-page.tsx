// Cards that the merchant has stored: what is shown of them, and their end.
import { Badge, Checkbox, Group, TextInput } from '@mantine/core'
import type { CardsAnswer } from '../../../../src/backoffice/contract/recurring.ts'
import { act } from '../../api.ts'
import { AskingButton } from '../../kit/doing.tsx'
import { Endless, useEndless, useFilters } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { Rows } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { recurringTexts } from './texts.ts'

type Card = CardsAnswer['cards'][number]

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const [filters, change] = useFilters()
  const query = useEndless<CardsAnswer>(`${api}/recurring/cards`, filters)
  const isFiltered = Object.keys(filters).length > 0

  function cellsOf(card: Card) {
    return {
      [t.card]: <span className="number">{`${card.brand} ${card.bin.slice(0, 4)}•••• ${card.last4}`}</span>,
      [t.valid]: (
        <span className="number">{card.expired ? `${card.valdate} · ${t.over}` : card.valdate}</span>
      ),
      [t.stored]: <span className="number">{format.day(card.created)}</span>,
      [t.status]:
        card.deleted === null ? (
          <Badge variant="light" tt="none" color={card.expired ? 'gray' : 'green'}>
            {card.verified ? t.verified : t.live}
          </Badge>
        ) : (
          <Badge variant="light" tt="none" color="gray">
            {t.deleted}
          </Badge>
        ),
      [t.action]: card.deleted === null && may('card') && (
        <AskingButton
          label={t.deleteCard}
          title={t.deleteCardOf(card.last4)}
          cancel={t.cancel}
          ask={t.deleteCardAsk}
          isDanger
          size="compact-xs"
          variant="light"
          color="red"
          work={async () => {
            await act(`${api}/recurring/cards/${card.token}`, { method: 'DELETE' })
            await query.refetch()
          }}
        />
      ),
    }
  }

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
              <Rows
                head={[t.card, t.valid, t.stored, t.status, t.action]}
                rows={cards.map((card) => ({ key: card.token, cells: cellsOf(card) }))}
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
