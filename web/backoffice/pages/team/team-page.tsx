// Team page: members, invitations and activity log.
import { Button, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LinkMade, TeamAnswer } from '../../../../src/backoffice/contract/team.ts'
import { read } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { Loaded, PageHead } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import { ActionLog } from './action-log.tsx'
import { teamTexts } from './i18n.ts'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { LinkShown } from './link-shown.tsx'
import { Members } from './members.tsx'
import { SignInRule } from './sign-in-rule.tsx'

export function Page() {
  const t = useTexts(teamTexts)
  const { api, may } = useWallet()
  const [isInviting, setIsInviting] = useState(false)
  const [link, setLink] = useState<LinkMade & { readonly text: string }>()
  const query = useQuery({
    queryKey: [api, 'team'],
    queryFn: ({ signal }) => read<TeamAnswer>(`${api}/team`, signal),
  })
  const client = useQueryClient()
  const changed = async () => {
    await query.refetch()
    await client.invalidateQueries({ queryKey: [`${api}/actions`] })
  }
  const invited = (made: LinkMade) => {
    setIsInviting(false)
    setLink({ ...made, text: t.invitedText(made.email) })
    void changed()
  }
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        actions={may('team') && <Button onClick={() => setIsInviting(true)}>{t.invite}</Button>}
      />
      <Loaded query={query}>
        {({ members, invitations, two_factor_required: isRequired }) => (
          <>
            <Members
              members={members}
              changed={changed}
              onLink={(made) => setLink({ ...made, text: t.passwordText(made.email) })}
            />
            {invitations.length > 0 && (
              <Invitations invitations={invitations} changed={changed} onLink={invited} />
            )}
            <SignInRule isRequired={isRequired} changed={changed} />
          </>
        )}
      </Loaded>
      <Dialog opened={isInviting} close={() => setIsInviting(false)} title={t.invite}>
        <Invite onCancel={() => setIsInviting(false)} onMade={invited} />
      </Dialog>
      <LinkShown link={link} onClose={() => setLink(undefined)} />
      <Title order={2} mt="xl" mb="sm">
        {t.log}
      </Title>
      <ActionLog />
    </>
  )
}
