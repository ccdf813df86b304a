import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

/** The folder of the component kit. */
const KIT = dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')))
/** The names of the classes of one of its components, which has its styles in a file of the same name. */
const CLASS_NAMES = /@mantine\/core\/esm\/components\/.*\/(\w+)\.module\.mjs$/

/**
 * Loads the styles of a component of the kit with its code, so that no page waits for those of another. They are in a
 * layer, so that our own styles win whatever loads first.
 */
function styleComponents(): Plugin {
  return {
    name: 'style-components',
    transform(code, id) {
      const [, name] = CLASS_NAMES.exec(id) ?? []
      const file = `styles/${name}.layer.css`
      if (name === undefined || !existsSync(join(KIT, file))) return null
      return { code: `import '@mantine/core/${file}'\n${code}`, map: null, moduleSideEffects: true }
    },
  }
}

/** What the first script needs of the packages. */
const FIRST =
  /node_modules\/(preact|@tanstack\/query-core|@tanstack\/react-query|clsx|@mantine\/core\/esm\/core)\//
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
  plugins: [styleComponents(), paintFirst(), compressAssets()],
  resolve: {
    // core/hash.ts asks Node for SHA-256; in the browser the same two functions come from src/hash.ts.
    alias: [
      {
        find: /^(\.\.?|@svc\/core)\/hash\.ts$/,
        replacement: fileURLToPath(new URL('src/hash.ts', import.meta.url)),
      },
      { find: /^react$/, replacement: fileURLToPath(new URL('src/react.ts', import.meta.url)) },
      { find: /^react\/jsx(-dev)?-runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react-dom$/, replacement: 'preact/compat' },
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
    ],
  },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // "use client", which means nothing in a bundle.
      checks: { moduleLevelDirective: false },
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
