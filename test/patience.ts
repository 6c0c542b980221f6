// Time-outs of tests.

/** Long, because a slow machine must not fail a test. A test without an answer must still end. */
export const patienceSeconds = 150

/** Whether this run may check durations. Only `npm run prove` on a quiet machine may. */
export const judgesTimes = process.env.PROVE === '1'
