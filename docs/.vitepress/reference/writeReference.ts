import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const HERE = import.meta.dirname

const SCALAR = fileURLToPath(new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')))

/** The files that the page loads, by the names under which the page refers to them. */
const FILES = {
  'scalar.js': () => readFileSync(SCALAR),
  'reference.js': () => bundle('reference.js'),
  'reference.css': () => readFileSync(join(HERE, 'reference.css')),
}

/**
 * Writes the API reference, which is a page of its own beside the generated ones, with everything that it loads.
 *
 * The names of the files contain a hash of their content, because browsers keep them for a year.
 */
export function writeReference(folder: string): void {
  let page = readFileSync(join(HERE, 'reference.html'), 'utf8')
  for (const [name, read] of Object.entries(FILES)) {
    const content = read()
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
    const hashed = `${basename(name, extname(name))}.${hash}${extname(name)}`
    writeFileSync(join(folder, 'assets', hashed), content)
    page = page.replace(`/assets/${name}`, `/assets/${hashed}`)
  }
  writeFileSync(join(folder, 'reference.html'), page)
}

function bundle(name: string): Uint8Array {
  const options = { bundle: true, minify: true, format: 'esm', target: 'es2022', write: false } as const
  const [file] = buildSync({ ...options, entryPoints: [join(HERE, name)] }).outputFiles
  if (file === undefined) throw new Error(`esbuild wrote nothing for ${name}`)
  return file.contents
}
