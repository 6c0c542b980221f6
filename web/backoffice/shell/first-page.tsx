// Redirect from `/backoffice` to the first page of the user.
import { Center, Loader, Stack, Text, Title } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import { useTexts } from '../i18n/language.ts'
import { useSessionQuery } from '../session.ts'
import { shellTexts } from './i18n.ts'
import { Problem } from './problems.tsx'

export function FirstPage() {
  const t = useTexts(shellTexts)
  const { data: session, error, refetch } = useSessionQuery()
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />
  if (session === undefined) {
    return (
      <Center mih="60vh">
        <Loader aria-label={t.loading} />
      </Center>
    )
  }
  if (session === null) return <Navigate to="/sign-in" replace />
  const [wallet] = session.wallets
  if (wallet !== undefined) return <Navigate to={`/wallets/${wallet.id}` as string} replace />
  if (session.operator) return <Navigate to={'/operator' as string} replace />
  return (
    <Center component="main" p="xl" mih="60vh">
      <Stack ta="center" maw={420}>
        <Title order={1}>{t.noTeam}</Title>
        <Text c="dimmed">{t.noTeamText}</Text>
      </Stack>
    </Center>
  )
}
