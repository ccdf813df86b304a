import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
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
 * Names in the page the scripts and styles that the first script loads whatever is shown, so that all are requested at once.
 *
 * The styles stand behind the outline of the page, which would otherwise not be painted before they have arrived, and before
 * the root, in which Mantine overrides some of them.
 */
function paintFirst(): Plugin {
  return {
    name: 'paint-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
        const rest = links.reduce((text, link) => text.replace(link, ''), html)
        const { scripts, styles } = findFilesOf(MAIN, bundle)
        const preloads = scripts
          .filter((name) => !html.includes(name))
          .map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`)
        const sheets = styles.map((name) => `<link rel="stylesheet" crossorigin href="/${name}">`)
        return rest
          .replace('</head>', `${preloads.join('')}</head>`)
          .replace('<div id="root">', `${[...links, ...sheets].join('')}<div id="root">`)
      },
    },
  }
}

/** What `start.ts` loads whatever is shown. */
const MAIN = 'src/main.tsx'

/** The files that hold a module and what it imports: its scripts, and their styles in the order in which they apply. */
function findFilesOf(module: string, bundle: Rolldown.OutputBundle): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>()
  const styles = new Set<string>()
  const add = (file: string | undefined) => {
    const chunk = file === undefined ? undefined : bundle[file]
    if (chunk?.type !== 'chunk' || scripts.has(chunk.fileName)) return
    scripts.add(chunk.fileName)
    for (const imported of chunk.imports) add(imported)
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
  }
  const holder = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith(module)),
  )
  if (holder === undefined) throw new Error(`the build has no ${module}`)
  add(holder.fileName)
  return { scripts: [...scripts], styles: [...styles] }
}

/** The folder of the component kit. */
const KIT = dirname(fileURLToPath(import.meta.resolve('@mantine/core/styles.css')))
/** The names of the classes of one of its components, or of what they share; its styles are in a file of the same name. */
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/

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

/** What is there before anything else: it asks for the session and for the code of the page. See src/start.ts. */
const START =
  /rolldown\/runtime|vite\/preload-helper|web\/src\/(start\.ts|router\/matchPath|pages\/isPublicPath|shell\/frameCode|api\/(answersAhead|apiFailure|browserMemory|call|isUnreachable|otherTabs|pause|pendingSignOut|request|retryUntilReached|session))/
/** What draws a page, whichever it is. */
const DRAW =
  /node_modules\/(preact|@tanstack\/query-core|@tanstack\/react-query|clsx|@mantine\/core\/esm\/core)\/|web\/src\/(react\.ts|main\.tsx|App\.tsx|theme|pages\/findPage|router\/)/
/** The components of the kit that the first pages use: the overview, the landing page and that for signing in. */
const FIRST =
  'ActionIcon|Alert|Anchor|Badge|Box|Button|Center|CloseButton|Code|Container|Divider|Flex|FloatingIndicator|Group|Loader|Paper|SegmentedControl|SimpleGrid|Skeleton|Stack|Text|ThemeIcon|Title|Transition|UnstyledButton|VisuallyHidden'
/** What these pages have in common. */
const FRAME = new RegExp(
  [
    String.raw`@mantine\/hooks\/(?!.*(focus-trap|debounced|long-press|click-outside|focus-return|collapse|hotkeys))`,
    String.raw`@mantine\/core\/esm\/utils\/(?!Floating|InlineInput)`,
    String.raw`@mantine\/core\/esm\/components\/(${FIRST})\/`,
    String.raw`@mantine\/core\/esm\/components\/Accordion\/AccordionChevron`,
    String.raw`@mantine\/core\/styles\/(${FIRST})\.`,
    String.raw`web\/src\/parts\/((code|lists|words)\/)?(Icon|RowLink|StatusBadge|When|Loaded|LinkButton|PageHeader|Section|proofWords|FailureNote|revealText|words|CopyText|Facts|TextLink|SupportContact|useFocusOnChange|announce)\.`,
    String.raw`web\/src\/api\/(IsShown|callApi|useApi|useInvalidate|useChosen|withElevation)`,
    String.raw`web\/src\/shell\/(Brand|ColorSchemeToggle|PageFrame)`,
  ].join('|'),
)
/** The frame of every page when signed in, and what the overview has in common with pages that list the same. */
const SHELL =
  /web\/src\/(pages\/(approvals\/(ApprovalRow|describeApprovals|summariseApproval)|audit\/AnchoringSection|overview\/firstRun\/useFirstRunMemory)|parts\/(ErasureNote|lists\/EventRow|words\/eventWords|decisions\/(?!DecisionsTable))|shell\/(places|Shell|Navigation))/
/** What signing in has in common with forms and with what a passkey confirms. */
const ENTRY =
  /@simplewebauthn|web\/src\/api\/passkeyCeremonies|@mantine\/core\/(esm\/components|styles)\/(Input|InputBase)[/.]/
/** What signs in, on whichever page. */
const SIGN_IN =
  /web\/src\/(pages\/signIn\/(SignInCard|AccountForm|OtherSignIns|SecondFactorForm|pageAfterSignIn|passwordLength)|parts\/forms\/readFields|wallet\/(WalletButtons|useWallets)|api\/(passkeySignIn|signUpWithPasskey))|@mantine\/core\/(esm\/components|styles)\/(PasswordInput|TextInput|Image)/
/** What scrolls or floats, and tables, which can scroll. */
const FLOATING = /@floating-ui\/|@mantine\/core\/esm\/components\/(ScrollArea|Table)\//
/** The parts of forms, in one file, but for those with which one signs in. */
const FIELDS =
  /@mantine\/core\/esm\/(components\/(Checkbox|Combobox|Pill|PillsInput|Popover|Radio|Select|Switch|TagsInput|Textarea)\/|utils\/(Floating|InlineInput))/

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
            { name: 'start', test: START, priority: 5 },
            { name: 'draw', test: DRAW, priority: 4 },
            { name: 'frame', test: FRAME, minShareCount: 2, priority: 3 },
            { name: 'shell', test: SHELL, priority: 3 },
            { name: 'entry', test: ENTRY, priority: 3 },
            { name: 'signIn', test: SIGN_IN, priority: 3 },
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
