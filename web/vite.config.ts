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

/**
 * Moves the styles behind the outline of the page, which would otherwise not be painted before they have arrived, and before
 * the root, in which Mantine overrides some of them.
 */
function paintFirst(): Plugin {
  return {
    name: 'paint-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        const rest = links.reduce((text, link) => text.replace(link, ''), html)
        return rest.replace('<div id="root">', `${links.join('')}<div id="root">`)
      },
    },
  }
}

/** What the first script needs of the packages; everything else of Mantine comes with the first frame, in one file. */
const FIRST =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/query-core|@tanstack\/react-query|clsx|@mantine\/core\/esm\/core)\//
const FRAME =
  /@mantine\/core\/esm\/components\/(?!Popover|Tooltip|Combobox|Menu|Portal|Floating|Modal|ScrollArea)/

/** Builds the dashboard into `dist`, which the server serves; `npm run dev` talks to a service on port 3000. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), paintFirst(), compressAssets()],
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
    rolldownOptions: {
      output: {
        // Each file costs a slow network a round trip.
        codeSplitting: {
          groups: [
            { name: 'first', test: FIRST, priority: 2 },
            { name: 'frame', test: FRAME, minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/.well-known': 'http://127.0.0.1:3000' } },
})
