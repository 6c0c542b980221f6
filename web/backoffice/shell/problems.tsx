// Error pages.
import { Alert, Button, Center, Code, Stack, Text, Title } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import { useTexts } from '../i18n/language.ts'
import { useErrorMessage } from '../i18n/use-error-message.ts'
import { shellTexts } from './i18n.ts'

export function NotFound() {
  const t = useTexts(shellTexts)
  return (
    <Center component="main" p="xl" mih="60vh">
      <Nothing title={t.notFound} text={t.notFoundText} />
    </Center>
  )
}

export function Forbidden() {
  const t = useTexts(shellTexts)
  return (
    <Center p="xl" mih="60vh">
      <Nothing title={t.forbidden} text={t.foreignText} />
    </Center>
  )
}

function Nothing({ title, text }: { readonly title: string; readonly text: string }) {
  const t = useTexts(shellTexts)
  return (
    <Stack align="center" ta="center" maw={420}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed">{text}</Text>
      <Button component={Link} to="/" variant="light">
        {t.back}
      </Button>
    </Stack>
  )
}

export function PageError({ error, reset }: ErrorComponentProps) {
  const { reset: resetQueries } = useQueryErrorResetBoundary()
  return (
    <Center p="xl" mih="40vh">
      <Problem
        error={error}
        retry={() => {
          resetQueries()
          reset()
        }}
      />
    </Center>
  )
}

export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const t = useTexts(shellTexts)
  const said = useErrorMessage()
  const known = error instanceof ApiError ? error : undefined
  if (known?.isForbidden === true) {
    return (
      <Alert color="yellow" title={t.forbidden} role="alert">
        <Text size="sm">{said(known) || t.forbiddenText}</Text>
      </Alert>
    )
  }
  return (
    <Alert color="red" title={t.failed} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{said(error)}</Text>
        {known?.tid !== undefined && known.status >= 500 && (
          <Text size="xs">
            {t.quote} <Code>{known.tid}</Code>
          </Text>
        )}
        {retry !== undefined && (
          <Button size="xs" variant="light" color="red" onClick={retry}>
            {t.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  )
}
