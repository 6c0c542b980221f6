// Navigation for merchant or operator.
import { Badge, Group, NavLink, Select, Stack, Text } from '@mantine/core'
import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useTexts } from '../i18n/language.ts'
import { type PageEntry, pages } from '../pages.ts'
import { type Session, useMerchant, useWallet } from '../session.ts'
import { shellTexts } from './i18n.ts'

const groups = ['main', 'money', 'more'] as const

export function Navigation({ session }: { readonly session: Session }) {
  const { wallet: named } = useParams({ strict: false }) as { wallet?: string }
  const { pathname } = useLocation()
  const isOperators = session.operator && pathname.startsWith('/operator')
  // On a page without a merchant in its address, the navigation shows the first merchant.
  const own = isOperators ? undefined : session.wallets[0]?.id.toString()
  const isOurs = session.operator || session.wallets.some(({ id }) => String(id) === named)
  const wallet = isOurs ? (named ?? own) : own
  if (wallet !== undefined) {
    return (
      <Stack gap="md">
        <MerchantChoice session={session} wallet={wallet} />
        <Links of="wallet" prefix={`/wallets/${wallet}`} />
        {session.operator && <OperatorLink />}
      </Stack>
    )
  }
  return session.operator ? <Links of="operator" prefix="/operator" /> : null
}

function Links({ of, prefix }: { readonly of: PageEntry['of']; readonly prefix: string }) {
  const t = useTexts(shellTexts)
  const { pathname } = useLocation()
  const shown = pages.filter((page) => page.of === of)
  return (
    <Stack gap="sm">
      {groups.map((group) => {
        const links = shown.filter(({ nav }) => nav?.group === group)
        if (links.length === 0) return null
        return (
          <div key={group}>
            {of === 'wallet' && (
              <Text size="xs" c="dimmed" fw={600} px="xs" pb={4}>
                {t.groups[group]}
              </Text>
            )}
            {links.map(({ path, nav }) => {
              const to = prefix + path
              const isActive = path === '' ? pathname === to : pathname.startsWith(to)
              return (
                nav && (
                  <NavLink
                    key={path}
                    component={Link}
                    to={to}
                    activeOptions={{ exact: path === '' }}
                    label={t.nav[nav.text]}
                    active={isActive}
                    aria-current={isActive ? 'page' : undefined}
                  />
                )
              )
            })}
          </div>
        )
      })}
    </Stack>
  )
}

function OperatorLink() {
  const t = useTexts(shellTexts)
  return <NavLink component={Link} to={'/operator' as string} label={t.operator} />
}

function ReadMerchant() {
  const t = useTexts(shellTexts)
  const { id } = useWallet()
  const merchant = useMerchant()
  return (
    <Group px="xs" gap="xs">
      <Text fw={600} className="anywhere">
        {merchant?.name ?? `${t.wallet} ${id}`}
      </Text>
      {typeof merchant?.suspended === 'string' && (
        <Badge color="red" variant="light" tt="none">
          {t.suspended}
        </Badge>
      )}
    </Group>
  )
}

function MerchantChoice({ session, wallet }: { readonly session: Session; readonly wallet: string }) {
  const t = useTexts(shellTexts)
  const navigate = useNavigate()
  const { wallets } = session
  const [only] = wallets
  if (wallets.length === 1 && String(only?.id) === wallet) {
    return (
      <Text fw={600} px="xs" truncate>
        {only?.name}
      </Text>
    )
  }
  if (!wallets.some(({ id }) => String(id) === wallet)) return <ReadMerchant />
  return (
    <Select
      aria-label={t.merchants}
      data={wallets.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={wallet}
      allowDeselect={false}
      onChange={(id) => void navigate({ to: `/wallets/${id}` as string })}
    />
  )
}
