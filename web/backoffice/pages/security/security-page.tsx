// Security page of the user.
import { SimpleGrid, Stack } from '@mantine/core'
import { useTexts } from '../../i18n/language.ts'
import { PageHead } from '../../kit/page.tsx'
import { AuthenticatorApp } from './authenticator-app.tsx'
import { securityTexts } from './i18n.ts'
import { OwnName, OwnPassword } from './name-and-password.tsx'
import { OwnSessions } from './own-sessions.tsx'
import { Passkeys } from './passkeys.tsx'

export function Page() {
  const t = useTexts(securityTexts)
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Stack gap="lg">
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <OwnName />
          <OwnPassword />
          <AuthenticatorApp />
          <Passkeys />
        </SimpleGrid>
        <OwnSessions />
      </Stack>
    </>
  )
}
