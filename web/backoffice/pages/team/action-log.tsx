// Activity log.
import { Badge, Text } from '@mantine/core'
import type { ActionsAnswer } from '../../../../src/backoffice/contract/team.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Endless, useEndless } from '../../kit/endless.tsx'
import { Empty } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { useWallet } from '../../session.ts'
import { actionNames } from './action-names.ts'
import { ActionObject } from './action-object.tsx'
import { teamTexts } from './i18n.ts'

export function ActionLog() {
  const t = useTexts(teamTexts)
  const names = useTexts(actionNames)
  const format = useFormats()
  const { api } = useWallet()
  const query = useEndless<ActionsAnswer>(`${api}/actions`)
  return (
    <Endless query={query} more={t.more}>
      {(pages) => {
        const actions = pages.flatMap((page) => page.actions)
        if (actions.length === 0) return <Empty title={t.none}>{t.noneText}</Empty>
        return (
          <DataTable
            label={t.log}
            columns={[
              { head: t.when, kind: 'line', cell: ({ at }) => format.moment(at) },
              { head: t.who, cell: (one) => <Actor {...one} /> },
              { head: t.what, cell: ({ action }) => names[action] ?? action },
              { head: t.object, cell: (one) => <ActionObject {...one} /> },
              { head: t.outcome, cell: ({ status }) => <Outcome status={status} /> },
            ]}
            rows={actions}
            keyOf={({ tid }) => tid}
          />
        )
      }}
    </Endless>
  )
}

export function Actor({ email, address }: { readonly email: string; readonly address?: string | undefined }) {
  return (
    <>
      {email}
      {address !== undefined && (
        <Text size="xs" c="dimmed">
          {address}
        </Text>
      )}
    </>
  )
}

/** @param status HTTP status of the answer; 0 if the process died before it answered */
export function Outcome({ status }: { readonly status: number }) {
  const t = useTexts(teamTexts)
  const isDone = status >= 200 && status < 400
  return (
    <Badge variant="light" color={isDone ? 'green' : 'yellow'} tt="none">
      {isDone ? t.done : status === 0 ? t.cutOff : t.refused(status)}
    </Badge>
  )
}
