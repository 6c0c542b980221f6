// Part of the settings with its own save button.
import { Button, Fieldset, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import type { SettingsAnswer, SettingsChange } from '../../../../src/backoffice/contract/settings.ts'
import { act } from '../../api.ts'
import { useTexts } from '../../i18n/language.ts'
import { useWallet } from '../../session.ts'
import { Problem } from '../../shell/problems.tsx'
import { settingsTexts } from './i18n.ts'

export function useSave(path = '', method: 'PATCH' | 'PUT' = 'PATCH') {
  const { api } = useWallet()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: SettingsChange | { logo: string | null } | { iban: string | null }) =>
      act<SettingsAnswer>(`${api}/settings${path}`, { method, body }),
    onSuccess: (settings) => {
      queries.setQueryData([api, 'settings'], settings)
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
}

export interface SectionProps {
  readonly title: string
  readonly about?: string
  readonly saving: ReturnType<typeof useSave>
  readonly submit: () => void
  /** Label of the button. Default: "Save". */
  readonly action?: string
  readonly children: ReactNode
}

export function Section({ title, about, saving, submit, action, children }: SectionProps) {
  const t = useTexts(settingsTexts)
  const { may } = useWallet()
  const mayChange = may('settings')

  function send(event: FormEvent): void {
    event.preventDefault()
    submit()
  }

  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <form onSubmit={send} noValidate>
        <Title order={2} mb={4}>
          {title}
        </Title>
        {about !== undefined && (
          <Text c="dimmed" size="sm" mb="sm">
            {about}
          </Text>
        )}
        <Fieldset variant="unstyled" className="read-when-off" disabled={!mayChange} p={0} m={0}>
          <Stack>{children}</Stack>
        </Fieldset>
        {saving.error !== null && <Problem error={saving.error} />}
        {mayChange && (
          <Group justify="flex-end" mt="md">
            <Text size="sm" c="dimmed" role="status">
              {saving.isSuccess ? t.saved : ''}
            </Text>
            <Button type="submit" loading={saving.isPending}>
              {action ?? t.save}
            </Button>
          </Group>
        )}
      </form>
    </Paper>
  )
}
