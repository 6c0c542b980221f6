// Replaces the sandbox in production builds (tools/build-program.ts).
import { CannotStart } from './runtime.ts'

throw new CannotStart(
  'this build has no sandbox: set MODE=production, or use an image of the target sandbox (docs/deploying.md)',
)
