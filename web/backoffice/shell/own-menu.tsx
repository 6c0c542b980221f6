// User menu: account, language, appearance, sign-out.
import {
  Avatar,
  Menu,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { act } from '../api.ts'
import { useTexts } from '../i18n/language.ts'
import type { Session } from '../session.ts'
import { shellTexts } from './i18n.ts'
import { LanguageChoice } from './language-choice.tsx'

export function OwnMenu({ session }: { readonly session: Session }) {
  const t = useTexts(shellTexts)
  const client = useQueryClient()
  const navigate = useNavigate()

  async function signOut() {
    await act('/auth/sign-out')
    client.clear()
    await navigate({ to: '/sign-in' })
  }

  return (
    <Menu position="bottom-end" width={260} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton aria-label={`${t.account}: ${session.name}`}>
          <Avatar name={session.name} color="gray" radius="xl" size={34} alt="" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={0} px="sm" py="xs">
          <Text fw={600} truncate>
            {session.name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {session.email}
          </Text>
        </Stack>
        <Menu.Divider />
        <Stack gap="xs" p="sm">
          <LanguageChoice />
          <AppearanceChoice />
        </Stack>
        <Menu.Divider />
        <Menu.Item component={Link} to={'/account/security' as string}>
          {t.nav.security}
        </Menu.Item>
        <Menu.Item component="a" href="/docs/">
          {t.documentation}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function AppearanceChoice() {
  const t = useTexts(shellTexts)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t.appearance}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as 'light' | 'dark' | 'auto')}
      data={[
        { value: 'light', label: t.light },
        { value: 'dark', label: t.dark },
        { value: 'auto', label: t.auto },
      ]}
    />
  )
}
