// Sign-in page.
import { Alert, Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { signInTexts } from './i18n.ts'
import { passkeysWork, signInWithPasskey } from './passkey.ts'
import { SignInFrame } from './sign-in-frame.tsx'

export function SignInPage() {
  const t = useTexts(signInTexts)
  const { to, step: first } = useSearch({ strict: false }) as { to?: string; step?: string }
  const [step, setStep] = useState<'password' | 'code'>(first === 'code' ? 'code' : 'password')
  const client = useQueryClient()
  const navigate = useNavigate()

  async function enter() {
    client.clear()
    // Follows only our own paths: a path that begins with `//` would lead to another site.
    const isOurs = /^\/backoffice\/(?![/\\])/.test(to ?? '')
    await navigate({ to: (isOurs ? (to ?? '').slice('/backoffice'.length) : '/') as string, replace: true })
  }

  return (
    <SignInFrame title={step === 'password' ? t.title : t.codeTitle}>
      {step === 'password' ? (
        <PasswordStep onCode={() => setStep('code')} onDone={enter} />
      ) : (
        <CodeStep onDone={enter} />
      )}
    </SignInFrame>
  )
}

interface StepProps {
  readonly onDone: () => Promise<void>
}

function useSubmit(work: () => Promise<void>) {
  const { busy, problem, start } = useDoing(work)
  return {
    busy,
    problem,
    submit(event?: FormEvent) {
      event?.preventDefault()
      void start()
    },
  }
}

function PasswordStep({ onCode, onDone }: StepProps & { readonly onCode: () => void }) {
  const t = useTexts(signInTexts)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const form = useSubmit(async () => {
    const { two_factor } = await act<{ two_factor: boolean }>('/sign-in', { body: { email, password } })
    if (two_factor) onCode()
    else await onDone()
  })
  const passkey = useSubmit(async () => {
    await signInWithPasskey()
    await onDone()
  })
  return (
    <Stack>
      <form onSubmit={(event) => form.submit(event)}>
        <Stack>
          <Refused problem={form.problem ?? passkey.problem} />
          <TextInput
            label={t.email}
            type="email"
            autoComplete="username"
            required
            withAsterisk={false}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label={t.password}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit" loading={form.busy} fullWidth>
            {t.signIn}
          </Button>
        </Stack>
      </form>
      {passkeysWork() && (
        <>
          <Divider label={t.or} />
          <Button variant="default" loading={passkey.busy} onClick={() => passkey.submit()} fullWidth>
            {t.passkey}
          </Button>
        </>
      )}
      <Text size="sm" c="dimmed">
        {t.forgot}
      </Text>
      {isSandbox() && (
        <Alert color="yellow" p="sm">
          {t.sandbox}{' '}
          <Anchor href="/sandbox/start" size="sm" c="inherit" td="underline">
            {t.sandboxStart}
          </Anchor>
        </Alert>
      )}
    </Stack>
  )
}

function isSandbox(): boolean {
  return document.querySelector<HTMLMetaElement>('meta[name="gateway-mode"]')?.content === 'sandbox'
}

function CodeStep({ onDone }: StepProps) {
  const t = useTexts(signInTexts)
  const [code, setCode] = useState('')
  const [isBackup, setIsBackup] = useState(false)
  const form = useSubmit(async () => {
    const path = isBackup ? 'verify-backup-code' : 'verify-totp'
    await act(`/auth/two-factor/${path}`, { body: { code: code.trim() } })
    await onDone()
  })
  return (
    <form onSubmit={(event) => form.submit(event)}>
      <Stack>
        <Refused problem={form.problem} />
        <TextInput
          key={String(isBackup)}
          label={isBackup ? t.backupCode : t.code}
          description={isBackup ? undefined : t.codeHint}
          inputMode={isBackup ? 'text' : 'numeric'}
          autoComplete="one-time-code"
          required
          withAsterisk={false}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={form.busy} fullWidth>
          {t.continue}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={() => setIsBackup(!isBackup)}>
          {isBackup ? t.app : t.backup}
        </Anchor>
      </Stack>
    </form>
  )
}
