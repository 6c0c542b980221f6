// List of the public API with page numbers from 0.
import { Button, Group, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { read } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { useFilters } from '../../kit/endless.tsx'
import { Loaded } from '../../kit/page.tsx'
import { recurringTexts } from './i18n.ts'

const perPage = 30

interface ListAnswer<Element> {
  readonly total: number
  readonly elements: readonly Element[]
}

export function usePaged<Element>(path: string) {
  const [filters] = useFilters()
  const query = new URLSearchParams({ ...filters, limit: String(perPage) })
  return useQuery({
    queryKey: [path, filters],
    queryFn: ({ signal }) => read<ListAnswer<Element>>(`${path}?${query}`, signal),
    placeholderData: keepPreviousData,
  })
}

export function Paged<Element>({
  query,
  empty,
  children,
}: {
  readonly query: ReturnType<typeof usePaged<Element>>
  readonly empty: ReactNode
  readonly children: (elements: readonly Element[]) => ReactNode
}) {
  const t = useTexts(recurringTexts)
  const [filters, change] = useFilters()
  const page = Number(filters.offset ?? 0)
  return (
    <Loaded query={query}>
      {({ total, elements }) =>
        total === 0 ? (
          empty
        ) : (
          <Stack>
            {children(elements)}
            {total > perPage && (
              <Group justify="center">
                <Button
                  variant="default"
                  disabled={page === 0}
                  onClick={() => change({ offset: page <= 1 ? undefined : String(page - 1) })}
                >
                  {t.newer}
                </Button>
                <Button
                  variant="default"
                  disabled={(page + 1) * perPage >= total}
                  onClick={() => change({ offset: String(page + 1) })}
                >
                  {t.older}
                </Button>
              </Group>
            )}
          </Stack>
        )
      }
    </Loaded>
  )
}
