// comporta doctor: how its command line reads.
import type { Command } from '../command.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Checks a set-up, from Node to providers, and says what to mend; exits 1 when something is wrong.',
  operands: [],
  options: {},
  examples: ['comporta doctor', 'MODE=production DATABASE_URL=postgres://… comporta doctor --json'],
  act: async (session, input) => (await import('../../doctor/doctor.ts')).examine(session, input),
}
