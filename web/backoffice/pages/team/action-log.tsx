// Who did what, the newest first, for as long as there is more.
import { Text } from '@mantine/core'
import type { ActionsAnswer } from '../../../../src/backoffice/contract/team.ts'
import { Endless, useEndless } from '../../kit/endless.tsx'
import { Empty } from '../../kit/page.tsx'
import { Rows } from '../../kit/rows.tsx'
import { useWallet } from '../../session.ts'
import { useFormats } from '../../texts/format.ts'
import { useTexts } from '../../texts/language.ts'
import { teamTexts } from './texts.ts'

export function ActionLog() {
  const t = useTexts(teamTexts)
  const format = useFormats()
  const { api } = useWallet()
  const query = useEndless<ActionsAnswer>(`${api}/actions`)
  return (
    <Endless query={query} more={t.more}>
      {(pages) => {
        const actions = pages.flatMap((page) => page.actions)
        if (actions.length === 0) return <Empty title={t.none}>{t.noneText}</Empty>
        return (
          <Rows
            head={[t.when, t.who, t.what, t.outcome]}
            rows={actions.map((one) => ({
              key: one.tid,
              cells: {
                [t.when]: <span className="number">{format.moment(one.at)}</span>,
                [t.who]: (
                  <>
                    {one.email}
                    {one.address !== undefined && (
                      <Text size="xs" c="dimmed">
                        {one.address}
                      </Text>
                    )}
                  </>
                ),
                [t.what]: t.actionNames[one.action] ?? one.action,
                [t.outcome]:
                  one.status < 400 ? (
                    t.done
                  ) : (
                    <Text size="sm" c="red">
                      {t.refused(one.status)}
                    </Text>
                  ),
              },
            }))}
          />
        )
      }}
    </Endless>
  )
}
