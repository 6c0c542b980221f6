// What each row is to reach on two cores that load, receiver, gateway and PostgreSQL share.
import type { Goal, Measurement } from './measure.ts'

type GoalOf = (measured: Measurement) => Goal

const failed = ({ failures = 0, delivered }: Measurement) => failures + (delivered?.missing ?? 0)

/** So many accepted per second, and none failed. */
export function accepted(perSecond: number): GoalOf {
  return (measured) => ({
    text: `${perSecond}/s`,
    met: measured.perSecond >= perSecond && failed(measured) === 0,
  })
}

/** So many accepted and delivered per second, and none failed. */
export function deliveredPerSecond(perSecond: number): GoalOf {
  return (measured) => ({
    text: `${perSecond}/s delivered`,
    met: (measured.delivered?.perSecond ?? 0) >= perSecond && failed(measured) === 0,
  })
}

/** The same, at so many times the bare loop, with less than a second of work left when the load ends. */
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

/** The median of the answers' times. */
export function within(p50Ms: number): GoalOf {
  return (measured) => ({
    text: `p50 ${p50Ms} ms`,
    met: (measured.p50Ms ?? 0) <= p50Ms && failed(measured) === 0,
  })
}

/** At most so many times as slow as `other` is. */
export function asFastAs(other: Measurement, times: number): GoalOf {
  return (measured) => ({ text: `≤ ${times} × slower`, met: other.perSecond / measured.perSecond <= times })
}

/** Whatever was measured, no gateway may need more than this, in MiB. */
export const memoryMbMax = 400
