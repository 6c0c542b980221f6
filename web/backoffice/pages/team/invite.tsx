// Form for an invitation.

import { Select, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { LinkMade } from '../../../../src/backoffice/contract/team.ts'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useWallet } from '../../session.ts'
import { teamTexts } from './i18n.ts'

export function Invite({
  onCancel,
  onMade,
}: {
  readonly onCancel: () => void
  readonly onMade: (link: LinkMade) => void
}) {
  const t = useTexts(teamTexts)
  const { api } = useWallet()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<keyof typeof t.roles>('read_only')
  const [isChecked, setIsChecked] = useState(false)
  const isEmail = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())
  const doing = useDoing(async () => {
    onMade(await act<LinkMade>(`${api}/team/invitations`, { body: { email: email.trim(), role } }))
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsChecked(true)
    if (isEmail) void doing.start()
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Refused problem={doing.problem} />
        <TextInput
          label={t.email}
          type="email"
          maxLength={254}
          data-autofocus
          required
          withAsterisk={false}
          value={email}
          error={isChecked && !isEmail ? t.emailHint : undefined}
          onChange={(event) => setEmail(event.currentTarget.value)}
          onBlur={() => email !== '' && setIsChecked(true)}
        />
        <Select
          label={t.role}
          description={t.roleTexts[role]}
          allowDeselect={false}
          value={role}
          data={Object.entries(t.roles).map(([value, label]) => ({ value, label }))}
          onChange={(chosen) => chosen !== null && setRole(chosen as typeof role)}
        />
        <FormEnd label={t.makeLink} busy={doing.busy} cancel={onCancel} />
      </Stack>
    </form>
  )
}
