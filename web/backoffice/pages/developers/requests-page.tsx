// Latest requests of a merchant's API keys.
import { Anchor, Badge, Group, Select, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RequestsAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Endless, useEndless, useFilters } from '../../kit/endless.tsx'
import { Empty } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { DevelopersFrame } from './developers-frame.tsx'
import { developersTexts } from './i18n.ts'

export function Page() {
  const t = useTexts(developersTexts)
  const { api } = useWallet()
  const [filters] = useFilters()
  const query = useEndless<RequestsAnswer>(`${api}/developers/requests`, filters)
  const days = query.data?.pages[0]?.days
  const isFiltered = Object.keys(filters).length > 0
  return (
    <DevelopersFrame section="requests" about={days === undefined ? undefined : t.requestsAbout(days)}>
      <RequestFilters />
      <Endless query={query} more={isFiltered ? t.further : t.more}>
        {(pages) => {
          const requests = pages.flatMap((page) => page.requests)
          if (requests.length > 0) return <Requests requests={requests} />
          if (days === 0) return <Empty title={t.noRequests}>{t.requestsOff}</Empty>
          return isFiltered ? (
            <Empty title={t.noneMatch}>{t.noneMatchText}</Empty>
          ) : (
            <Empty title={t.noRequests}>{t.noRequestsText}</Empty>
          )
        }}
      </Endless>
    </DevelopersFrame>
  )
}

const statusClasses = ['2', '4', '5'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function RequestFilters() {
  const t = useTexts(developersTexts)
  const [filters, change] = useFilters()
  const typed = (name: string, label: string, hint: string) => (
    <TextInput
      aria-label={label}
      placeholder={`${label}: ${hint}`}
      defaultValue={filters[name]}
      key={`${name} ${filters[name]}`}
      onBlur={(event) => change({ [name]: event.currentTarget.value.trim() })}
      onKeyDown={(event) => event.key === 'Enter' && change({ [name]: event.currentTarget.value.trim() })}
    />
  )
  return (
    <Group mb="md" gap="sm" role="search">
      <Select
        aria-label={t.status}
        placeholder={t.anyStatus}
        clearable
        data={statusClasses.map((digit) => ({ value: digit, label: t.statusClass(digit) }))}
        value={filters.status ?? null}
        onChange={(status) => change({ status: status ?? undefined })}
      />
      <Select
        aria-label={t.method}
        placeholder={t.anyMethod}
        clearable
        data={[...methods]}
        value={filters.method ?? null}
        onChange={(method) => change({ method: method ?? undefined })}
      />
      {typed('path', t.path, t.pathHint)}
      {typed('tid', t.tid, t.tidHint)}
    </Group>
  )
}

export function HttpStatus({ status }: { readonly status: number }) {
  const color = status >= 500 ? 'red' : status >= 400 ? 'orange' : 'green'
  return (
    <Badge variant="light" color={color}>
      {status}
    </Badge>
  )
}

function Requests({ requests }: { readonly requests: RequestsAnswer['requests'] }) {
  const t = useTexts(developersTexts)
  const format = useFormats()
  const { id: walletId } = useWallet()
  return (
    <DataTable
      label={t.requests}
      minWidth={820}
      columns={[
        {
          head: t.when,
          kind: 'line',
          cell: ({ tid, at }) => (
            <Anchor component={Link} to={`/wallets/${walletId}/developers/requests/${tid}`}>
              {format.moment(at)}
            </Anchor>
          ),
        },
        { head: t.request, kind: 'identifier', cell: ({ method, path }) => `${method} ${path}` },
        { head: t.status, cell: ({ status }) => <HttpStatus status={status} /> },
        { head: t.code, kind: 'line', cell: ({ code }) => code },
        { head: t.duration, kind: 'amount', cell: (one) => `${format.number(one.duration_ms)} ms` },
        { head: t.key, kind: 'line', cell: ({ key }) => key },
      ]}
      rows={requests}
      keyOf={({ tid }) => tid}
    />
  )
}
