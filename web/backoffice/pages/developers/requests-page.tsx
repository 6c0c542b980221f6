// What the API keys of a merchant asked in the last days.
import { Anchor, Badge, Group, Select, Table, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { RequestsAnswer } from '../../../../src/backoffice/contract/developers.ts'
import { Endless, useEndless, useFilters } from '../../kit/endless.tsx'
import { Empty } from '../../kit/page.tsx'
import { focusable } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { DevelopersFrame } from './developers-frame.tsx'
import { developersTexts } from './texts.ts'

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
    <Table.ScrollContainer minWidth={720} scrollAreaProps={focusable}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            {[t.when, t.request, t.status, t.code, t.duration, t.key].map((head) => (
              <Table.Th key={head}>{head}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((one) => (
            <Table.Tr key={one.tid}>
              <Table.Td className="number">
                <Anchor component={Link} to={`/wallets/${walletId}/developers/requests/${one.tid}`} size="sm">
                  {format.moment(one.at)}
                </Anchor>
              </Table.Td>
              <Table.Td className="identifier">
                {one.method} {one.path}
              </Table.Td>
              <Table.Td>
                <HttpStatus status={one.status} />
              </Table.Td>
              <Table.Td className="number">{one.code ?? '—'}</Table.Td>
              <Table.Td className="number">{format.number(one.duration_ms)} ms</Table.Td>
              <Table.Td className="identifier">{one.key}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
