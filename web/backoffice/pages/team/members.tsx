// Who is in the team: roles are changed here, people removed, new passwords made possible.
import { Badge, Checkbox, Group, Select, Table, Text } from '@mantine/core'
import { useState } from 'react'
import type { LinkMade, TeamMember } from '../../../../src/backoffice/contract/team.ts'
import { act } from '../../api.ts'
import { AskingButton, Refused, useDoing } from '../../kit/doing.tsx'
import { focusable } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { teamTexts } from './texts.ts'

interface MembersProps {
  readonly members: readonly TeamMember[]
  readonly changed: () => Promise<unknown>
  readonly onLink: (link: LinkMade) => void
}

export function Members({ members, changed, onLink }: MembersProps) {
  const t = useTexts(teamTexts)
  const { api, may } = useWallet()
  const setRole = useDoing(async (id: string, role: string) => {
    await act(`${api}/team/members/${id}`, { method: 'PUT', body: { role } })
    await changed()
  })
  const head = [t.name, t.role, t.lastSignIn, ...(may('team') ? [t.actions] : [])]
  return (
    <>
      <Refused problem={setRole.problem} />
      <Table.ScrollContainer minWidth={720} scrollAreaProps={focusable}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              {head.map((name) => (
                <Table.Th key={name}>{name}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {members.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                busy={setRole.busy}
                setRole={(role) => void setRole.start(member.id, role)}
                changed={changed}
                onLink={onLink}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  )
}

function MemberRow({
  member,
  busy,
  setRole,
  changed,
  onLink,
}: Omit<MembersProps, 'members'> & {
  readonly member: TeamMember
  readonly busy: boolean
  readonly setRole: (role: string) => void
}) {
  const t = useTexts(teamTexts)
  const format = useFormats()
  const { api, may } = useWallet()
  const { id, name, email, role, signed_in_at, two_factor, is_you } = member
  const [isPhoneLost, setIsPhoneLost] = useState(false)
  const link = isPhoneLost ? 'lost-phone-link' : 'password-link'
  return (
    <Table.Tr>
      <Table.Td>
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
      </Table.Td>
      <Table.Td>
        {may('team') ? (
          <Select
            aria-label={t.roleOf(name)}
            size="xs"
            w={150}
            disabled={busy}
            allowDeselect={false}
            value={role}
            data={Object.entries(t.roles).map(([value, label]) => ({ value, label }))}
            onChange={(chosen) => chosen !== null && chosen !== role && setRole(chosen)}
          />
        ) : (
          t.roles[role]
        )}
      </Table.Td>
      <Table.Td className="number">
        {signed_in_at === undefined ? t.never : format.moment(signed_in_at)}
      </Table.Td>
      {may('team') && (
        <Table.Td>
          <Group gap="xs" wrap="nowrap">
            <AskingButton
              label={t.newPassword}
              title={t.newPasswordOf(name)}
              cancel={t.cancel}
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
            <AskingButton
              label={t.remove}
              title={t.removeOf(name)}
              cancel={t.cancel}
              ask={t.removeAsk}
              isDanger
              size="compact-xs"
              variant="light"
              color="red"
              work={async () => {
                await act(`${api}/team/members/${id}`, { method: 'DELETE' })
                await changed()
              }}
            />
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  )
}
