// Sessions of the user.
import { Badge, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { OwnSessionsAnswer } from '../../../../src/backoffice/contract/session.ts'
import { act, read } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton, RemoveButton } from '../../kit/confirm-button.tsx'
import { Loaded } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { securityTexts } from './i18n.ts'
import { Section } from './section.tsx'

type OwnSession = OwnSessionsAnswer['sessions'][number]

export function OwnSessions() {
  const t = useTexts(securityTexts)
  const query = useQuery({
    queryKey: ['own', 'sessions'],
    queryFn: ({ signal }) => read<OwnSessionsAnswer>('/account/sessions', signal),
  })
  return (
    <Section title={t.sessions}>
      <Loaded query={query} rows={2}>
        {({ sessions }) => <List sessions={sessions} changed={query.refetch} />}
      </Loaded>
    </Section>
  )
}

function List({
  sessions,
  changed,
}: {
  readonly sessions: readonly OwnSession[]
  readonly changed: () => Promise<unknown>
}) {
  const t = useTexts(securityTexts)
  const format = useFormats()
  const here = (
    <Badge variant="light" color="gray" tt="none">
      {t.here}
    </Badge>
  )
  const end = (one: OwnSession) => (
    <RemoveButton
      label={t.end}
      title={t.endOf(deviceOf(one.user_agent) ?? t.unknown)}
      ask={t.endAsk}
      work={async () => {
        await act(`/account/sessions/${one.id}`, { method: 'DELETE' })
        await changed()
      }}
    />
  )
  return (
    <>
      <DataTable
        label={t.sessions}
        minWidth={480}
        columns={[
          { head: t.device, cell: (one) => deviceOf(one.user_agent) ?? t.unknown },
          { head: t.address, kind: 'line', cell: ({ address }) => address },
          { head: t.began, kind: 'line', cell: (one) => format.moment(one.began_at) },
          { head: t.actions, kind: 'actions', cell: (one) => (one.is_this ? here : end(one)) },
        ]}
        rows={sessions}
        keyOf={({ id }) => id}
      />
      {sessions.length > 1 && (
        <Group>
          <AskingButton
            label={t.endOthers}
            ask={t.endAsk}
            isDanger
            variant="light"
            color="red"
            work={async () => {
              await act('/account/sessions', { method: 'DELETE' })
              await changed()
            }}
          />
        </Group>
      )}
    </>
  )
}

const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** Browser and system, from the user agent. */
function deviceOf(userAgent = ''): string | undefined {
  const nameIn = (list: readonly (readonly [RegExp, string])[]) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1]
  return [nameIn(browsers), nameIn(systems)].filter(Boolean).join(' · ') || undefined
}
