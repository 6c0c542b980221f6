// Set-up of vite for one entry of web/ (`tools/build-web.ts`).
import { defineConfig } from 'vite'

export default defineConfig({
  root: 'web',
  // Our own origin serves everything under this path, immutable.
  base: '/assets/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    // Phones of 2022 and later; older ones get the page without JavaScript.
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
