// Capture or release of an authorization, with a preview.
import { Alert, Button, Stack, Text } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { act, isRefusal } from '../../api.ts'
import { amountOf } from '../../i18n/amount.ts'
import { useFormats } from '../../i18n/format.ts'
import { useTexts } from '../../i18n/language.ts'
import { useErrorMessage } from '../../i18n/use-error-message.ts'
import { AmountField } from '../../kit/amount-field.tsx'
import { BeginButton } from '../../kit/begin-button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Refused, useDoing } from '../../kit/doing.tsx'
import { FormEnd } from '../../kit/form-end.tsx'
import { useNotify } from '../../kit/notify.ts'
import { paymentTexts } from '../payments/i18n.ts'
import { recurringTexts } from './i18n.ts'

interface Preview {
  readonly calculation: {
    readonly amount: string
    readonly fee?: string
    readonly net?: string
    readonly remaining: string
  }
}

/** The preview loads after the user has not typed for this time. */
const restMs = 250

interface TakeProps {
  readonly verb: 'capture' | 'release'
  readonly path: string
  readonly name: string
  readonly reserved: number
  readonly left: number
  readonly isFirst: boolean
  readonly onDone: () => Promise<unknown>
}

export function TakeButton({ verb, path, name, reserved, left, isFirst, onDone }: TakeProps) {
  const t = useTexts(recurringTexts)
  const { captureEndsRelease } = useTexts(paymentTexts)
  const format = useFormats()
  const say = useNotify()
  const [key, setKey] = useState<string>()
  const [text, setText] = useState('')
  const amount = amountOf(text)
  const preview = usePreview(`${path}/${verb}`, key === undefined ? undefined : amount)
  const doing = useDoing(async () => {
    try {
      await act(`${path}/${verb}`, { body: { amount }, ...(key !== undefined && { key }) })
    } catch (error) {
      // After a refusal the next try needs a new key.
      if (isRefusal(error)) setKey(crypto.randomUUID())
      void onDone()
      throw error
    }
    say(verb === 'capture' ? t.captureDone : t.releaseDone)
    await onDone()
  })
  // If the preview fails, the authorization has changed, so the page reads it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each preview that failed
  useEffect(() => {
    if (preview.problem !== undefined) void onDone()
  }, [preview.problem])
  const title = verb === 'capture' ? t.captureOf(name) : t.releaseOf(name)

  function open() {
    setKey(crypto.randomUUID())
    setText(format.typed(left))
    doing.forget()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (amount !== undefined) void doing.start().then((done) => done && setKey(undefined))
  }

  const ButtonOf = verb === 'capture' ? BeginButton : Button
  return (
    <>
      <ButtonOf
        size="compact-sm"
        variant={verb === 'capture' ? 'filled' : 'default'}
        aria-label={title}
        onClick={open}
      >
        {t[verb]}
      </ButtonOf>
      <Dialog opened={key !== undefined} close={() => setKey(undefined)} title={title}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm">{verb === 'capture' ? t.captureText : t.releaseText}</Text>
            {verb === 'capture' && isFirst && (
              <Alert color="yellow" p="sm">
                {captureEndsRelease}
              </Alert>
            )}
            <Refused problem={doing.problem ?? preview.problem} />
            <AmountField
              label={t.howMuch}
              description={
                left === reserved
                  ? t.atMost(format.money(left))
                  : t.atMostOf(format.money(left), format.money(reserved))
              }
              data-autofocus
              value={text}
              error={amount === undefined ? t.amountWrong : undefined}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            {preview.answer !== undefined && <Calculation {...preview.answer} />}
            <FormEnd
              label={t[verb]}
              busy={doing.busy}
              disabled={preview.answer === undefined}
              cancel={() => setKey(undefined)}
            />
          </Stack>
        </form>
      </Dialog>
    </>
  )
}

function Calculation({ calculation: { fee, net, remaining } }: Preview) {
  const t = useTexts(recurringTexts)
  const format = useFormats()
  return (
    <Alert color="blue" p="sm" title={t.preview} aria-live="polite">
      {fee !== undefined && (
        <Text size="sm">
          {t.fee}: {format.money(fee)}
        </Text>
      )}
      {net !== undefined && (
        <Text size="sm">
          {t.net}: {format.money(net)}
        </Text>
      )}
      <Text size="sm">
        {t.remaining}: {format.money(remaining)}
      </Text>
    </Alert>
  )
}

function usePreview(path: string, amount: number | undefined) {
  const said = useErrorMessage()
  const [answer, setAnswer] = useState<Preview>()
  const [problem, setProblem] = useState<unknown>()
  useEffect(() => {
    setAnswer(undefined)
    setProblem(undefined)
    if (amount === undefined) return
    let isOld = false
    const timer = setTimeout(() => {
      act<Preview>(path, { body: { amount, dry_run: true } }).then(
        (preview) => !isOld && setAnswer(preview),
        (error: unknown) => !isOld && setProblem(error),
      )
    }, restMs)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [path, amount])
  return { answer, problem: problem === undefined ? undefined : said(problem) }
}
