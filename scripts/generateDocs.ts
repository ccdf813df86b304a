import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { policyFileSchema } from '@svc/core/policyFile/policyFile.ts'
import { z } from 'zod'
import { ERROR_CATALOGUE } from '../server/errors.ts'
import { TABLE } from '../server/routes/index.ts'
import { SETTINGS } from '../server/settings.ts'
import { renderClientReference } from './docs/renderClientReference.ts'
import { renderFaultsTable } from './docs/renderFaultsTable.ts'
import { renderLicencesPage } from './docs/renderLicencesPage.ts'
import { renderMutationTable } from './docs/renderMutationTable.ts'

const ROOT = join(import.meta.dirname, '..')

/** Documents, or marked sections of documents, that are generated from tables in code. */
const GENERATED: readonly { file: string; marker: string | null; make: () => string }[] = [
  { file: 'docs/errors.md', marker: null, make: errorsPage },
  { file: 'docs/routes.md', marker: null, make: routesPage },
  { file: 'README.md', marker: 'configuration', make: configurationTable },
  { file: 'docs/reliability.md', marker: 'faults', make: renderFaultsTable },
  { file: 'docs/mutation.md', marker: 'mutation', make: renderMutationTable },
  { file: 'client/policy.schema.json', marker: null, make: policySchema },
  ...Array.from(await renderClientReference(), ([name, text]) => ({
    file: `docs/client-reference/${name}`,
    marker: null,
    make: () => text,
  })),
  { file: 'docs/licences.md', marker: null, make: () => renderLicencesPage() },
]

function errorsPage(): string {
  const rows = Object.entries(ERROR_CATALOGUE).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  )
  return `# Errors

Every error code that the API can return. This page is generated from \`server/errors.ts\` by \`npm run docs\`.

All errors share one body, which combines the members of RFC 9457 with those of this API:
\`{success: false, error, code, message, type, title, status, detail, instance, requestId, errors?}\`. The only exception is
\`/mcp\`, where errors of the Model Context Protocol itself are JSON-RPC errors ([mcp.md](mcp.md)).

| Status | Code | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

function routesPage(): string {
  const rows = TABLE.map(
    ([method, path, access, budget, operation]) =>
      `| ${method} | \`${path}\` | ${access} | ${budget} | ${operation.summary} |`,
  )
  return `# Routes

Every route of the API, with who may call it and which rate budget it is charged to. This page is generated from
\`server/routes/index.ts\` by \`npm run docs\`; \`server/middleware/authorise.ts\` enforces the access column.

| Method | Path | Access | Budget | What it does |
|---|---|---|---|---|
${rows.join('\n')}
`
}

function configurationTable(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${setting.default} | ${setting.meaning} |`,
  )
  return `| Setting | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}`
}

/** The JSON Schema with which editors complete and check policy files; `lint` reports rules a schema cannot express. */
function policySchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(policyFileSchema, { io: 'input' })
  const title = 'PDLSS policy'
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`
}

function contentOf({ file, marker, make }: (typeof GENERATED)[number], current: string): string {
  if (marker === null) return make()
  const begin = `<!-- generated: ${marker} -->`
  const end = `<!-- end: ${marker} -->`
  const from = current.indexOf(begin)
  const to = current.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no section marked "${marker}"`)
  return `${current.slice(0, from)}${begin}\n${make()}\n${current.slice(to)}`
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const isCheck = process.argv.includes('--check')
const stale: string[] = []
for (const page of GENERATED) {
  const path = join(ROOT, page.file)
  const current = read(path)
  const wanted = contentOf(page, current)
  if (current === wanted) continue
  stale.push(page.file)
  if (!isCheck) writeFileSync(path, wanted)
}
if (isCheck && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run "npm run docs".`)
  process.exit(1)
}
console.log(stale.length === 0 ? 'All generated documents are up to date.' : `Wrote ${stale.join(', ')}.`)
