// How vite turns one entry of web/ into hashed files; `tools/build-web.ts` runs it once per entry.
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'web',
  // Everything is served from our own origin under this path, immutable.
  base: '/assets/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    // Phones of 2022 and later; older ones get the page that works without JavaScript.
    target: ['es2022', 'chrome100', 'safari15.4', 'firefox100'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
      },
    },
  },
})
