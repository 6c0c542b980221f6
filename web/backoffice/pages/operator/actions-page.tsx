// Who did what over all merchants, newest first.
import { Anchor, Badge, Button, Center, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AllActionsAnswer } from '../../../../src/backoffice/contract/operator/audit.ts'
import { read } from '../../api.ts'
import { Empty, PageHead } from '../../kit/page.tsx'
import { Problem } from '../../shell/problems.tsx'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { auditTexts } from './audit-texts.ts'
import { DataTable } from './parts.tsx'

type Action = AllActionsAnswer['actions'][number]

export function Page() {
  const t = useTexts(auditTexts)
  const query = useInfiniteQuery({
    queryKey: ['operator', 'actions'],
    queryFn: ({ pageParam, signal }) =>
      read<AllActionsAnswer>(`/operator/actions${pageParam === '' ? '' : `?before=${pageParam}`}`, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const actions = query.data?.pages.flatMap((page) => page.actions)
  return (
    <>
      <PageHead title={t.actionsTitle} about={t.actionsAbout} />
      {query.error !== null && <Problem error={query.error} retry={() => void query.refetch()} />}
      {actions !== undefined && actions.length === 0 && <Empty title={t.noActions}>{t.noActionsText}</Empty>}
      {actions !== undefined && actions.length > 0 && (
        <Stack>
          <Actions actions={actions} />
          {query.hasNextPage && (
            <Center>
              <Button
                variant="default"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {t.older}
              </Button>
            </Center>
          )}
        </Stack>
      )}
    </>
  )
}

function Actions({ actions }: { readonly actions: readonly Action[] }) {
  const t = useTexts(auditTexts)
  const format = useFormats()
  return (
    <DataTable
      label={t.actionsTitle}
      heads={[t.when, t.who, t.what, t.merchant, t.result]}
      rows={actions.map((one) => ({
        key: one.id,
        cells: [
          <span key="when" className="number">
            {format.moment(one.at)}
          </span>,
          <Stack key="who" gap={0}>
            {one.email}
            {one.address !== undefined && (
              <Text size="xs" c="dimmed">
                {one.address}
              </Text>
            )}
          </Stack>,
          one.action,
          one.wallet_id !== null && (
            <Anchor key="merchant" component={Link} to={`/operator/merchants/${one.wallet_id}`}>
              {one.wallet_id}
            </Anchor>
          ),
          <EndOf key="end" status={one.status} />,
        ],
      }))}
    />
  )
}

function EndOf({ status }: { readonly status: number }) {
  const t = useTexts(auditTexts)
  const isDone = status >= 200 && status < 400
  const text = isDone ? t.done : status === 0 ? t.cutOff : t.refused(status)
  return (
    <Badge variant="light" color={isDone ? 'green' : 'yellow'} tt="none">
      {text}
    </Badge>
  )
}
