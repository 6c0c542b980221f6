// MB WAY mandates of the merchant.
import { Select } from '@mantine/core'
import { useState } from 'react'
import { act } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { BeginButton } from '../../kit/begin-button.tsx'
import { RemoveButton } from '../../kit/confirm-button.tsx'
import { useFilters } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { StatusBadge, useStatusName } from '../../kit/status.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { recurringTexts } from './i18n.ts'
import { newTexts } from './new/i18n.ts'
import { NewMandate, useMayAskForMandate } from './new/new-mandate.tsx'
import { Paged, usePaged } from './paged.tsx'

interface Mandate {
  readonly mandate_id: string
  readonly phone: string
  readonly client_name?: string
  readonly state: string
  readonly type: string
  readonly amount_limit: number
  readonly amount_available: number
  readonly creation_date: string
  readonly expiry_date?: string
}

const states = ['REQUESTED', 'ACTIVE', 'SUSPENDED', 'VOIDED', 'EXPIRED'] as const
const living = ['REQUESTED', 'ACTIVE', 'SUSPENDED']

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const [filters, change] = useFilters()
  const query = usePaged<Mandate>(`${api}/mandate/mbway`)

  const [isMaking, setIsMaking] = useState(false)
  const { newMandate, types: mandateNames } = useTexts(newTexts)
  const nameOf = useStatusName()
  const make = useMayAskForMandate() && (
    <BeginButton onClick={() => setIsMaking(true)}>{newMandate}</BeginButton>
  )

  const columns: readonly Column<Mandate>[] = [
    { head: t.phone, kind: 'line', cell: ({ phone }) => phone },
    { head: t.name, cell: ({ client_name }) => client_name },
    { head: t.kind, cell: ({ type }) => mandateNames[type as keyof typeof mandateNames] ?? type },
    { head: t.status, cell: ({ state }) => <StatusBadge status={state} /> },
    { head: t.limit, kind: 'amount', cell: ({ amount_limit }) => format.money(amount_limit) },
    { head: t.available, kind: 'amount', cell: ({ amount_available }) => format.money(amount_available) },
    {
      head: t.expires,
      kind: 'line',
      cell: ({ expiry_date }) => (expiry_date === undefined ? t.noEnd : format.day(expiry_date)),
    },
    {
      head: t.action,
      kind: 'actions',
      cell: ({ state, phone, mandate_id }) =>
        living.includes(state) &&
        may('mandates') && (
          <RemoveButton
            label={t.endMandate}
            title={t.endMandateOf(phone)}
            ask={t.endMandateAsk}
            work={async () => {
              await act(`${api}/mandate/mbway/${mandate_id}`, { method: 'DELETE' })
              await query.refetch()
            }}
          />
        ),
    },
  ]

  return (
    <>
      <PageHead title={t.mandates} about={t.mandatesAbout} actions={make} />
      {isMaking && <NewMandate close={() => setIsMaking(false)} made={query.refetch} />}
      <Select
        mb="md"
        maw={240}
        aria-label={t.status}
        placeholder={t.anyStatus}
        clearable
        data={states.map((value) => ({ value, label: nameOf(value) }))}
        value={filters.status ?? null}
        onChange={(status) => change({ status: status ?? undefined, offset: undefined })}
      />
      <Paged
        query={query}
        empty={
          filters.status === undefined ? (
            <Empty title={t.noMandates} action={make}>
              {t.noMandatesText}
            </Empty>
          ) : (
            <Empty title={t.noneMatch}>{t.noneMatchText}</Empty>
          )
        }
      >
        {(mandates) => (
          <DataTable
            label={t.mandates}
            minWidth={860}
            columns={columns}
            rows={mandates}
            keyOf={({ mandate_id }) => mandate_id}
          />
        )}
      </Paged>
    </>
  )
}
