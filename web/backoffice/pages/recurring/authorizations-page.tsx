// Authorizations: what is reserved, what is left of it, and capturing or releasing that.
import { Group } from '@mantine/core'
import { Empty, PageHead } from '../../kit/page.tsx'
import { Rows } from '../../kit/rows.tsx'
import { StatusBadge } from '../../kit/status.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { Paged, usePaged } from './paged.tsx'
import { TakeButton } from './take-button.tsx'
import { recurringTexts } from './texts.ts'

interface Movement {
  readonly amount: number
  readonly status: string
}

interface Authorization {
  readonly id: string
  readonly date: string
  readonly amount: number
  readonly currency: string
  readonly status: string
  readonly expires?: string
  readonly ext_invoiceid?: string
  readonly captures: readonly Movement[]
  readonly releases: readonly Movement[]
}

/** In whole cents, so that sums of euros are exact. */
const centsOf = (movements: readonly Movement[]) =>
  movements
    .filter(({ status }) => status === 'COMPLETED' || status === 'PENDING')
    .reduce((sum, { amount }) => sum + Math.round(Math.abs(amount) * 100), 0)

export function Page() {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const query = usePaged<Authorization>(`${api}/authorizations`)

  function cellsOf(one: Authorization) {
    const captured = centsOf(one.captures)
    const isOver = one.expires !== undefined && Date.parse(one.expires) <= Date.now()
    const isOpen = one.status === 'COMPLETED' && !isOver
    const left = isOpen ? (Math.round(one.amount * 100) - captured - centsOf(one.releases)) / 100 : 0
    return {
      [t.when]: <span className="number">{format.moment(one.date)}</span>,
      [t.invoice]: <span className="identifier">{one.ext_invoiceid ?? one.id.slice(0, 8)}</span>,
      [t.status]: <StatusBadge status={one.status} />,
      [t.reserved]: <span className="number">{format.money(one.amount, one.currency)}</span>,
      [t.captured]: <span className="number">{format.money(captured / 100, one.currency)}</span>,
      [t.left]: <span className="number">{format.money(left, one.currency)}</span>,
      [t.lapses]: (
        <span className="number">
          {one.status === 'COMPLETED' && one.expires !== undefined ? format.moment(one.expires) : '—'}
        </span>
      ),
      [t.action]: left > 0 && may('authorizations') && (
        <Group gap="xs" wrap="nowrap">
          {(captured === 0 ? (['capture', 'release'] as const) : (['capture'] as const)).map((verb) => (
            <TakeButton
              key={verb}
              verb={verb}
              path={`${api}/authorizations/${one.id}`}
              name={one.ext_invoiceid ?? one.id.slice(0, 8)}
              left={left}
              onDone={query.refetch}
            />
          ))}
        </Group>
      ),
    }
  }

  return (
    <>
      <PageHead title={t.authorizations} about={t.authorizationsAbout} />
      <Paged query={query} empty={<Empty title={t.noAuthorizations}>{t.noAuthorizationsText}</Empty>}>
        {(elements) => (
          <Rows
            minWidth={940}
            head={[t.when, t.invoice, t.status, t.reserved, t.captured, t.left, t.lapses, t.action]}
            rows={elements.map((one) => ({ key: one.id, cells: cellsOf(one) }))}
          />
        )}
      </Paged>
    </>
  )
}
