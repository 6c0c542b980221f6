// How long tests wait for something that must come.

/** A slow machine must not fail a test, and a test that waits in vain must end. */
export const patienceSeconds = 150

/** Whether the run may judge how long things take: `npm run prove`, on a machine with nothing else to do. */
export const judgesTimes = process.env.PROVE === '1'
