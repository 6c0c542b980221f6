// Customers of the merchant.
import { Anchor, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useFilters } from '../../kit/endless.tsx'
import { Empty, PageHead } from '../../kit/page.tsx'
import { type Column, DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { Paged, usePaged } from '../recurring/paged.tsx'
import { customerTexts } from './i18n.ts'

export interface Customer {
  readonly id: string
  readonly ext_customerid?: string
  readonly name?: string
  readonly email?: string
  readonly phone?: string
  readonly date: string
}

export function Page() {
  const t = useTexts(customerTexts)
  const format = useFormats()
  const { api, id: walletId } = useWallet()
  const [filters, change] = useFilters()
  const query = usePaged<Customer>(`${api}/customers`)
  const search = (text: string) => change({ q: text.trim(), offset: undefined })
  const columns: readonly Column<Customer>[] = [
    {
      head: t.name,
      cell: ({ id, name }) => (
        <Anchor component={Link} to={`/wallets/${walletId}/customers/${id}`}>
          {name ?? t.unnamed}
        </Anchor>
      ),
    },
    { head: t.email, cell: ({ email }) => email },
    { head: t.phone, kind: 'line', cell: ({ phone }) => phone },
    { head: t.reference, cell: ({ ext_customerid }) => ext_customerid },
    { head: t.since, kind: 'line', cell: ({ date }) => format.day(date) },
  ]
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <TextInput
        mb="md"
        maw={420}
        role="searchbox"
        aria-label={t.search}
        placeholder={t.search}
        maxLength={100}
        key={filters.q}
        defaultValue={filters.q}
        onBlur={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && search(event.currentTarget.value)}
      />
      <Paged
        query={query}
        empty={
          filters.q === undefined ? (
            <Empty title={t.none}>{t.noneText}</Empty>
          ) : (
            <Empty title={t.noneMatch}>{t.noneMatchText}</Empty>
          )
        }
      >
        {(customers) => (
          <DataTable
            label={t.title}
            minWidth={760}
            columns={columns}
            rows={customers}
            keyOf={({ id }) => id}
          />
        )}
      </Paged>
    </>
  )
}
