// Lists with filters that load page after page.
import { Button, Center, Stack } from '@mantine/core'
import { keepPreviousData, type UseQueryResult, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { read } from '../api.ts'
import { Loaded } from './page.tsx'

interface PageOfList {
  readonly next?: string | undefined
}

export type Filters = Readonly<Record<string, string>>

/** The filters in the address. A filter that changes to undefined is removed. */
export function useFilters(): [Filters, (change: Readonly<Record<string, string | undefined>>) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const filters = Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  )
  return [
    filters,
    (change) => {
      const kept = Object.entries({ ...filters, ...change }).filter(
        ([, value]) => value !== undefined && value !== '',
      )
      void navigate({ to: '.', search: Object.fromEntries(kept) as never, replace: true })
    },
  ]
}

/** Reads a list below `/backoffice/api` page by page, by its field `next`. */
export function useEndless<Page extends PageOfList>(path: string, filters: Filters = {}) {
  return useInfiniteQuery({
    queryKey: [path, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ ...filters, ...(pageParam !== '' && { before: pageParam }) })
      return read<Page>(`${path}?${query}`, signal)
    },
    initialPageParam: '',
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
  })
}

export function Endless<Page extends PageOfList>({
  query,
  more,
  children,
}: {
  readonly query: ReturnType<typeof useEndless<Page>>
  readonly more: string
  readonly children: (pages: readonly Page[]) => ReactNode
}) {
  return (
    <Loaded query={query as unknown as UseQueryResult<{ readonly pages: readonly Page[] }>}>
      {({ pages }) => (
        <Stack>
          {children(pages)}
          <MoreButton query={query} label={more} />
        </Stack>
      )}
    </Loaded>
  )
}

export function MoreButton({
  query: { hasNextPage, isFetchingNextPage, fetchNextPage },
  label,
}: {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  readonly label: string
}) {
  if (!hasNextPage) return null
  return (
    <Center mt="md">
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {label}
      </Button>
    </Center>
  )
}
