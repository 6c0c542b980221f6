// The object of an action: its link, name, amount and changed values.
import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ActionsAnswer } from '../../../../src/backoffice/contract/team.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { teamTexts } from './i18n.ts'

type Action = Pick<ActionsAnswer['actions'][number], 'target' | 'amount' | 'about' | 'changes'>

const uuid = '[0-9a-f]{8}-[0-9a-f-]{27}'
const ofWallet = '^/backoffice/api(/wallets/\\d+)'

/** The page that shows the object of each API path. */
const places: readonly (readonly [path: RegExp, page: string])[] = [
  [new RegExp(`${ofWallet}/(?:operations|authorizations)/(${uuid})`), '$1/payments/$2'],
  [new RegExp(`${ofWallet}/subscriptions/(${uuid})`), '$1/subscriptions/$2'],
  [new RegExp(`${ofWallet}/developers/events/(${uuid})`), '$1/developers/events/$2'],
  [new RegExp(`${ofWallet}/payment_links`), '$1/links'],
  [new RegExp(`${ofWallet}/payouts`), '$1/payouts'],
  [new RegExp(`${ofWallet}/mb/`), '$1/references'],
  [new RegExp(`${ofWallet}/mandate`), '$1/mandates'],
  [new RegExp(`${ofWallet}/developers/keys`), '$1/developers'],
  [new RegExp(`${ofWallet}/callback_endpoints`), '$1/developers/callbacks'],
  [new RegExp(`${ofWallet}/developers/`), '$1/developers/callbacks'],
  [new RegExp(`${ofWallet}/settings`), '$1/settings'],
  [/^\/backoffice\/api(\/operator\/merchants\/\d+)/, '$1'],
]

function pageOf(target: string): string | undefined {
  const place = places.find(([path]) => path.test(target))
  if (place === undefined) return undefined
  const [path, page] = place
  return path.exec(target)?.[0].replace(path, page)
}

export function ActionObject({ target, amount, about, changes = [] }: Action) {
  const t = useTexts(teamTexts)
  const format = useFormats()
  const to = pageOf(target)
  const id = to === undefined ? undefined : new RegExp(uuid).exec(to)?.[0]
  const sum = amount === undefined ? undefined : format.money(amount)
  const named = about ?? id?.slice(-12)
  return (
    <>
      {sum !== undefined && (
        <Text span size="sm" fw={600} className="number">
          {sum}{' '}
        </Text>
      )}
      {to === undefined ? (
        <Text span size="sm" className="anywhere">
          {named}
        </Text>
      ) : (
        <Anchor component={Link} to={to} size="sm" className="anywhere">
          {named ?? t.show}
        </Anchor>
      )}
      {changes.map((change) => (
        <Text key={change.field} size="xs" c="dimmed" className="anywhere">
          {change.field}: {change.old || '–'} → {change.new || '–'}
        </Text>
      ))}
    </>
  )
}
