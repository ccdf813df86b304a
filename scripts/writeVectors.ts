import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildVectors } from './vectors/buildVectors.ts'

const FOLDER = join(import.meta.dirname, '../test/vectors')
const fileOf = (name: string) => join(FOLDER, `${name}.json`)

/** Writes `test/vectors`; a test checks that the files are up to date. */
const vectors = await buildVectors((name) =>
  existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : undefined,
)
for (const [name, text] of Object.entries(vectors)) writeFileSync(fileOf(name), text)
console.log(`${Object.keys(vectors).length} files written to test/vectors`)
