// Outcomes of challenges, and their reports to the 3DS server.
import { isUuid } from '../../src/kernel/random.ts'
import { ok, type Result, refuse } from '../../src/kernel/result.ts'
import type { IssuerContext } from './context.ts'
import type { Challenge } from './model.ts'
import type { Reporter } from './report.ts'
import { type CardholderAnswer, type Judgement, judge } from './rules.ts'
import { type ChallengeMove, findChallenge, listOverdueChallenges, recordMove } from './store.ts'
import { newAuthenticationValue } from './three-d-secure.ts'

const overduePerRound = 100

export interface Challenges {
  /** Finds a challenge by the id of the issuer or of the 3DS server. Ends it first if its time is over. */
  find(id: string): Promise<Challenge | undefined>
  /**
   * Applies the cardholder's answer. After a wrong code the challenge stays open. Refusals: not_found, or
   * illegal_state if it has ended. rail_unavailable if the report failed; the next answer repeats it.
   */
  answer(id: string, answer: CardholderAnswer): Promise<Result<Challenge>>
  /** Reports a result once. Returns whether the 3DS server has taken it. */
  report(challenge: Challenge): Promise<boolean>
  /** Ends all challenges whose time is over. Returns their number. */
  expire(): Promise<number>
}

export function createChallenges(context: IssuerContext, reporter: Reporter): Challenges {
  const { database, clock } = context

  async function find(id: string): Promise<Challenge | undefined> {
    const challenge = isUuid(id) ? await findChallenge(database, id) : undefined
    if (challenge === undefined) return undefined
    return (await apply(challenge, undefined)) ?? (await findChallenge(database, id))
  }

  /** Undefined if another answer came first. */
  async function apply(
    challenge: Challenge,
    answer: CardholderAnswer | undefined,
  ): Promise<Challenge | undefined> {
    const judgement = judge(challenge, answer, clock.now())
    if (judgement === undefined) return challenge
    const moved = await recordMove(database, challenge, moveFor(judgement))
    if (moved !== undefined && moved.state === 'expired') await reporter.report(moved)
    return moved
  }

  function moveFor({ state, attemptsLeft }: Judgement): ChallengeMove {
    const move = { state, attemptsLeft, answered: state !== 'expired' }
    if (state !== 'authenticated') return move
    return { ...move, authenticationValue: newAuthenticationValue(context.random) }
  }

  async function answer(id: string, given: CardholderAnswer): Promise<Result<Challenge>> {
    const challenge = await find(id)
    if (challenge === undefined) return refuse('not_found', 'there is no challenge with this id')
    if (challenge.state !== 'open') return answerAfterEnd(challenge)
    const moved = await apply(challenge, given)
    if (moved === undefined) return answer(id, given)
    return moved.state === 'open' ? ok(moved) : reported(moved)
  }

  /** If the report of the earlier answer failed, it is sent again. */
  async function answerAfterEnd(challenge: Challenge): Promise<Result<Challenge>> {
    if (challenge.threeDsServerUrl !== undefined) return reported(challenge)
    return refuse('illegal_state', `the challenge is over: ${challenge.state}`)
  }

  async function reported(challenge: Challenge): Promise<Result<Challenge>> {
    if (!(await reporter.report(challenge))) {
      return refuse('rail_unavailable', 'the 3DS server did not take the result; answer again to repeat it')
    }
    if (challenge.state === 'expired') return refuse('illegal_state', 'the challenge is over: expired')
    return ok(challenge)
  }

  return {
    find,
    answer,
    report: (challenge) => reporter.report(challenge),
    async expire() {
      let expired = 0
      for (;;) {
        const overdue = await listOverdueChallenges(database, clock.now(), overduePerRound)
        const ended = await Promise.all(overdue.map((challenge) => apply(challenge, undefined)))
        expired += ended.filter((challenge) => challenge !== undefined).length
        if (overdue.length < overduePerRound) return expired
      }
    },
  }
}
