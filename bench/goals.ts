// Goals for two cores that load, receiver, gateway and PostgreSQL share.
import type { Goal, Measurement } from './measure.ts'

export type GoalOf = (measured: Measurement) => Goal

const failed = ({ failures = 0, delivered }: Measurement) => failures + (delivered?.missing ?? 0)

export function accepted(perSecond: number): GoalOf {
  return (measured) => ({
    text: `${perSecond}/s`,
    met: measured.perSecond >= perSecond && failed(measured) === 0,
  })
}

export function deliveredPerSecond(perSecond: number): GoalOf {
  return (measured) => ({
    text: `${perSecond}/s delivered`,
    met: (measured.delivered?.perSecond ?? 0) >= perSecond && failed(measured) === 0,
  })
}

/** The goal also requires `ratio` times the bare loop, and less than a second of backlog. */
export function deliveredAhead(perSecond: number, ratio: number): GoalOf {
  return (measured) => {
    const { delivered, ratio: reached = 0 } = measured
    const isPrompt = (delivered?.backlogSeconds ?? 0) < 1
    return {
      text: `${perSecond}/s delivered, ${ratio} × bare, backlog < 1 s`,
      met: deliveredPerSecond(perSecond)(measured).met && reached >= ratio && isPrompt,
    }
  }
}

export function within(p50Ms: number): GoalOf {
  return (measured) => ({
    text: `p50 ${p50Ms} ms`,
    met: (measured.p50Ms ?? 0) <= p50Ms && failed(measured) === 0,
  })
}

export function asFastAs(other: Measurement, times: number): GoalOf {
  return (measured) => ({ text: `≤ ${times} × slower`, met: other.perSecond / measured.perSecond <= times })
}

/** The largest memory of a gateway under any load, in MiB. */
export const memoryMbMax = 400
