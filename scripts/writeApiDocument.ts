import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { TABLE } from '../server/routes/index.ts'
import { openApiDocument } from '../server/routes/openapi/openApiDocument.ts'

/** Writes the OpenAPI document to the file named on the command line, for tools that check or render it. */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('expected the path of a file')
mkdirSync(dirname(file), { recursive: true })
writeFileSync(file, `${JSON.stringify(openApiDocument(TABLE, 'https://registry.example'), null, 2)}\n`)
