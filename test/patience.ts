// Time-outs of tests.

/** A slow machine must not fail a test, and a test without an answer must end. */
export const patienceSeconds = 150

/** Whether the run may judge durations: `npm run prove` on a quiet machine. */
export const judgesTimes = process.env.PROVE === '1'
