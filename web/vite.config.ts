import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Leaves compressed forms of scripts and styles beside them, which the server sends to whoever takes them. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      for (const name of readdirSync(assets).filter((one) => /\.(js|css)$/.test(one))) {
        const content = readFileSync(join(assets, name))
        writeFileSync(join(assets, `${name}.br`), brotliCompressSync(content))
        writeFileSync(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }))
      }
    },
  }
}

/** Builds the dashboard into `dist`, which the server serves; `npm run dev` talks to a service on port 3000. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressAssets()],
  resolve: {
    // core/hash.ts asks Node for SHA-256; in the browser the same two functions come from src/hash.ts.
    alias: [
      {
        find: /^(\.\.?|@svc\/core)\/hash\.ts$/,
        replacement: fileURLToPath(new URL('src/hash.ts', import.meta.url)),
      },
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
