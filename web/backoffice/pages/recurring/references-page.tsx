// Multibanco references of the merchant.
import { Anchor, Badge, Group, Select, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReferencesAnswer } from '../../../../src/backoffice/contract/recurring.ts'
import { act } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { BeginButton } from '../../kit/begin-button.tsx'
import { RemoveButton } from '../../kit/confirm-button.tsx'
import { Endless, type Filters, useEndless, useFilters } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { recurringTexts } from './i18n.ts'
import { newTexts } from './new/i18n.ts'
import { NewReference, useReferenceKinds } from './new/new-reference.tsx'

type Reference = ReferencesAnswer['references'][number]

const colors = { open: 'blue', paid: 'green', expired: 'gray', deleted: 'gray' } as const

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, id: walletId, may } = useWallet()
  const [filters, change] = useFilters()
  const query = useEndless<ReferencesAnswer>(`${api}/recurring/references`, filters)
  const [isMaking, setIsMaking] = useState(false)
  const kinds = useReferenceKinds()
  const { newReference } = useTexts(newTexts)
  const make = kinds.length > 0 && <BeginButton onClick={() => setIsMaking(true)}>{newReference}</BeginButton>
  const isFiltered = Object.keys(filters).length > 0

  const refOf = (one: Reference) => one.ref.replace(/(\d{3})(?=\d)/g, '$1 ')
  const columns: readonly Column<Reference>[] = [
    { head: t.when, kind: 'line', cell: (one) => format.moment(one.created) },
    { head: t.entity, kind: 'line', cell: (one) => one.entity },
    { head: t.ref, kind: 'line', cell: refOf },
    { head: t.amount, kind: 'amount', cell: (one) => format.range(one.amount_min, one.amount_max) },
    { head: t.kind, cell: (one) => t.kinds[one.kind] },
    {
      head: t.status,
      cell: ({ state }) => (
        <Badge variant="light" tt="none" color={colors[state]}>
          {t.states[state]}
        </Badge>
      ),
    },
    {
      head: t.payableUntil,
      kind: 'line',
      cell: ({ expires }) => (expires === null ? t.noEnd : format.moment(expires)),
    },
    { head: t.action, kind: 'actions', cell: actionOf },
  ]

  function actionOf(one: Reference) {
    if (one.operation !== null) {
      return (
        <Anchor component={Link} to={`/wallets/${walletId}/payments/${one.operation}`}>
          {t.payment}
        </Anchor>
      )
    }
    return (
      one.state === 'open' &&
      may('mb_reference') && (
        <RemoveButton
          label={t.deleteReference}
          title={t.deleteReferenceOf(refOf(one))}
          ask={t.deleteReferenceAsk}
          work={async () => {
            await act(`${api}/mb/reference`, {
              method: 'DELETE',
              body: { entity: one.entity, ref: one.ref },
            })
            await query.refetch()
          }}
        />
      )
    )
  }

  return (
    <>
      <PageHead title={t.references} about={t.referencesAbout} actions={make} />
      {isMaking && <NewReference kinds={kinds} close={() => setIsMaking(false)} made={query.refetch} />}
      <Search filters={filters} change={change} />
      <Endless query={query} more={isFiltered ? t.further : t.more}>
        {(pages) => {
          const references = pages.flatMap((page) => page.references)
          if (references.length === 0) {
            return isFiltered ? (
              <Empty title={t.noneMatch}>{t.noneMatchText}</Empty>
            ) : (
              <Empty title={t.noReferences} action={make}>
                {t.noReferencesText}
              </Empty>
            )
          }
          return (
            <DataTable
              label={t.references}
              minWidth={900}
              columns={columns}
              rows={references}
              keyOf={({ id }) => id}
            />
          )
        }}
      </Endless>
    </>
  )
}

interface SearchProps {
  readonly filters: Filters
  readonly change: ReturnType<typeof useFilters>[1]
}

function Search({ filters, change }: SearchProps) {
  const t = useTexts(recurringTexts)
  return (
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
  )
}
