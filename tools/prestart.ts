// Builds what `npm start` needs before the gateway listens; the gateway has the rest built afterwards.
try {
  const { buildNeeded } = await import('./build-web.ts')
  await import('./build-program.ts')
  await buildNeeded()
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'vite'")) throw error
  console.error(
    'comporta is not built here, and the packages that build it are not installed: run npm ci without --omit=dev, or build first and leave them out afterwards',
  )
  process.exitCode = 1
}
