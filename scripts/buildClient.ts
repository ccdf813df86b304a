import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { CLIENT_ENTRIES } from './client/clientEntries.ts'
import { flattenSchemas } from './client/flattenSchemas.ts'
import { listDependencies } from './client/listDependencies.ts'
import { mergeDeclarations } from './client/mergeDeclarations.ts'
import { pruneDeclarations } from './client/pruneDeclarations.ts'
import { readPackageFile } from './client/readPackageFile.ts'
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
  emitTypes(folder)
  for (const [entry, names] of values) {
    writeFileSync(join(folder, 'types', `${entry}.d.cts`), writeCommonJsTypes(entry, names))
  }
  cpSync(join(CLIENT, 'README.md'), join(folder, 'README.md'))
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

/** Writes the declarations of the entries and of everything they refer to, with doc comments. */
function emitTypes(folder: string): void {
  mkdirSync(DIST, { recursive: true })
  // Inside the project, so that the compiler finds the types of the dependencies.
  const work = mkdtempSync(join(DIST, 'types-'))
  try {
    const emitted = join(work, 'emitted')
    stageSources(work)
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    execFileSync(process.execPath, [tsc, '-p', work, '--rootDir', work, '--outDir', emitted], {
      stdio: 'inherit',
    })
    const files = globSync('**/*.d.ts', { cwd: emitted })
    const flattened = flattenSchemas(files.map((file) => join(emitted, file)))
    const read = (path: string) => flattened.get(path) ?? readFileSync(path, 'utf8')
    const texts = new Map(files.map((file) => [file, read(join(emitted, file))]))
    const entries = CLIENT_ENTRIES.map((name) => `client/${name}.d.ts`)
    for (const [file, text] of mergeDeclarations(pruneDeclarations(texts, entries), entries)) {
      const path = join(folder, 'types', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, dropSources(text))
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Drops references to sources, which are for readers of the code. */
function dropSources(declarations: string): string {
  return declarations
    .replaceAll(/^( *\*) (?:Source|Spec): .*(?:\n\1 (?!@)\S.*)*\n/gm, '')
    .replaceAll(/(?<=^ *\/?\*.*) (?:Source|Spec): [^\n]*?(?= \*\/|$)/gm, '')
    .replaceAll(/(?:\n *\*)+(?=\n *\*\/)/g, '')
}

/** Copies the sources, with relative imports of core, because the package contains core's code. */
function stageSources(folder: string): void {
  for (const file of globSync('{client,core}/**/*.ts', { cwd: ROOT, exclude: ['**/dist/**'] })) {
    const toCore = relative(dirname(file), 'core')
    const text = readFileSync(join(ROOT, file), 'utf8')
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(
      path,
      text.replace(/'@svc\/core\/([^']+)'/g, (_, name) => `'${toCore}/${name}'`),
    )
  }
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // `npm run check:types` checks them.
    noCheck: true,
    rewriteRelativeImportExtensions: true,
    types: ['node'],
  }
  const files = CLIENT_ENTRIES.map((name) => `client/${name}.ts`)
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
}

function buildPackageFile() {
  const { name, version, description } = readPackageFile('client')
  const exports = CLIENT_ENTRIES.map((entry) => [
    entry === 'index' ? '.' : `./${entry}`,
    {
      import: { types: `./types/client/${entry}.d.ts`, default: `./${entry}.js` },
      // Node 20.19 and later can `require` ES modules.
      require: { types: `./types/${entry}.d.cts`, default: `./${entry}.js` },
    },
  ])
  return {
    ...{ name, version, description, type: 'module', license: readPackageFile('.').license },
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
