import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CLIENT_ENTRIES } from './clientEntries.ts'
import { flattenSchemas } from './flattenSchemas.ts'
import { mergeDeclarations } from './mergeDeclarations.ts'
import { pruneDeclarations } from './pruneDeclarations.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'client/dist')

/**
 * Writes the declarations of the client library's entries and of everything they refer to, with doc comments, to
 * `client/ENTRY.d.ts` in a folder.
 */
export function emitTypes(folder: string): void {
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
      const path = join(folder, file)
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
