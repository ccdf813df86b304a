import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { CLIENT_ENTRIES } from './client/clientEntries.ts'
import { emitTypes } from './client/emitTypes.ts'
import { listDependencies } from './client/listDependencies.ts'
import { describePackage } from './client/readPackageFile.ts'
import { writeCommonJsTypes } from './client/writeCommonJsTypes.ts'

const ROOT = join(import.meta.dirname, '..')
const CLIENT = join(ROOT, 'client')
const DIST = join(CLIENT, 'dist')

/**
 * Builds the client library as its users install it: JavaScript and types of `client` and of the part of `core` that it
 * uses, in a folder with its own package.json, ready for `npm pack`.
 */
async function buildClient(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const values = await bundle(folder)
  emitTypes(join(folder, 'types'))
  for (const [entry, names] of values) {
    writeFileSync(join(folder, 'types', `${entry}.d.cts`), writeCommonJsTypes(entry, names))
  }
  for (const file of ['README.md', 'CHANGELOG.md']) cpSync(join(CLIENT, file), join(folder, file))
  // Only programs read it, so it is written without whitespace.
  const schema = JSON.parse(readFileSync(join(CLIENT, 'policy.schema.json'), 'utf8'))
  writeFileSync(join(folder, 'policy.schema.json'), JSON.stringify(schema))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(buildPackageFile(), null, 2)}\n`)
}

/** Returns the names that each entry exports as values. */
async function bundle(folder: string): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    metafile: true,
    entryPoints: [...CLIENT_ENTRIES, 'cli'].map((name) => join(CLIENT, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    // For any runtime: only external packages may depend on a platform.
    platform: 'neutral',
    external: [...Object.keys(listDependencies(['core', 'client'])), 'node:*'],
    // Small: only exports and members keep their names.
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    lineLimit: 140,
    chunkNames: 'parts/[name]-[hash]',
  })
  const outputs = Object.entries(metafile.outputs)
  return new Map(
    CLIENT_ENTRIES.map((entry) => {
      const found = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith(`client/${entry}.ts`))
      return [entry, found?.[1].exports.toSorted() ?? []]
    }),
  )
}

function buildPackageFile() {
  const exports = CLIENT_ENTRIES.map((entry) => [
    entry === 'index' ? '.' : `./${entry}`,
    {
      import: { types: `./types/client/${entry}.d.ts`, default: `./${entry}.js` },
      // Node 20.19 and later can `require` ES modules.
      require: { types: `./types/${entry}.d.cts`, default: `./${entry}.js` },
    },
  ])
  return {
    ...describePackage('client'),
    engines: { node: '>=20.19' },
    sideEffects: false,
    exports: { ...Object.fromEntries(exports), './policy.schema.json': './policy.schema.json' },
    bin: { 'svc-policy': 'cli.js' },
    // Core is bundled, and of its schema library neither code nor types are used.
    dependencies: listDependencies(['client']),
  }
}

const { values } = parseArgs({ options: { out: { type: 'string' } } })
await buildClient(values.out ?? join(DIST, 'package'))
