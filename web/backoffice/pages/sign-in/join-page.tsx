// Page of a one-time link for a new user or password.
import { Button, Loader, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { LinkAnswer } from '../../../../src/backoffice/contract/session.ts'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { Problem } from '../../shell/problems.tsx'
import { signInTexts } from './i18n.ts'
import { SignInFrame } from './sign-in-frame.tsx'

export function JoinPage() {
  const t = useTexts(signInTexts)
  // The token is in the fragment of the address, because browsers do not send it and no log contains it.
  const [token] = useState(() => window.location.hash.slice(1))
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => act<LinkAnswer>('/join/look', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <SignInFrame title={t.join}>
      {link.data !== undefined && <JoinForm token={token} link={link.data} />}
      {link.error !== null && <Problem error={link.error} />}
      {link.isPending && <Loader aria-label={t.asking} />}
    </SignInFrame>
  )
}

function JoinForm({ token, link }: { readonly token: string; readonly link: LinkAnswer }) {
  const t = useTexts(signInTexts)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const isNew = !link.has_account
  const choosesPassword = isNew || link.purpose === 'password'

  const joining = useDoing(async () => {
    await act('/join', { body: { token, password, ...(isNew && { name }) } })
    const { two_factor } = await act<{ two_factor: boolean }>('/sign-in', {
      body: { email: link.email, password },
    })
    const next = two_factor ? { to: '/sign-in', search: { step: 'code' } as never } : { to: '/' }
    await navigate({ ...next, replace: true })
  })

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void joining.start()
      }}
    >
      <Stack>
        <Text>{purposeText(link, t)}</Text>
        <Refused problem={joining.problem} />
        <TextInput label={t.email} type="email" value={link.email} readOnly autoComplete="username" />
        {isNew && (
          <TextInput
            label={t.name}
            description={t.nameHint}
            required
            withAsterisk={false}
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <PasswordInput
          label={choosesPassword ? t.choose : t.password}
          description={choosesPassword ? t.chooseHint : t.known}
          required
          withAsterisk={false}
          minLength={choosesPassword ? 12 : undefined}
          autoComplete={choosesPassword ? 'new-password' : 'current-password'}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={joining.busy} fullWidth>
          {link.purpose === 'password' ? t.set : t.done}
        </Button>
      </Stack>
    </form>
  )
}

function purposeText({ purpose, merchant }: LinkAnswer, t: (typeof signInTexts)['en']): string {
  if (purpose === 'password') return t.newPassword
  return merchant === undefined ? t.joinOperator : t.joinTeam(merchant)
}
