import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the dashboard into `dist`, which the server serves; `npm run dev` talks to a service on port 3000. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  resolve: {
    // core/hash.ts asks Node for SHA-256; in the browser the same two functions come from src/hash.ts.
    alias: [
      { find: /^\.\.\/hash\.ts$/, replacement: fileURLToPath(new URL('src/hash.ts', import.meta.url)) },
    ],
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/.well-known': 'http://127.0.0.1:3000' } },
})
