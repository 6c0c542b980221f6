// Open invitations.
import { Badge, Button, Group, Title } from '@mantine/core'
import type { LinkMade, TeamInvitation } from '../../../../src/backoffice/contract/team.ts'
import { act } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { RemoveButton } from '../../kit/confirm-button.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { teamTexts } from './i18n.ts'

export function Invitations({
  invitations,
  changed,
  onLink,
}: {
  readonly invitations: readonly TeamInvitation[]
  readonly changed: () => Promise<unknown>
  readonly onLink: (link: LinkMade) => void
}) {
  const t = useTexts(teamTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const renew = useDoing(async ({ email, role }: TeamInvitation) => {
    onLink(await act<LinkMade>(`${api}/team/invitations`, { body: { email, role } }))
  })
  const buttons = (one: TeamInvitation) => (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-xs"
        variant="light"
        aria-label={t.renewOf(one.email)}
        loading={renew.busy}
        onClick={() => void renew.start(one)}
      >
        {t.renew}
      </Button>
      <RemoveButton
        label={t.withdraw}
        title={t.withdrawOf(one.email)}
        ask={t.withdrawAsk}
        work={async () => {
          await act(`${api}/team/invitations/${one.id}`, { method: 'DELETE' })
          await changed()
        }}
      />
    </Group>
  )
  return (
    <>
      <Title order={2} mt="xl" mb="sm">
        {t.invitations}
      </Title>
      <Refused problem={renew.problem} />
      <DataTable
        label={t.invitations}
        minWidth={560}
        columns={[
          { head: t.email, cell: ({ email }) => email },
          { head: t.role, cell: ({ role }) => t.roles[role] },
          {
            head: t.until,
            kind: 'line',
            cell: (one) =>
              one.is_over ? (
                <Badge variant="light" color="gray" tt="none">
                  {t.over}
                </Badge>
              ) : (
                format.moment(one.expires_at)
              ),
          },
          may('team') && { head: t.actions, kind: 'actions', cell: buttons },
        ]}
        rows={invitations}
        keyOf={({ id }) => id}
      />
    </>
  )
}
