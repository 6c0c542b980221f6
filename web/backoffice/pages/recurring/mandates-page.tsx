// Mandates of the mobile wallet: what customers allow, what is left of it, and their end.
import { Select } from '@mantine/core'
import { act } from '../../api.ts'
import { AskingButton } from '../../kit/doing.tsx'
import { useFilters } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { Rows } from '../../kit/rows.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { Paged, usePaged } from './paged.tsx'
import { recurringTexts } from './texts.ts'

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
/** Those that can be ended. */
const living = ['REQUESTED', 'ACTIVE', 'SUSPENDED']

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const [filters, change] = useFilters()
  const query = usePaged<Mandate>(`${api}/mandate/mbway`)

  function cellsOf(one: Mandate) {
    return {
      [t.phone]: <span className="number">{one.phone}</span>,
      [t.name]: one.client_name ?? '—',
      [t.kind]: one.type,
      [t.status]: <StatusBadge status={one.state} />,
      [t.limit]: <span className="number">{format.money(one.amount_limit)}</span>,
      [t.available]: <span className="number">{format.money(one.amount_available)}</span>,
      [t.expires]: (
        <span className="number">
          {one.expiry_date === undefined ? t.noEnd : format.day(one.expiry_date)}
        </span>
      ),
      [t.action]: living.includes(one.state) && may('mandates') && (
        <AskingButton
          label={t.endMandate}
          title={t.endMandateOf(one.phone)}
          cancel={t.cancel}
          ask={t.endMandateAsk}
          isDanger
          size="compact-xs"
          variant="light"
          color="red"
          work={async () => {
            await act(`${api}/mandate/mbway/${one.mandate_id}`, { method: 'DELETE' })
            await query.refetch()
          }}
        />
      ),
    }
  }

  return (
    <>
      <PageHead title={t.mandates} about={t.mandatesAbout} />
      <Select
        mb="md"
        maw={240}
        aria-label={t.status}
        placeholder={t.anyStatus}
        clearable
        data={[...states]}
        value={filters.status ?? null}
        onChange={(status) => change({ status: status ?? undefined, offset: undefined })}
      />
      <Paged
        query={query}
        empty={
          filters.status === undefined ? (
            <Empty title={t.noMandates}>{t.noMandatesText}</Empty>
          ) : (
            <Empty title={t.noneMatch}>{t.noneMatchText}</Empty>
          )
        }
      >
        {(mandates) => (
          <Rows
            minWidth={860}
            head={[t.phone, t.name, t.kind, t.status, t.limit, t.available, t.expires, t.action]}
            rows={mandates.map((one) => ({ key: one.mandate_id, cells: cellsOf(one) }))}
          />
        )}
      </Paged>
    </>
  )
}
