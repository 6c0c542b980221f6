// Members of the team.
import { Badge, Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { LinkMade, TeamMember } from '../../../../src/backoffice/contract/team.ts'
import { act } from '../../api.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton, RemoveButton } from '../../kit/confirm-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { useNotify } from '../../kit/notify.ts'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { teamTexts } from './i18n.ts'

interface MembersProps {
  readonly members: readonly TeamMember[]
  readonly changed: () => Promise<unknown>
  readonly onLink: (link: LinkMade) => void
}

export function Members({ members, changed, onLink }: MembersProps) {
  const t = useTexts(teamTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const say = useNotify()
  const [asked, setAsked] = useState<{ readonly member: TeamMember; readonly role: TeamMember['role'] }>()
  const setRole = useDoing(async (id: string, role: string) => {
    await act(`${api}/team/members/${id}`, { method: 'PUT', body: { role } })
    await changed()
    say(t.roleDone)
    setAsked(undefined)
  })
  const forget = () => {
    setRole.forget()
    setAsked(undefined)
  }
  return (
    <>
      <Dialog opened={asked !== undefined} close={forget} title={t.roleSure}>
        {asked !== undefined && (
          <Stack>
            <Text size="sm">
              {t.roleAsk(asked.member.name, `${t.roles[asked.role]} (${t.roleTexts[asked.role]})`)}
            </Text>
            <Refused problem={setRole.problem} />
            <Group justify="flex-end">
              <Button variant="default" onClick={forget}>
                {t.cancel}
              </Button>
              <Button loading={setRole.busy} onClick={() => void setRole.start(asked.member.id, asked.role)}>
                {t.roleSure}
              </Button>
            </Group>
          </Stack>
        )}
      </Dialog>
      <DataTable
        label={t.title}
        minWidth={720}
        columns={[
          { head: t.name, cell: (member) => <Identity member={member} /> },
          { head: t.role, cell: roleOf },
          {
            head: t.lastSignIn,
            kind: 'line',
            cell: (one) => (one.signed_in_at === undefined ? t.never : format.moment(one.signed_in_at)),
          },
          may('team') && { head: t.actions, kind: 'actions', cell: actionsOf },
        ]}
        rows={members}
        keyOf={({ id }) => id}
      />
    </>
  )

  function roleOf(member: TeamMember) {
    const { name, role } = member
    if (!may('team')) return t.roles[role]
    return (
      <Select
        aria-label={t.roleOf(name)}
        size="xs"
        w={150}
        disabled={setRole.busy}
        allowDeselect={false}
        value={role}
        data={Object.entries(t.roles).map(([value, label]) => ({ value, label }))}
        onChange={(chosen) =>
          chosen !== null && chosen !== role && setAsked({ member, role: chosen as TeamMember['role'] })
        }
      />
    )
  }

  function actionsOf(member: TeamMember) {
    const { id, name } = member
    return (
      <Group gap="xs" wrap="nowrap">
        <NewPassword member={member} onLink={onLink} />
        <RemoveButton
          label={t.remove}
          title={t.removeOf(name)}
          ask={t.removeAsk}
          work={async () => {
            await act(`${api}/team/members/${id}`, { method: 'DELETE' })
            await changed()
            say(t.removed)
          }}
        />
      </Group>
    )
  }
}

function Identity({ member: { name, email, is_you, two_factor } }: { readonly member: TeamMember }) {
  const t = useTexts(teamTexts)
  return (
    <>
      <Group gap="xs">
        <Text fw={600} size="sm">
          {name}
        </Text>
        {is_you && (
          <Badge variant="light" color="gray" tt="none">
            {t.you}
          </Badge>
        )}
        {two_factor && (
          <Badge variant="light" color="green" tt="none">
            {t.twoFactor}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {email}
      </Text>
    </>
  )
}

function NewPassword({
  member: { id, name, two_factor, is_you },
  onLink,
}: Pick<MembersProps, 'onLink'> & { readonly member: TeamMember }) {
  const t = useTexts(teamTexts)
  const { api } = useWallet()
  const [isPhoneLost, setIsPhoneLost] = useState(false)
  const link = isPhoneLost ? 'lost-phone-link' : 'password-link'
  return (
    <AskingButton
      label={t.newPassword}
      title={t.newPasswordOf(name)}
      ask={
        <>
          {t.newPasswordAsk}
          {two_factor && !is_you && (
            <Checkbox
              mt="md"
              label={t.lostPhone}
              description={t.lostPhoneText}
              checked={isPhoneLost}
              onChange={(event) => setIsPhoneLost(event.currentTarget.checked)}
            />
          )}
        </>
      }
      size="compact-xs"
      variant="light"
      work={async () => onLink(await act<LinkMade>(`${api}/team/members/${id}/${link}`))}
    />
  )
}
