// Audit runs and their problems.
import { Alert, Badge, Button, Progress, Stack, Text, Title } from '@mantine/core'
import type { AuditAnswer, AuditRunAnswer } from '../../../../src/backoffice/contract/operator/audit.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { Empty, Loaded, PageHead } from '../../kit/page.tsx'
import { DataTable } from '../../kit/table.tsx'
import { Problem } from '../../shell/problems.tsx'
import { auditTexts } from './audit-texts.ts'
import { useOperatorQuery, useOperatorVerb } from './parts.tsx'

const progressMs = 1000

export function Page() {
  const t = useTexts(auditTexts)
  const query = useOperatorQuery<AuditAnswer>('/audit', (data) =>
    data?.runs[0]?.ended === null ? progressMs : false,
  )
  const running = useOperatorVerb<AuditAnswer>(() => ['/audit', { body: {} }])
  const isRunning = query.data?.runs[0]?.ended === null
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        actions={
          <Button onClick={() => running.mutate()} loading={running.isPending} disabled={isRunning}>
            {t.run}
          </Button>
        }
      />
      {running.error !== null && <Problem error={running.error} />}
      <Loaded query={query}>
        {({ runs }) => {
          const [newest] = runs
          if (newest === undefined) return <Empty title={t.none}>{t.noneText}</Empty>
          const last = newest.ended === null ? runs[1] : newest
          return (
            <Stack gap="lg">
              {newest.ended === null && <InProgress run={newest} />}
              {last && <Result run={last} />}
              {runs.length > 1 && <Runs runs={runs} />}
            </Stack>
          )
        }}
      </Loaded>
    </>
  )
}

function InProgress({ run }: { readonly run: AuditRunAnswer }) {
  const t = useTexts(auditTexts)
  const done = Object.keys(run.checks).length
  return (
    <section aria-label={t.inProgress}>
      <Text role="status" mb={4}>
        {t.checksDone(done, run.checks_total)}
      </Text>
      <Progress value={(100 * done) / Math.max(1, run.checks_total)} aria-label={t.inProgress} animated />
    </section>
  )
}

function Result({ run }: { readonly run: AuditRunAnswer }) {
  const t = useTexts(auditTexts)
  const format = useFormats()
  const when = t.lastRun(format.moment(run.ended ?? run.started), run.started_by)
  const checks = Object.entries(run.checks)
  return (
    <Stack>
      {run.error !== null ? (
        <Alert color="yellow" title={t.unfinished} role="status">
          {run.error}. {when}
        </Alert>
      ) : run.problems_total === 0 ? (
        <Alert color="green" title={t.fine} role="status">
          {when}
        </Alert>
      ) : (
        <Alert color="red" title={t.problems(run.problems_total)} role="alert">
          {when}
        </Alert>
      )}
      {run.problems.length > 0 && (
        <section>
          <Title order={2} mb="sm">
            {t.problemsTitle}
          </Title>
          <DataTable
            label={t.problemsTitle}
            columns={[
              { head: t.check, cell: ({ check }) => <CheckName name={check} /> },
              { head: t.subject, kind: 'identifier', cell: ({ subject }) => subject },
              { head: t.detail, cell: ({ detail }) => detail },
            ]}
            rows={run.problems}
            keyOf={(one) => `${one.check} ${one.subject} ${one.detail}`}
          />
          {run.problems_total > run.problems.length && <Text c="dimmed">{t.first(run.problems.length)}</Text>}
        </section>
      )}
      <section>
        <Title order={2} mb="sm">
          {t.checks}
        </Title>
        <DataTable
          label={t.checks}
          minWidth={320}
          columns={[
            { head: t.check, cell: ([check]) => <CheckName name={check} /> },
            { head: t.examined, kind: 'amount', cell: ([, examined]) => format.number(examined) },
          ]}
          rows={checks}
          keyOf={([check]) => check}
        />
      </section>
    </Stack>
  )
}

function Runs({ runs }: { readonly runs: readonly AuditRunAnswer[] }) {
  const t = useTexts(auditTexts)
  const format = useFormats()
  const stateOf = (run: AuditRunAnswer) => {
    if (run.ended === null)
      return (
        <Badge variant="light" color="blue" tt="none">
          {t.inProgress}
        </Badge>
      )
    if (run.error !== null)
      return (
        <Badge variant="light" color="yellow" tt="none">
          {t.unfinished}
        </Badge>
      )
    const isFine = run.problems_total === 0
    return (
      <Badge variant="light" color={isFine ? 'green' : 'red'} tt="none">
        {isFine ? t.fine : t.problems(run.problems_total)}
      </Badge>
    )
  }
  return (
    <section>
      <Title order={2} mb="sm">
        {t.before}
      </Title>
      <DataTable
        label={t.before}
        minWidth={480}
        columns={[
          { head: t.when, kind: 'line', cell: ({ started }) => format.moment(started) },
          { head: t.who, cell: (run) => run.started_by },
          { head: t.result, cell: stateOf },
        ]}
        rows={runs}
        keyOf={({ id }) => String(id)}
      />
    </section>
  )
}

function CheckName({ name }: { readonly name: string }) {
  const words = name.replaceAll('_', ' ')
  return (
    <>
      {words.charAt(0).toUpperCase() + words.slice(1)}
      <Text size="xs" c="dimmed" className="identifier">
        {name}
      </Text>
    </>
  )
}
