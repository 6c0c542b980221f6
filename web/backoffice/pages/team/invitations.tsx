// Invitations that nobody has used: withdrawn here, or made anew.
import { Badge, Button, Group, Title } from '@mantine/core'
import type { LinkMade, TeamInvitation } from '../../../../src/backoffice/contract/team.ts'
import { act } from '../../api.ts'
import { AskingButton, Refused, useDoing } from '../../kit/doing.tsx'
import { Rows } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { teamTexts } from './texts.ts'

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
      <AskingButton
        label={t.withdraw}
        title={t.withdrawOf(one.email)}
        cancel={t.cancel}
        ask={t.withdrawAsk}
        isDanger
        size="compact-xs"
        variant="light"
        color="red"
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
      <Rows
        minWidth={560}
        head={[t.email, t.role, t.until, ...(may('team') ? [t.actions] : [])]}
        rows={invitations.map((one) => ({
          key: one.id,
          cells: {
            [t.email]: one.email,
            [t.role]: t.roles[one.role],
            [t.until]: one.is_over ? (
              <Badge variant="light" color="gray" tt="none">
                {t.over}
              </Badge>
            ) : (
              format.moment(one.expires_at)
            ),
            [t.actions]: buttons(one),
          },
        }))}
      />
    </>
  )
}
