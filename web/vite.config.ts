import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressFiles } from '../scripts/compressFiles.ts'

/** Leaves compressed forms of scripts and styles beside them, which the server sends to whoever takes them. */
function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '' }) {
      const assets = join(dir, 'assets')
      const names = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name))
      await compressFiles(names.map((name) => join(assets, name)))
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

/** What the first script needs of the packages. */
const FIRST =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/query-core|@tanstack\/react-query|clsx|@mantine\/core\/esm\/core)\//
/** What the first script has in common with the frame, which would otherwise come with it. */
const BASE =
  /web\/src\/(router\/|api\/(apiFailure|call|isUnreachable|pause|request|retryUntilReached|session))/
/** Which components of Mantine come with the first frame: all but those of forms and those that float. */
const FRAME =
  /@mantine\/(hooks\/|core\/esm\/utils\/(?!Floating)|core\/esm\/components\/(?!Autocomplete|Checkbox|Chip|Combobox|File|FloatingWindow|Menu|Modal|MultiSelect|NumberInput|PasswordInput|Pill|PinInput|Popover|Portal|Radio|RingProgress|ScrollArea|Select|Switch|Table|TagsInput|Textarea|TextInput|Tooltip))|web\/src\/parts\/(Icon|RowLink|StatusBadge|When|Loaded|PageHeader|Section|EventRow|eventWords|proofWords|FailureNote|revealText|words|CopyText|Facts|TextLink|SupportContact|useFocusOnChange)/
/** What scrolls or floats, and tables, which can scroll. */
const FLOATING = /@floating-ui\/|@mantine\/core\/esm\/components\/(ScrollArea|Table)\//
/** The parts of forms, in one file. */
const FIELDS =
  /@mantine\/core\/esm\/components\/(?!Floating|Menu|Modal|Popover|Portal|RingProgress|ScrollArea|Table|Tooltip)/

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
            { name: 'base', test: BASE, priority: 5 },
            { name: 'first', test: FIRST, priority: 4 },
            { name: 'frame', test: FRAME, minShareCount: 2, priority: 3 },
            { name: 'floating', test: FLOATING, minShareCount: 2, priority: 2 },
            { name: 'fields', test: FIELDS, minShareCount: 6, priority: 1 },
          ],
        },
      },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/.well-known': 'http://127.0.0.1:3000' } },
})
