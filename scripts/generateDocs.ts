import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { policyFileSchema } from '@svc/core/policyFile/policyFile.ts'
import { z } from 'zod'
import { SETTINGS } from '../server/config/settings.ts'
import { ERROR_CATALOGUE } from '../server/errors.ts'
import { TABLE } from '../server/routes/index.ts'
import { renderClientReference } from './docs/renderClientReference.ts'
import { renderDenials } from './docs/renderDenials.ts'
import { renderFaultsTable } from './docs/renderFaultsTable.ts'
import { renderLicencesPage } from './docs/renderLicencesPage.ts'
import { renderMutationTable } from './docs/renderMutationTable.ts'

const ROOT = join(import.meta.dirname, '..')

/** Documents, or marked sections of documents, that are generated from tables in code. */
const GENERATED: readonly { file: string; marker: string | null; render: () => string }[] = [
  { file: 'docs/errors.md', marker: null, render: renderErrorsPage },
  { file: 'docs/routes.md', marker: null, render: renderRoutesPage },
  { file: 'docs/denials.md', marker: 'denials', render: renderDenials },
  { file: 'docs/configuration.md', marker: 'configuration', render: renderConfigurationTable },
  { file: 'docs/reliability.md', marker: 'faults', render: renderFaultsTable },
  { file: 'docs/mutation.md', marker: 'mutation', render: renderMutationTable },
  { file: 'client/policy.schema.json', marker: null, render: renderPolicySchema },
  ...Array.from(await renderClientReference(), ([name, text]) => ({
    file: `docs/client-reference/${name}`,
    marker: null,
    render: () => text,
  })),
  { file: 'docs/licences.md', marker: null, render: () => renderLicencesPage() },
]

function renderErrorsPage(): string {
  const rows = Object.entries(ERROR_CATALOGUE).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  )
  return `# Errors

Every error code that the API can return. This page is generated from \`server/errors.ts\` by \`npm run docs\`.

All errors share one body, which combines the members of RFC 9457 with those of this API:
\`{success: false, error, code, message, type, title, status, detail, instance, requestId, errors?, challenge?}\`. The only exception is
\`/mcp\`, where errors of the Model Context Protocol itself are JSON-RPC errors ([mcp.md](mcp.md)).

| Status | Code | Meaning |
|---|---|---|
${rows.join('\n')}
`
}

function renderRoutesPage(): string {
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

function renderConfigurationTable(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, setting]) => `| \`${name}\` | ${setting.default} | ${setting.meaning} |`,
  )
  return `| Setting | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}`
}

/** Renders the JSON Schema with which editors complete and check policy files; `lint` checks rules beyond a schema. */
function renderPolicySchema(): string {
  const { $schema, ...schema } = z.toJSONSchema(policyFileSchema, { io: 'input' })
  const title = 'PDLSS policy'
  return `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`
}

function renderFile({ file, marker, render }: (typeof GENERATED)[number], current: string): string {
  if (marker === null) return render()
  const begin = `<!-- generated: ${marker} -->`
  const end = `<!-- end: ${marker} -->`
  const from = current.indexOf(begin)
  const to = current.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${file} has no section marked "${marker}"`)
  return `${current.slice(0, from)}${begin}\n${render()}\n${current.slice(to)}`
}

function readIfPresent(path: string): string {
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
  const current = readIfPresent(path)
  const expected = renderFile(page, current)
  if (current === expected) continue
  stale.push(page.file)
  if (!isCheck) writeFileSync(path, expected)
}
if (isCheck && stale.length > 0) {
  console.error(`Out of date: ${stale.join(', ')}. Run "npm run docs".`)
  process.exit(1)
}
console.log(stale.length === 0 ? 'All generated documents are up to date.' : `Wrote ${stale.join(', ')}.`)
