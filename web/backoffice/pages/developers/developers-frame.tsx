// Frame of the developer pages.
import { Button, Group } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../i18n/language.ts'
import { PageHead } from '../../kit/page.tsx'
import { useWallet } from '../../session.ts'
import { developersTexts } from './i18n.ts'

const sections = [
  ['keys', ''],
  ['callbacks', '/callbacks'],
  ['events', '/events'],
  ['requests', '/requests'],
] as const

export function DevelopersFrame({
  section,
  about,
  actions,
  children,
}: {
  readonly section: (typeof sections)[number][0]
  readonly about?: string | undefined
  readonly actions?: ReactNode
  readonly children: ReactNode
}) {
  const t = useTexts(developersTexts)
  const { id } = useWallet()
  const { pathname } = useLocation()
  return (
    <>
      <PageHead title={t[section]} about={about} actions={actions} />
      <Group component="nav" aria-label={t.sections} gap="xs" mb="lg">
        {sections.map(([name, path]) => {
          const to = `/wallets/${id}/developers${path}`
          return (
            <Button
              key={name}
              component={Link}
              to={to}
              size="xs"
              flex="none"
              variant={name === section ? 'light' : 'subtle'}
              aria-current={pathname === to ? 'page' : undefined}
            >
              {t[name]}
            </Button>
          )
        })}
      </Group>
      {children}
    </>
  )
}
