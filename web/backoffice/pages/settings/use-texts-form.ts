// State of a form with text fields.
import { type ChangeEvent, useState } from 'react'
import { afterPointer } from '../../kit/after-pointer.ts'
import type { Rule } from './fields.ts'

interface FieldRule {
  readonly rule: Rule
  readonly wrong: string
}

export function useTextsForm<Field extends string>(
  first: Readonly<Record<Field, string>>,
  rules: Readonly<Partial<Record<Field, FieldRule>>>,
) {
  const [values, setValues] = useState(first)
  const [left, setLeft] = useState<readonly string[]>([])
  const mistakeOf = (field: Field): string | undefined => {
    const known = rules[field]
    return known === undefined || known.rule(values[field]) ? undefined : known.wrong
  }
  return {
    values,
    set: (field: Field, value: string) => setValues((before) => ({ ...before, [field]: value })),
    of: (field: Field) => ({
      value: values[field],
      error: left.includes(field) ? mistakeOf(field) : undefined,
      onChange: ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
        setValues((before) => ({ ...before, [field]: value })),
      onBlur: () => afterPointer(() => setLeft((fields) => [...fields, field])),
    }),
    /** Shows all mistakes. True if the form has no mistake. */
    check: (): boolean => {
      const fields = Object.keys(values) as Field[]
      setLeft(fields)
      return fields.every((field) => mistakeOf(field) === undefined)
    },
  }
}
