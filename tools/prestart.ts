// Builds that `npm start` needs before the gateway listens.
import { existsSync } from 'node:fs'
import { builtProgramFolder } from '../bin/built-program.ts'

if (existsSync('node_modules/vite')) {
  await import('./build-program.ts')
  const { buildNeeded } = await import('./build-web.ts')
  await buildNeeded()
} else if (![builtProgramFolder(), 'dist/web/manifest.json'].every((path) => existsSync(path))) {
  console.error('comporta is not built. Run npm ci && npm run build, then npm prune --omit=dev.')
  process.exitCode = 1
}
