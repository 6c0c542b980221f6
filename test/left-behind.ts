// Checks that a test file leaves no switch of the process on.
import { afterAll, expect } from 'vitest'
import { tracing } from '../src/kernel/tracing.ts'

afterAll(() => expect(tracing, 'a test file left its tracing on: end it in afterAll').toBeUndefined())
