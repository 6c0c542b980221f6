// In place of the sandbox in the build for production, which leaves it out (tools/build-program.ts).
import { CannotStart } from './runtime.ts'

throw new CannotStart(
  'this build has no sandbox: set MODE=production, or use an image of the target sandbox (docs/deploying.md)',
)
