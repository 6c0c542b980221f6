// Frame of the pages behind the sign-in.
import { AppShell, Badge, Burger, Center, Group, Loader, ScrollArea, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Notifications } from '@mantine/notifications'
import { Link, Outlet, useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '../i18n/language.ts'
import { useSessionQuery } from '../session.ts'
import { ConfirmIdentity } from './confirm-identity.tsx'
import { shellTexts } from './i18n.ts'
import { Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { OwnMenu } from './own-menu.tsx'
import { Forbidden, Problem } from './problems.tsx'

const headerHeight = 56
const navigationWidth = 236

export function Shell() {
  const t = useTexts(shellTexts)
  const { data: session, error, refetch } = useSessionQuery()
  const [opened, { toggle, close }] = useDisclosure()
  const { pathname } = useLocation()
  const { wallet } = useParams({ strict: false }) as { wallet?: string }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(close, [pathname])

  if (error !== null) return <Problem error={error} retry={() => void refetch()} />
  if (session === undefined) {
    return (
      <Center mih="60vh">
        <Loader aria-label={t.loading} />
      </Center>
    )
  }
  if (session === null) return <ToSignIn />

  const isMember = wallet === undefined || session.wallets.some(({ id }) => String(id) === wallet)
  const isForeign = !session.operator && (!isMember || pathname.startsWith('/operator'))
  return (
    <AppShell
      header={{ height: headerHeight }}
      navbar={{ width: navigationWidth, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'lg' }}
    >
      <a className="skip-link" href="#page">
        {t.skip}
      </a>
      <AppShell.Header className="not-printed">
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t.menu} />
          <Text component={Link} to="/" fw={700} size="lg" c="inherit" td="none">
            Comporta
          </Text>
          {session.mode === 'sandbox' && (
            <Badge variant="light" color="yellow" title={t.sandbox}>
              Sandbox
            </Badge>
          )}
          <Group ml="auto" gap="xs" wrap="nowrap">
            <OwnMenu session={session} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={t.navigation} className="not-printed">
        <AppShell.Section grow component={ScrollArea} type="auto">
          <Navigation session={session} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1}>
        {wallet !== undefined && !isForeign && <Notices />}
        {isForeign ? <Forbidden /> : <Outlet />}
      </AppShell.Main>
      <Notifications position="bottom-right" />
      <ConfirmIdentity hasTwoFactor={session.two_factor} />
    </AppShell>
  )
}

/** Leads to the sign-in page, which comes back here. */
function ToSignIn() {
  const navigate = useNavigate()
  const router = useRouter()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address changes while it leads there
  useEffect(() => {
    void navigate({ to: '/sign-in', search: { to: router.state.location.href } as never, replace: true })
  }, [])
  return null
}
