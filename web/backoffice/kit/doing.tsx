// Doing something from a page: one at a time, its refusal in words, and a question before what cannot be undone.
import { Alert, Button, type ButtonProps, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api.ts'
import { shellTexts } from '../shell/texts.ts'
import { useTexts } from '../texts/language.ts'
import { Dialog } from './dialog.tsx'

export interface Doing<Arguments extends readonly unknown[]> {
  readonly busy: boolean
  /** Why it was refused. */
  readonly problem: string | undefined
  /** Answers whether it was done; nothing happens while it is being done. */
  start(...given: Arguments): Promise<boolean>
  forget(): void
}

/** What a button or a form does. */
export function useDoing<Arguments extends readonly unknown[]>(
  work: (...given: Arguments) => Promise<unknown>,
): Doing<Arguments> {
  const { offline } = useTexts(shellTexts)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  return {
    busy,
    problem,
    async start(...given) {
      if (busy) return false
      setBusy(true)
      setProblem(undefined)
      try {
        await work(...given)
        return true
      } catch (error) {
        const isOffline = error instanceof ApiError && error.isOffline
        setProblem(isOffline ? offline : String((error as Error).message ?? error))
        return false
      } finally {
        setBusy(false)
      }
    },
    forget: () => setProblem(undefined),
  }
}

export function Refused({ problem }: { readonly problem: string | undefined }) {
  if (problem === undefined) return null
  return (
    <Alert color="red" role="alert" p="sm">
      {problem}
    </Alert>
  )
}

interface AskingProps extends ButtonProps {
  /** What the button says, and the one that confirms. */
  readonly label: string
  /** The question's title; else the label. */
  readonly title?: string
  readonly cancel: string
  readonly ask: ReactNode
  readonly work: () => Promise<unknown>
  readonly isDanger?: boolean
}

/** A button that asks before it does. */
export function AskingButton(props: AskingProps) {
  const { label, title = label, cancel, ask, work, isDanger = false, ...button } = props
  const [isOpen, setIsOpen] = useState(false)
  const doing = useDoing(work)
  const close = () => {
    setIsOpen(false)
    doing.forget()
  }
  return (
    <>
      <Button aria-label={title} {...button} onClick={() => setIsOpen(true)}>
        {label}
      </Button>
      <Dialog opened={isOpen} close={close} title={title}>
        <Stack>
          <Text size="sm" component="div">
            {ask}
          </Text>
          <Refused problem={doing.problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {cancel}
            </Button>
            <Button
              {...(isDanger && { color: 'red' })}
              loading={doing.busy}
              onClick={() => void doing.start().then((done) => done && close())}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  )
}
