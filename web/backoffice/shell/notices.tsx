// Notices of suspension and read-only access.
import { Alert, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useFormats } from '../i18n/format.ts'
import { useTexts } from '../i18n/language.ts'
import { teamTexts } from '../pages/team/i18n.ts'
import { pages } from '../pages.ts'
import { useMerchant, useWallet } from '../session.ts'
import { shellTexts } from './i18n.ts'

export function Notices() {
  const t = useTexts(shellTexts)
  const { membership } = useWallet()
  const merchant = useMerchant()
  return (
    <Stack gap="sm" className="notices not-printed">
      {membership === undefined && merchant !== undefined && (
        <Alert color="yellow" p="sm">
          {t.reading(merchant.name)}
        </Alert>
      )}
      {merchant !== undefined && merchant.suspended !== null && (
        <Suspended since={merchant.suspended} reason={merchant.reason} />
      )}
      {membership !== undefined && <ReadOnly />}
    </Stack>
  )
}

function Suspended({ since, reason }: { readonly since: string; readonly reason: string | null }) {
  const t = useTexts(shellTexts)
  const format = useFormats()
  return (
    <Alert color="red" p="sm" title={t.suspendedSince(format.moment(since))} role="status">
      {reason !== null && <Text size="sm">{t.suspendedWhy(reason)}</Text>}
      <Text size="sm">{t.suspendedText}</Text>
    </Alert>
  )
}

function ReadOnly() {
  const t = useTexts(shellTexts)
  const { roles } = useTexts(teamTexts)
  const { pathname } = useLocation()
  const { membership, may } = useWallet()
  const changes = pages.find((page) => page.of === 'wallet' && patternOf(page.path).test(pathname))?.changes
  if (membership === undefined || changes === undefined || changes.some(may)) return null
  return (
    <Alert color="blue" p="sm">
      {t.readOnly(roles[membership.role])}
    </Alert>
  )
}

function patternOf(path: string): RegExp {
  return new RegExp(`^/wallets/\\d+${path.replaceAll(/\$\w+/g, '[^/]+')}/?$`)
}
