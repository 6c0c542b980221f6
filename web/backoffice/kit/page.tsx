// Page head, panels and placeholders.
import { Box, Center, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useTexts } from '../i18n/language.ts'
import { shellTexts } from '../shell/i18n.ts'
import { Problem } from '../shell/problems.tsx'

export interface PageHeadProps {
  readonly title: string
  readonly about?: ReactNode
  readonly actions?: ReactNode
}

/** Title of the page and of the window. */
export function PageHead({ title, about, actions }: PageHeadProps) {
  const t = useTexts(shellTexts)
  useEffect(() => {
    document.title = `${title} · ${t.product}`
  }, [title, t])
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Box flex="1 1 18rem" miw={0}>
        <Title order={1} className="anywhere">
          {title}
        </Title>
        {about !== undefined && (
          <Text c="dimmed" mt={4}>
            {about}
          </Text>
        )}
      </Box>
      {actions !== undefined && <Group gap="sm">{actions}</Group>}
    </Group>
  )
}

/** The content, a placeholder while loading, or the error. */
export function Loaded<Data>({
  query,
  children,
  rows = 6,
}: {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
  /** Number of lines that stand for the content while it loads. */
  readonly rows?: number
}) {
  const t = useTexts(shellTexts)
  if (query.data !== undefined) return children(query.data)
  if (query.error !== null) return <Problem error={query.error} retry={() => void query.refetch()} />
  return (
    <Stack gap="sm" role="status" aria-label={t.loading}>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((key) => (
        <Skeleton key={key} height={36} />
      ))}
    </Stack>
  )
}

export function Empty({
  title,
  children,
  action,
}: {
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}) {
  return (
    <Paper withBorder p="xl">
      <Center>
        <Stack align="center" gap="xs" ta="center" maw={440}>
          <Text fw={600}>{title}</Text>
          <Text c="dimmed" size="sm">
            {children}
          </Text>
          {action}
        </Stack>
      </Center>
    </Paper>
  )
}

export function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  )
}
