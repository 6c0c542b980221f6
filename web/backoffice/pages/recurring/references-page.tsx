// The bank references of a merchant: open, paid, expired, deleted.
import { Anchor, Badge, Group, Select, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReferencesAnswer } from '../../../../src/backoffice/contract/recurring.ts'
import { act } from '../../api.ts'
import { AskingButton } from '../../kit/doing.tsx'
import { Endless, useEndless, useFilters } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { Rows } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { recurringTexts } from './texts.ts'

type Reference = ReferencesAnswer['references'][number]

const colors = { open: 'blue', paid: 'green', expired: 'gray', deleted: 'gray' } as const

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, id: walletId, may } = useWallet()
  const [filters, change] = useFilters()
  const query = useEndless<ReferencesAnswer>(`${api}/recurring/references`, filters)
  const isFiltered = Object.keys(filters).length > 0

  function cellsOf(one: Reference) {
    const from = format.money(one.amount_min)
    const amount = one.amount_min === one.amount_max ? from : `${from} – ${format.money(one.amount_max)}`
    const ref = one.ref.replace(/(\d{3})(?=\d)/g, '$1 ')
    return {
      [t.when]: <span className="number">{format.moment(one.created)}</span>,
      [t.entity]: <span className="number">{one.entity}</span>,
      [t.ref]: <span className="number">{ref}</span>,
      [t.amount]: <span className="number">{amount}</span>,
      [t.kind]: t.kinds[one.kind],
      [t.status]: (
        <Badge variant="light" tt="none" color={colors[one.state]}>
          {t.states[one.state]}
        </Badge>
      ),
      [t.payableUntil]: (
        <span className="number">{one.expires === null ? t.noEnd : format.moment(one.expires)}</span>
      ),
      [t.action]:
        one.operation === null ? (
          one.state === 'open' &&
          may('mb_reference') && (
            <AskingButton
              label={t.deleteReference}
              title={t.deleteReferenceOf(ref)}
              cancel={t.cancel}
              ask={t.deleteReferenceAsk}
              isDanger
              size="compact-xs"
              variant="light"
              color="red"
              work={async () => {
                await act(`${api}/mb/reference`, {
                  method: 'DELETE',
                  body: { entity: one.entity, ref: one.ref },
                })
                await query.refetch()
              }}
            />
          )
        ) : (
          <Anchor component={Link} to={`/wallets/${walletId}/payments/${one.operation}`} size="sm">
            {t.payment}
          </Anchor>
        ),
    }
  }

  return (
    <>
      <PageHead title={t.references} about={t.referencesAbout} />
      <Group mb="md" gap="sm" role="search">
        <Select
          aria-label={t.status}
          placeholder={t.anyStatus}
          clearable
          data={Object.entries(t.states).map(([value, label]) => ({ value, label }))}
          value={filters.state ?? null}
          onChange={(state) => change({ state: state ?? undefined })}
        />
        <TextInput
          aria-label={t.ref}
          placeholder={t.refHint}
          inputMode="numeric"
          maxLength={11}
          key={filters.ref}
          defaultValue={filters.ref}
          onBlur={(event) => change({ ref: event.currentTarget.value.trim() })}
          onKeyDown={(event) => event.key === 'Enter' && change({ ref: event.currentTarget.value.trim() })}
        />
      </Group>
      <Endless query={query} more={isFiltered ? t.further : t.more}>
        {(pages) => {
          const references = pages.flatMap((page) => page.references)
          if (references.length === 0) {
            return isFiltered ? (
              <Empty title={t.noneMatch}>{t.noneMatchText}</Empty>
            ) : (
              <Empty title={t.noReferences}>{t.noReferencesText}</Empty>
            )
          }
          return (
            <Rows
              minWidth={860}
              head={[t.when, t.entity, t.ref, t.amount, t.kind, t.status, t.payableUntil, t.action]}
              rows={references.map((one) => ({ key: one.id, cells: cellsOf(one) }))}
            />
          )
        }}
      </Endless>
    </>
  )
}
