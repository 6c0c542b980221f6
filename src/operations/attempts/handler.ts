// What the engine asks of a rail about a request that it was sent, or may have been: each method hands its handler in.
import type { Method } from '../model.ts'
import type { RailRequest } from './model.ts'
import type { RailAnswer } from './rail-answer.ts'

export interface RailHandler {
  /** What became of the request; `not_found` also where its key was cancelled before it arrived. */
  inquire(request: RailRequest): Promise<RailAnswer>
  /**
   * What became of the request; one that has not arrived is declined should it arrive later, where the rail can do
   * that: `not_found`.
   */
  cancel(request: RailRequest): Promise<RailAnswer>
  /** Undoes what was approved, whole, under a key of its own. */
  reverse(key: string, request: RailRequest): Promise<RailAnswer>
}

/** Methods without one never fail because their rail received nothing: they are sent again until it has. */
export type RailHandlers = Readonly<Partial<Record<Method, RailHandler>>>
