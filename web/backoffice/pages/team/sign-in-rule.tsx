// Rule that requires an authenticator app.
import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { AskingButton } from '../../kit/confirm-button.tsx'
import { useNotify } from '../../kit/notify.ts'
import { useSession, useWallet } from '../../session.ts'
import { teamTexts } from './i18n.ts'

export function SignInRule({
  isRequired,
  changed,
}: {
  readonly isRequired: boolean
  readonly changed: () => Promise<unknown>
}) {
  const t = useTexts(teamTexts).rule
  const { api, may } = useWallet()
  const { two_factor: hasOne } = useSession()
  const say = useNotify()
  const mayAsk = isRequired || hasOne
  return (
    <Paper withBorder p="md" mt="md">
      <Group justify="space-between" gap="md">
        <Stack gap={4} maw={620}>
          <Group gap="sm">
            <Title order={2} size="h4">
              {t.title}
            </Title>
            <Badge variant="light" color={isRequired ? 'green' : 'gray'}>
              {isRequired ? t.on : t.off}
            </Badge>
          </Group>
          <Text size="sm">{isRequired ? t.onText : t.offText}</Text>
          {may('team') && !mayAsk && (
            <Text size="sm" c="dimmed">
              {t.ownFirst}{' '}
              <Anchor component={Link} to={'/account/security' as string} underline="always">
                {t.toSecurity}
              </Anchor>
            </Text>
          )}
        </Stack>
        {may('team') && mayAsk && (
          <AskingButton
            variant="default"
            label={isRequired ? t.stop : t.start}
            ask={isRequired ? t.askStop : t.askStart}
            work={async () => {
              const body = { two_factor_required: !isRequired }
              await act(`${api}/team/rules`, { method: 'PUT', body })
              await changed()
              say(t.done)
            }}
          />
        )}
      </Group>
    </Paper>
  )
}
