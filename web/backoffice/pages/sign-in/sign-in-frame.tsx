// Frame of the sign-in and join pages.
import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { LanguageChoice } from '../../shell/language-choice.tsx'

export function SignInFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Comporta`
  }, [title])
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack w="100%" maw={400} gap="lg">
        <Text fw={700} size="xl" ta="center">
          Comporta
        </Text>
        <Paper withBorder shadow="sm" p={{ base: 'lg', sm: 'xl' }}>
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
        <Group justify="center">
          <LanguageChoice />
        </Group>
      </Stack>
    </Center>
  )
}
