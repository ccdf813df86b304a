import type { TableRow } from '../operation.ts'
import type { Services } from '../services.ts'
import { openApiDocument } from './openApiDocument.ts'
import { referencePage } from './referencePage.ts'

/**
 * Writes the description of a route table when it is first asked for, and keeps it: writing it takes a tenth of a second, in
 * which nobody else would be answered.
 *
 * Source: api.md "Approvals, activity, audit" (`GET /api/openapi.json`).
 */
export function publishedApi(table: readonly TableRow[], publicUrl: string): Services['publishedApi'] {
  let written: ReturnType<Services['publishedApi']> | undefined
  const write = () => {
    const document = openApiDocument(table, publicUrl)
    return { json: JSON.stringify(document), page: referencePage(document) }
  }
  return () => {
    written ??= write()
    return written
  }
}
